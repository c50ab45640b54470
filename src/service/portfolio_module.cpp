#include "service/portfolio_module.hpp"

#include "service/actor_ends.hpp"
#include "service/conversions.hpp"

namespace roost {

portfolio_module::portfolio_module(foundation& base, const feeds_module& feeds,
                                   std::function<void(store::session&)> reload_credentials)
    : base_(base) {
  actors::portfolio_loader_setup setup;
  setup.store_url = base.settings.store.url;
  setup.platforms = base.platforms;
  setup.now = base.hooks.now;
  setup.lease = base.lease;
  setup.directory = &base.directory;
  setup.decided = base.decided;
  setup.busy = base.busy;
  setup.directory_published = [&feeds] { feeds.rebuild(); };
  setup.changes = base.changes;
  setup.is_notified = [&base](const std::string& role) { return may_create_bookings(base.settings, role); };
  setup.reload_credentials = std::move(reload_credentials);
  loader_ = actors::spawn_portfolio_loader(*base.runtime, std::move(setup));

  const auto units = base.registry.gauge("roost_units", "Units in memory");
  base.registry.on_scrape([&base, units] {
    const auto known = base.directory.get();
    units.set(known ? static_cast<double>(known->unit_count()) : 0);
  });
}

void portfolio_module::stop() {
  tell_and_wait(base_.system(), loader_, actors::end_calendars{});
  end(loader_);
}

} // namespace roost
