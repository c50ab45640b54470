#include "service/portfolio_module.hpp"

#include "http/access/permissions.hpp"
#include "service/actor_ends.hpp"

namespace roost {

portfolio_module::portfolio_module(service_context& base, const feeds_module& feeds,
                                   followed_credentials credentials)
    : base_(base) {
  actors::follower_setup setup;
  setup.store_url = base.settings.store.url;
  setup.actor_registry.platforms = base.platforms;
  setup.actor_registry.now = base.hooks.now;
  setup.actor_registry.busy = base.busy;
  setup.actor_registry.changes = base.changes;
  setup.actor_registry.is_notified = [&base](const std::string& role) {
    return http::has_permission(base.settings.roles, role, "bookings.create");
  };
  setup.lease = base.lease;
  setup.followed = base.followed;
  setup.directory = &base.directory;
  setup.directory_published = [&feeds] { feeds.rebuild(); };
  setup.history_forgotten = [&feeds] { feeds.forget(); };
  setup.load_credentials = std::move(credentials.load);
  setup.apply_credentials = std::move(credentials.apply);
  setup.keep = base.settings.changes.keep;
  setup.on_hold = base.hooks.on_hold;
  setup.registry = &base.registry;
  follower_ = actors::spawn_change_follower(*base.runtime, std::move(setup));
  export_metrics();
}

void portfolio_module::export_metrics() {
  auto& registry = base_.registry;
  const auto units = registry.gauge("roost_units", "Units in memory");
  const auto position = registry.gauge("roost_changes_position",
                                       "Position in the stream of changes up to which memory follows it");
  const auto behind =
      registry.gauge("roost_changes_behind", "Changes of the store that memory does not hold yet");
  const auto lag = registry.gauge("roost_changes_lag_seconds",
                                  "Time since memory was known to hold every change of the store");
  registry.on_scrape([&base = base_, units, position, behind, lag] {
    const auto known = base.directory.get();
    units.set(known ? static_cast<double>(known->unit_count()) : 0);
    position.set(static_cast<double>(base.followed->point().position));
    const auto now = base.followed->behind();
    behind.set(static_cast<double>(now.changes));
    lag.set(std::chrono::duration<double>(now.since_followed).count());
  });
}

void portfolio_module::start() { caf::anon_send(follower_, actors::look_for_changes{}); }

void portfolio_module::stop() {
  if (!base_.is_exiting) tell_and_wait(base_.system(), follower_, actors::end_calendars{});
  end_and_wait(base_.system(), follower_); // its session is closed then
}

} // namespace roost
