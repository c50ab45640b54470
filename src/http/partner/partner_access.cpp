#include "http/partner/partner_access.hpp"

#include "domain/platform.hpp"
#include "security/key.hpp"

namespace roost::http {

namespace {

constexpr std::string_view bearer = "Bearer ";

void require_configured(const partner_services& services, const domain::platform& platform) {
  if (!domain::traits_of(platform).is_single_landlord) return;
  if (platform.account && require_directory(services)->find_account(*platform.account)) return;
  throw service_unavailable(not_configured);
}

/// Marketplace A's own header, under either name (Partner API, Authentication, rule 3).
std::optional<domain::uuid> webhook_key_of(const partner_services& services, const request& req) {
  const auto keys = services.webhook_keys->get();
  if (!keys) return std::nullopt;
  for (const auto name : {"x-api-key", "x-api_key"}) {
    const auto presented = req.header(name);
    if (presented.empty() || req.count(name) != 1) continue;
    for (const auto& key : *keys) {
      if (!security::key_matches(presented, key.hash)) continue;
      key.use->note(services.now());
      return key.id;
    }
  }
  return std::nullopt;
}

/// Partner API, Authentication, rule 2.
std::string_view token_of(const request& req) {
  if (req.count("authorization") == 0) throw unauthorized("Missing integration credentials");
  if (req.count("authorization") > 1) throw unauthorized("Unauthorized");
  const auto credentials = req.header("authorization");
  if (!credentials.starts_with(bearer) || credentials.size() == bearer.size() ||
      credentials[bearer.size()] == ' ')
    throw unauthorized("Invalid integration credentials");
  return credentials.substr(bearer.size());
}

void authenticate(const partner_services& services, const domain::platform& platform, const request& req) {
  if (domain::traits_of(platform).takes_webhook_key && webhook_key_of(services, req)) return;
  if (!services.tokens->accepts(token_of(req), platform.name, services.now()))
    throw unauthorized("Unauthorized");
}

/// The account key that the request carries; none without one or with one that is nobody's.
std::optional<live_account_key> account_key_of(const partner_services& services, const request& req) {
  const auto presented = req.header("svc-api-key");
  const auto keys = services.account_keys->get();
  if (presented.empty() || !keys) return std::nullopt;
  for (const auto& key : *keys) {
    if (!security::key_matches(presented, key.hash)) continue;
    key.use->note(services.now());
    return key;
  }
  return std::nullopt;
}

/// Partner API, Authentication, rule 4.
void require_not_moved(const partner_services& services, const request& req) {
  const auto key = account_key_of(services, req);
  if (!key) return;
  const auto directory = require_directory(services);
  const auto* account = directory->find_account(key->account_id);
  if (account && account->settings->native_engine) throw gone(account_has_moved);
}

} // namespace

std::string caller_of(const partner_services& services, const domain::platform& platform,
                      const request& req) {
  const auto named = [](const char* kind, const domain::uuid& id) {
    return std::string{kind} + " " + domain::to_string(id);
  };
  if (const auto key = account_key_of(services, req)) return named("account key", key->id);
  if (domain::traits_of(platform).takes_webhook_key)
    if (const auto key = webhook_key_of(services, req)) return named("webhook key", *key);
  const auto token = services.tokens->id_of(token_of(req));
  return token ? named("token", *token) : platform.name;
}

check account_key_check(const partner_services& services) {
  return [&services](request& req) {
    if (req.header("svc-api-key").empty()) throw unauthorized("Missing svc-api-key header");
    const auto key = account_key_of(services, req);
    if (!key || req.count("svc-api-key") > 1) throw unauthorized("Unauthorized");
    req.context = key->account_id;
  };
}

void answer_as_writer(const partner_services& services, std::vector<route>& routes) {
  for (auto& each : routes) each.holds = [lease = services.lease] { return lease->holds(); };
}

std::shared_ptr<const actors::directory> require_directory(const partner_services& services) {
  auto directory = services.directory->get();
  if (!directory || !services.lease->holds()) throw busy();
  return directory;
}

const std::string& require_landlord_key(const request& req) {
  const auto& key = req.parameters.front();
  if (key.find_first_not_of(" \t\r\n\f\v") == std::string::npos) throw bad_request(empty_landlord_key);
  return key;
}

entry_rule partner_checks(const partner_services& services, const domain::platform& platform) {
  std::vector<check> checks{
      [&services](request&) { require_directory(services); },
      [&services, &platform](request&) { require_configured(services, platform); },
      [&services, &platform](request& req) { authenticate(services, platform, req); },
  };
  if (domain::traits_of(platform).accounts_move_away)
    checks.emplace_back([&services](request& req) { require_not_moved(services, req); });
  const bool takes_key = domain::traits_of(platform).takes_webhook_key;
  return {std::move(checks), "a token of " + platform.name + (takes_key ? " or a webhook key" : "")};
}

} // namespace roost::http
