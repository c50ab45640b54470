#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"

namespace roost::store {

/// The place of an item in a list that has the newest items first; those of the same time by id, the greatest
/// first.
struct moment_place {
  domain::timestamp at{};
  domain::uuid id{};
};

} // namespace roost::store
