#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/connection.hpp"
#include "store/stays/moment_place.hpp"

#include <optional>

namespace roost::store {

/// Adds the parameters `before` and `before_id` of a page, whose rows have `(time, id) < (:before,
/// :before_id)`: those after a place, or the newest ones.
inline void add_place(parameters& to, const std::optional<moment_place>& after) {
  constexpr const char *latest = "9999-12-31T23:59:59.999Z",
                       *greatest_id = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  to.emplace_back("before", after ? domain::to_string(after->at) : std::string(latest));
  to.emplace_back("before_id", after ? domain::to_string(after->id) : std::string(greatest_id));
}

} // namespace roost::store
