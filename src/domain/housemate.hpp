#pragma once

#include "domain/date.hpp"

#include <optional>
#include <string>

namespace roost::domain {

/// Somebody who lives in a property now (Partner API, Housemates).
struct housemate {
  std::string first_name;
  std::optional<std::string> last_name, nationality;
  date move_in{}, move_out{};
};

} // namespace roost::domain
