#include "service/feeds_module.hpp"

#include "domain/platform.hpp"
#include "http/access/access.hpp"

#include <algorithm>

namespace roost {

feeds_module::feeds_module(service_context& base)
    : base_(base), assembler_(actors::spawn_feed_assembler(*base.runtime)) {
  for (std::size_t i = 0; i < base.platforms->size(); ++i) {
    spawn_feed(i);
    full_feeds_.push_back(spawn_full_feed(i));
  }
  base.readiness.push_back({"portfolio", [this] { return missing_lists(); }});
  export_metrics();
}

/// Returns what is missing before lists can be served.
std::optional<std::string> feeds_module::missing_lists() const {
  if (!base_.directory.get()) return "not loaded yet";
  const bool serves = base_.lease->holds();
  for (const auto& feed : feeds_) {
    const auto built = feed.snapshot->get();
    if (!built) return "its lists are not built yet";
    if (serves && built->position < base_.lease->needed())
      return "its lists are being rebuilt after the takeover";
  }
  return {};
}

void feeds_module::spawn_feed(std::size_t platform) {
  const auto& interval = base_.settings.feeds.rebuild;
  auto& feed = feeds_.emplace_back();
  feed.snapshot = std::make_unique<actors::published<actors::feed_snapshot>>();
  actors::feed_setup setup;
  setup.platform = platform;
  setup.name = (*base_.platforms)[platform].name;
  setup.interval = interval;
  setup.first_interval = interval * (platform + 1) / base_.platforms->size();
  setup.now = base_.hooks.now;
  setup.directory = &base_.directory;
  setup.changes = base_.changes;
  setup.followed = base_.followed;
  setup.snapshot = feed.snapshot.get();
  setup.registry = &base_.registry;
  feed.actor = actors::spawn_feed(*base_.runtime, assembler_, std::move(setup));
}

actors::full_feed feeds_module::spawn_full_feed(std::size_t platform) const {
  if (domain::traits_of((*base_.platforms)[platform]).full_feed == domain::marketplace::none) return {};
  actors::full_feed_setup setup;
  setup.platform = platform;
  setup.platforms = base_.platforms;
  setup.interval = base_.settings.feeds.rebuild;
  setup.now = base_.hooks.now;
  setup.directory = &base_.directory;
  setup.followed = base_.followed;
  setup.lease = base_.lease;
  setup.storage = base_.storage_at(service_context::lane::reads_and_mail);
  setup.assembler = assembler_;
  setup.registry = &base_.registry;
  return actors::spawn_full_feed(*base_.runtime, std::move(setup));
}

/// Exports the age and size of every platform's list, read at each scrape.
void feeds_module::export_metrics() {
  for (std::size_t i = 0; i < feeds_.size(); ++i) {
    auto& registry = base_.registry;
    const auto& name = (*base_.platforms)[i].name;
    const auto bytes = [&](const char* encoding) {
      return registry.gauge("roost_feed_bytes", "Size of a feed",
                            {{"platform", name}, {"encoding", encoding}});
    };
    const auto age =
        registry.gauge("roost_feed_age_seconds", "Time since a feed was built", {{"platform", name}});
    const auto units = registry.gauge("roost_feed_units", "Units in a feed", {{"platform", name}});
    registry.on_scrape([published = feeds_[i].snapshot.get(), now = base_.hooks.now, age, units,
                        identity = bytes("identity"), gzip = bytes("gzip")] {
      const auto last = published->get();
      if (!last) return;
      age.set(std::chrono::duration<double>(now() - last->built_at).count());
      units.set(static_cast<double>(last->units));
      identity.set(static_cast<double>(last->bytes));
      gzip.set(static_cast<double>(last->gzip_bytes));
    });
  }
}

void feeds_module::rebuild() const {
  for (const auto& feed : feeds_) caf::anon_send(feed.actor, actors::rebuild_feed{});
}

void feeds_module::forget() const {
  for (const auto& feed : feeds_) send_and_wait(base_.system(), feed.actor, actors::forget_feed{});
}

void feeds_module::stop() {
  for (const auto& feed : feeds_) send_exit(feed.actor);
  for (const auto& feed : full_feeds_) send_exit(feed);
  stop_actor(assembler_);
}

portfolio_module::portfolio_module(service_context& base, const feeds_module& feeds,
                                   followed_credentials credentials)
    : base_(base) {
  actors::follower_setup setup;
  setup.store_url = base.settings.store.url;
  setup.actor_registry.platforms = base.platforms;
  setup.actor_registry.now = base.hooks.now;
  setup.actor_registry.hot_units = base.hot_units;
  setup.actor_registry.changes = base.changes;
  setup.actor_registry.is_notified = http::booking_notification_rule(base.settings.roles);
  setup.lease = base.lease;
  setup.followed = base.followed;
  setup.directory = &base.directory;
  setup.directory_published = [&feeds] { feeds.rebuild(); };
  setup.took_over = [&feeds, clear_caches = credentials.clear_caches] {
    clear_caches();
    feeds.rebuild();
  };
  setup.history_forgotten = [&feeds, clear_caches = credentials.clear_caches] {
    clear_caches();
    feeds.forget();
  };
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
  const auto position =
      registry.gauge("roost_changes_position", "Position in the change stream that memory has reached");
  const auto behind =
      registry.gauge("roost_changes_behind", "Changes in the store that memory has not applied yet");
  const auto lag = registry.gauge("roost_changes_lag_seconds",
                                  "Time since memory was known to include every change in the store");
  registry.on_scrape([&base = base_, units, position, behind, lag] {
    const auto known = base.directory.get();
    units.set(known ? static_cast<double>(known->unit_count()) : 0);
    position.set(static_cast<double>(base.followed->point().position));
    const auto now = base.followed->behind();
    behind.set(static_cast<double>(now.changes));
    lag.set(std::chrono::duration<double>(now.since_followed).count());
  });
}

void portfolio_module::start() { caf::anon_send(follower_, actors::poll_changes{}); }

void portfolio_module::stop() {
  if (!base_.is_exiting) send_and_wait(base_.system(), follower_, actors::end_calendars{});
  stop_actor_and_wait(base_.system(), follower_); // closes its session
}

} // namespace roost
