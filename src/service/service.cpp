#include "service/service.hpp"

#include "security/secrets.hpp"
#include "service/bookings_module.hpp"
#include "service/conversions.hpp"
#include "service/expiries.hpp"
#include "service/feeds_module.hpp"
#include "service/lease_module.hpp"
#include "service/listener_modules.hpp"
#include "service/management_access_data.hpp"
#include "service/management_module.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <vector>

namespace roost {

namespace {

/// Applies the live settings; the others stay unchanged.
void apply_live(service_context& base, const config::settings& settings) {
  apply_log(settings);
  actors::meter::set_measuring(settings.metrics.actors);
  base.runtime->watch_runs(settings.scheduler.slow_run);
  base.runtime->retune(to_knobs(settings));
}

} // namespace

struct service::parts {
  parts(const config::settings& settings, service_hooks hooks)
      : base(settings, std::move(hooks)), secrets(security::secrets::load_or_create(settings.secrets.file)),
        credentials(secrets.token_key, base.hooks.now), access(settings, base.hooks.now, base.registry),
        expiring(base.registry, settings.platforms, credentials, base.hooks.now) {}

  /// Builds the features in their start order; they stop in reverse.
  void build() {
    apply_live(base, base.settings);
    operations = &add<operations_module>(base);
    lease = &add<lease_module>(base, secrets.fingerprint());
    add<credential_uses_module>(base, credentials);
    const auto& feeds = add<feeds_module>(base);
    const auto& portfolio = add<portfolio_module>(base, feeds, follow_credentials());
    const auto& mail = add<mail_module>(base);
    const auto& bookings = add<bookings_module>(base, portfolio, mail);
    add<partner_module>(base, feeds, bookings, credentials);
    const auto& management = add<management_module>(base, access, credentials, mail);
    add<connector_module>(base, access, management);
    listener = &add<public_module>(base, modules);
  }

  followed_credentials follow_credentials() {
    return {[this](store::session& db) {
              reload_keys(db);
              access.load(db);
            },
            [this](store::session& db, const actors::credential_changes& changes) {
              if (changes.keys) reload_keys(db);
              access.apply(db, changes);
            }};
  }

  void reload_keys(store::session& db) {
    credentials.reload(db);
    expiring.note_tokens();
  }

  void start() {
    if (auto certificate = listener->listener().certificate()) expiring.apply(std::move(*certificate));
    expiring.warn();
    for (auto& each : modules) each->start();
  }

  void stop() {
    if (std::exchange(stopped, true)) return;
    if (lease) lease->end_watch();
    for (auto each = modules.rbegin(); each != modules.rend(); ++each) (*each)->finish_writing();
    for (auto each = modules.rbegin(); each != modules.rend(); ++each) (*each)->stop();
    base.stop();
  }

  template <typename Module, typename... Arguments>
  Module& add(Arguments&&... arguments) {
    auto added = std::make_unique<Module>(std::forward<Arguments>(arguments)...);
    auto& result = *added;
    modules.push_back(std::move(added));
    return result;
  }

  service_context base;
  const security::secrets secrets;
  partner_credentials credentials;
  management_access_data access;
  expiries expiring;
  std::vector<std::unique_ptr<module>> modules;
  operations_module* operations = nullptr;
  lease_module* lease = nullptr;
  public_module* listener = nullptr;
  bool stopped = false;
};

service::service(const config::settings& settings, service_hooks hooks)
    : parts_(std::make_unique<parts>(settings, std::move(hooks))) {
  try {
    parts_->build();
  } catch (...) {
    parts_->stop(); // an actor that is still alive would keep the process running
    throw;
  }
}

service::~service() { stop(); }

void service::start() { parts_->start(); }

void service::stop() { parts_->stop(); }

void service::stop_to_exit() {
  parts_->base.is_exiting = true;
  parts_->stop();
}

bool service::can_reload(const std::string& key, const config::settings& reloaded) const {
  return is_live(key, parts_->base.settings, reloaded);
}

std::string service::reload_certificate(const config::settings& reloaded) {
  auto& listener = parts_->listener->listener();
  const auto before = listener.certificate();
  const auto& file = reloaded.server.tls_certificate;
  if (!before || file.empty()) return {};
  if (!listener.replace_certificate(file.string(), reloaded.server.tls_key.string())) return {};
  auto now = *listener.certificate();
  auto change = "the certificate, until " + domain::to_string(now.until) + " (was until " +
                domain::to_string(before->until) + ")";
  parts_->expiring.apply(std::move(now));
  return change;
}

void service::warn_of_expiries() { parts_->expiring.warn(); }

void service::apply_reloaded(const config::settings& settings) { apply_live(parts_->base, settings); }

void service::when_threads_respond(std::function<void()> on_response) {
  const auto contexts = parts_->base.runtime->io_contexts();
  const auto missing = std::make_shared<std::atomic<std::size_t>>(contexts.size());
  for (auto& each : contexts)
    boost::asio::post(each.get(), [missing, on_response] {
      if (--*missing == 0) on_response();
    });
}

std::uint16_t service::port() const { return parts_->listener->port(); }

std::uint16_t service::ops_port() const { return parts_->operations->port(); }

} // namespace roost
