#pragma once

#include "actors/directory.hpp"
#include "actors/feed.hpp"
#include "actors/published.hpp"
#include "actors/tenure.hpp"
#include "store/session.hpp"

#include <caf/typed_actor.hpp>

#include <functional>
#include <string>
#include <vector>

namespace roost::actors {

struct portfolio_watch_setup {
  std::string store_url;
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<const tenure> writer;
  published<actors::directory>* directory = nullptr;
  std::vector<feed> feeds; ///< rebuilt after a change
  /// Whether users of this role are mailed about bookings.
  std::function<bool(const std::string& role)> is_notified;
  /// Reads tokens and keys anew; runs before the change counts as applied. May throw store::error.
  std::function<void(store::session&)> reload_credentials;
  std::chrono::milliseconds interval{100}; ///< between two looks at the store's change version
};

struct look_for_changes {};

/// Ends the calendars and accounts.
struct end_calendars {};

/// Keeps what is in memory in step with the store's portfolio: loads everything at the start and whole
/// accounts after an import, spawns their calendars, and publishes the directory. On its own thread, with its
/// own session.
using portfolio_watch = caf::typed_actor<caf::reacts_to<look_for_changes>, caf::reacts_to<end_calendars>>;

portfolio_watch spawn_portfolio_watch(runtime& on, portfolio_watch_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_for_changes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_calendars)
