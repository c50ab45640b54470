#pragma once

#include "store/session.hpp"

#include <cstdint>

namespace roost::store {

/// Counts a change that running servers must pick up, and answers the new version. The last statement of its
/// transaction: it holds a row that every group of decisions reads.
std::int64_t bump_version(session& on);

} // namespace roost::store
