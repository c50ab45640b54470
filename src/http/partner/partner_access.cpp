#include "http/partner/partner_access.hpp"

#include "domain/platform_traits.hpp"
#include "security/key.hpp"

namespace roost::http {

namespace {

constexpr std::string_view bearer = "Bearer ";

void require_configured(const partner_services& services, const domain::platform& platform) {
  if (!domain::traits_of(platform).is_single_landlord) return;
  if (platform.account && require_directory(services)->find_account(*platform.account)) return;
  throw service_unavailable("This integration is not configured yet. Contact support.");
}

/// Marketplace A's own header, under either name (Partner API, Authentication, rule 3).
bool has_webhook_key(const partner_services& services, const request& req) {
  const auto keys = services.webhook_keys->get();
  if (!keys) return false;
  for (const auto name : {"x-api-key", "x-api_key"}) {
    const auto presented = req.header(name);
    if (presented.empty() || req.count(name) != 1) continue;
    for (const auto& key : *keys) {
      if (!security::key_matches(presented, key.hash)) continue;
      key.use->note(services.now());
      return true;
    }
  }
  return false;
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
  if (domain::traits_of(platform).takes_webhook_key && has_webhook_key(services, req)) return;
  if (!services.tokens->accepts(token_of(req), platform.name, services.now()))
    throw unauthorized("Unauthorized");
}

/// The account whose key the request carries; none without a key or with one that is nobody's.
std::optional<domain::uuid> account_of_key(const partner_services& services, const request& req) {
  const auto presented = req.header("svc-api-key");
  const auto keys = services.account_keys->get();
  if (presented.empty() || !keys) return std::nullopt;
  for (const auto& key : *keys) {
    if (!security::key_matches(presented, key.hash)) continue;
    key.use->note(services.now());
    return key.account_id;
  }
  return std::nullopt;
}

/// Partner API, Authentication, rule 4.
void require_not_moved(const partner_services& services, const request& req) {
  const auto id = account_of_key(services, req);
  if (!id) return;
  const auto directory = require_directory(services);
  const auto* account = directory->find_account(*id);
  if (account && account->settings->native_engine)
    throw gone("Gone: this account is served by the native booking engine");
}

} // namespace

check account_key_check(const partner_services& services) {
  return [&services](request& req) {
    if (req.header("svc-api-key").empty()) throw unauthorized("Missing svc-api-key header");
    const auto account = account_of_key(services, req);
    if (!account || req.count("svc-api-key") > 1) throw unauthorized("Unauthorized");
    req.context = *account;
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
