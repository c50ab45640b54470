#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"

namespace roost::domain {

/// The last use of a token or a key, to the minute.
struct credential_use {
  uuid credential_id{};
  timestamp used_at{};

  friend bool operator==(const credential_use&, const credential_use&) = default;
};

} // namespace roost::domain
