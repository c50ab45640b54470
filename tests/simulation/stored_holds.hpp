#pragma once

#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::testing {

/// Returns descriptions of holds that must have ended, because they share nights with a booking or with
/// another hold of the unit, or because the request that has claimed them is decided; and of holds that ended
/// before that decision.
std::vector<std::string> contradicting_holds(store::session& db);

/// Returns unfounded_refusals() without those of requests that share a night with a hold. A hold may have
/// ended since.
std::vector<std::string> refusals_without_reason(store::session& db);

} // namespace roost::testing
