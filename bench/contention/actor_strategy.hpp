#pragma once

#include "service_world.hpp"
#include "strategy.hpp"

namespace roost::contention {

/// This service's actors with group commit.
std::unique_ptr<strategy> make_actor_strategy(service_world& world, depth how_much);

} // namespace roost::contention
