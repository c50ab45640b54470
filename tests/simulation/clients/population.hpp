#pragma once

#include "simulation/clients/simulated_client.hpp"
#include "simulation/history.hpp"
#include "simulation/prepared_world.hpp"

#include <memory>
#include <vector>

namespace roost::testing {

/// The number of clients of each kind, in addition to platforms.
struct population {
  unsigned landlords = 3;
  unsigned assistants = 2;
  unsigned usage_services = 1;
  unsigned guests = 1;
  unsigned office_workers = 1;
  unsigned booking_clerks = 1;
  unsigned bookkeepers = 1;
  unsigned tenant_keepers = 1;
  unsigned notification_readers = 1;
  unsigned event_followers = 1;
  unsigned outcome_followers = 1;
  unsigned stay_changers = 1;
  unsigned holders = 1;
  bool has_operator = true;
};

/// Creates the clients of a history, which must outlive them.
std::vector<std::unique_ptr<simulated_client>> make_clients(history& in, const population& of,
                                                            const prepared_world& world);

} // namespace roost::testing
