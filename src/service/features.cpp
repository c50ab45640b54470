#include "service/features.hpp"

#include "service/bookings_module.hpp"
#include "service/conversions.hpp"
#include "service/feeds_module.hpp"
#include "service/listener_modules.hpp"
#include "service/management_module.hpp"
#include "service/office_module.hpp"

namespace roost {

features::features(const config::settings& settings, service_hooks hooks)
    : base_(settings, std::move(hooks)), secrets_(security::secrets::load_or_create(settings.secrets.file)),
      credentials_(secrets_, settings.secrets.file, base_.hooks.now),
      access_(settings, base_.hooks.now, base_.registry),
      expiring_(base_.registry, settings.platforms, credentials_, base_.hooks.now) {}

void features::build() {
  apply_live(base_.settings);
  lease_ = &add<lease_module>(base_, credentials_);
  add<credential_uses_module>(base_, credentials_);
  const auto& feeds = add<feeds_module>(base_);
  const auto& portfolio = add<portfolio_module>(base_, feeds, follow_credentials());
  const auto& mail = add<mail_module>(base_);
  const auto& bookings = add<bookings_module>(base_, portfolio, mail);
  add<partner_module>(base_, feeds, bookings, credentials_);
  const auto& management = add<management_module>(base_, access_, credentials_, mail);
  add<office_module>(base_, feeds, bookings, management);
  add<connector_module>(base_, access_, management);
}

followed_credentials features::follow_credentials() {
  return {[this](store::session& db) {
            reload_keys(db);
            access_.load(db);
          },
          [this](store::session& db, const actors::credential_changes& changes) {
            if (changes.keys) reload_keys(db);
            access_.apply(db, changes);
          },
          [this] { access_.clients()->clear(); }};
}

void features::reload_keys(store::session& db) {
  credentials_.reload(db);
  expiring_.note_tokens();
}

void features::start() {
  expiring_.warn();
  for (auto& each : modules_) each->start();
}

void features::stop() {
  if (std::exchange(stopped_, true)) return;
  if (lease_) lease_->end_watch();
  for (auto each = modules_.rbegin(); each != modules_.rend(); ++each) (*each)->finish_writing();
  for (auto each = modules_.rbegin(); each != modules_.rend(); ++each) (*each)->stop();
  base_.stop();
}

void features::apply_live(const config::settings& settings) {
  apply_log(settings);
  actors::meter::set_measuring(settings.metrics.actors);
  base_.runtime->watch_runs(settings.scheduler.slow_run);
  base_.runtime->retune(to_knobs(settings));
}

} // namespace roost
