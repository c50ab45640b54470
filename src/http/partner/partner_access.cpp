#include "http/partner/partner_api.hpp"

namespace roost::http {

namespace {

using security::key_kind;
using optional_key = std::optional<security::live_key>;

/// Partner API, Authentication, rule 2.
constexpr bearer_messages token_messages{"Missing integration credentials", "Unauthorized",
                                         "Invalid integration credentials", "Invalid integration credentials",
                                         "Unauthorized"};

/// The keys of a request, cached in its context: each header is looked up once, when a check first needs it.
struct request_keys {
  std::optional<optional_key> account, webhook;
};

request_keys& keys_of(request& req) {
  if (auto* keys = std::any_cast<request_keys>(&req.context)) return *keys;
  return req.context.emplace<request_keys>();
}

void require_configured(const partner_services& services, const domain::platform& platform) {
  if (!domain::traits_of(platform).is_single_landlord) return;
  if (platform.account && require_directory(services)->find_account(*platform.account)) return;
  throw service_unavailable(not_configured);
}

/// Finds the live webhook key under either name of its header (Partner API, Authentication, rule 3).
optional_key find_webhook_key(const partner_services& services, const request& req) {
  for (const auto name : {"x-api-key", "x-api_key"}) {
    const auto presented = req.only(name);
    if (presented.empty()) continue;
    if (auto key = use_key(*services.live_keys, key_kind::webhook, presented, services.now())) return key;
  }
  return std::nullopt;
}

const optional_key& webhook_key_of(const partner_services& services, request& req) {
  auto& known = keys_of(req).webhook;
  if (!known) known = find_webhook_key(services, req);
  return *known;
}

/// Returns the request's live account key; nullopt if it is missing or unknown.
const optional_key& account_key_of(const partner_services& services, request& req) {
  auto& known = keys_of(req).account;
  if (!known) {
    const auto presented = req.header("svc-api-key");
    known = presented.empty() ? std::nullopt
                              : use_key(*services.live_keys, key_kind::account, presented, services.now());
  }
  return *known;
}

void authenticate(const partner_services& services, const domain::platform& platform, request& req) {
  if (domain::traits_of(platform).takes_webhook_key && webhook_key_of(services, req)) return;
  if (!services.tokens->accepts(bearer_token(req, token_messages), platform.name, services.now()))
    throw unauthorized(std::string(token_messages.invalid));
}

/// Partner API, Authentication, rule 4.
void require_not_moved(const partner_services& services, request& req) {
  const auto& key = account_key_of(services, req);
  if (!key) return;
  const auto directory = require_directory(services);
  const auto* account = directory->find_account(key->owner);
  if (account && account->settings->native_engine) throw gone(account_has_moved);
}

} // namespace

std::string caller_of(const partner_services& services, const domain::platform& platform, request& req) {
  const auto named = [](const char* kind, const domain::uuid& id) {
    return std::string{kind} + " " + domain::to_string(id);
  };
  if (const auto& key = account_key_of(services, req)) return named("account key", key->id);
  if (domain::traits_of(platform).takes_webhook_key)
    if (const auto& key = webhook_key_of(services, req)) return named("webhook key", key->id);
  const auto token = services.tokens->id_of(bearer_token(req, token_messages));
  return token ? named("token", *token) : platform.name;
}

check account_key_check(const partner_services& services) {
  return [&services](request& req) {
    if (req.header("svc-api-key").empty()) throw unauthorized("Missing svc-api-key header");
    if (!account_key_of(services, req) || req.count("svc-api-key") > 1) throw unauthorized("Unauthorized");
  };
}

domain::uuid account_of(const request& req) {
  return std::any_cast<const request_keys&>(req.context).account.value().value().owner;
}

std::shared_ptr<const actors::directory> require_directory(const partner_services& services) {
  return require_serving(*services.directory, *services.lease);
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
  entry_rule entry{std::move(checks), "a token of " + platform.name + (takes_key ? " or a webhook key" : "")};
  entry.of_partners = true;
  return entry;
}

} // namespace roost::http
