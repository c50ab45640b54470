#pragma once

#include "actors/inventory/directory.hpp"
#include "recipe.hpp"
#include "strategy.hpp"

namespace roost::contention {

/// A peer on PostgreSQL: each client has a connection of its own and decides itself. `units` has the settings
/// for whole bookings; null at the bare depth.
std::unique_ptr<strategy> make_peer_strategy(const recipe& how, depth how_much, const std::string& store_url,
                                             std::shared_ptr<const actors::directory> units);

} // namespace roost::contention
