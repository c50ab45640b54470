#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/sessions/user_directory.hpp"
#include "config/settings.hpp"

#include <functional>
#include <memory>
#include <string>

namespace roost::http {

/// What the management routes and pages work with. Made once by the composition root; it outlives the server.
struct management_services {
  std::string base_url;
  std::shared_ptr<const actors::held_lease> lease;
  const actors::published<actors::user_directory>* users = nullptr;
  actors::wall_clock now;
  std::function<domain::uuid()> new_id;
};

} // namespace roost::http
