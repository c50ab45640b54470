#include "service/feeds_module.hpp"

#include "domain/platform.hpp"
#include "service/actor_ends.hpp"

#include <algorithm>

namespace roost {

feeds_module::feeds_module(service_context& base)
    : base_(base), assembler_(actors::spawn_feed_assembler(*base.runtime)) {
  for (std::size_t i = 0; i < base.platforms->size(); ++i) {
    spawn_feed(i);
    full_feeds_.push_back(spawn_full_feed(i));
  }
  add_readiness();
  export_metrics();
}

void feeds_module::spawn_feed(std::size_t platform) {
  const auto& interval = base_.settings.feeds.rebuild;
  auto& made = feeds_.emplace_back();
  made.snapshot = std::make_unique<actors::published<actors::feed_snapshot>>();
  actors::feed_setup setup;
  setup.platform = platform;
  setup.name = (*base_.platforms)[platform].name;
  setup.interval = interval;
  setup.first_interval = interval * (platform + 1) / base_.platforms->size();
  setup.now = base_.hooks.now;
  setup.directory = &base_.directory;
  setup.changes = base_.changes;
  setup.snapshot = made.snapshot.get();
  setup.registry = &base_.registry;
  made.actor = actors::spawn_feed(*base_.runtime, assembler_, std::move(setup));
}

actors::full_feed feeds_module::spawn_full_feed(std::size_t platform) const {
  if (domain::traits_of((*base_.platforms)[platform]).full_feed == domain::marketplace::none) return {};
  actors::full_feed_setup setup;
  setup.platform = platform;
  setup.platforms = base_.platforms;
  setup.interval = base_.settings.feeds.rebuild;
  setup.now = base_.hooks.now;
  setup.known = &base_.directory;
  setup.storage = base_.storage_at(service_context::lane::reads_and_mail);
  setup.assembler = assembler_;
  setup.registry = &base_.registry;
  return actors::spawn_full_feed(*base_.runtime, std::move(setup));
}

void feeds_module::add_readiness() {
  base_.readiness.push_back({"portfolio", [this]() -> std::optional<std::string> {
                               if (!base_.directory.get()) return "not loaded yet";
                               const auto built = [](const auto& feed) {
                                 return feed.snapshot->get() != nullptr;
                               };
                               if (!std::ranges::all_of(feeds_, built)) return "its lists are not built yet";
                               return {};
                             }});
}

/// Age and size of every platform's list, read at each scrape.
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
  for (const auto& feed : feeds_) tell_and_wait(base_.system(), feed.actor, actors::forget_feed{});
}

void feeds_module::stop() {
  for (const auto& feed : feeds_) tell_to_exit(feed.actor);
  for (const auto& feed : full_feeds_) tell_to_exit(feed);
  end(assembler_);
}

} // namespace roost
