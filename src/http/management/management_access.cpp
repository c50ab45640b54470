#include "http/management/management_access.hpp"

#include "http/protocol/browser.hpp"
#include "http/protocol/error.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr std::string_view scheme = "Bearer ";

struct refusals {
  std::string_view missing, odd, bad;
};

constexpr refusals usual_refusals{"Missing Authorization header", "Invalid Authorization header format",
                                  "Unauthorized"};
constexpr refusals credential_refusals{"Missing authentication credentials",
                                       "Invalid authentication credentials",
                                       "Invalid authentication credentials"};

error refused(std::string_view message) { return unauthorized(std::string(message)); }

/// RFC 6750, 2.1. `Bearer` with nothing behind it is a token that is missing.
std::string_view access_token_of(const request& req, const refusals& say) {
  if (req.count("authorization") == 0) throw refused(say.missing);
  if (req.count("authorization") > 1) throw refused(say.bad);
  const auto credentials = req.header("authorization");
  if (credentials == scheme.substr(0, scheme.size() - 1)) throw refused(say.bad);
  if (!credentials.starts_with(scheme) || credentials[scheme.size()] == ' ') throw refused(say.odd);
  return credentials.substr(scheme.size());
}

caller authenticated(const management_services& services, const request& req, const refusals& say) {
  auto users = require_users(services);
  const auto claims =
      services.access_tokens->claims_of(access_token_of(req, say), services.base_url, services.now());
  if (!claims) throw refused(say.bad);
  const auto* user = users->find(claims->user_id);
  if (user == nullptr) throw refused(say.bad);
  if (claims->epoch < user->epoch ||
      services.ended->has_ended(claims->session_id, claims->user_id, claims->epoch))
    throw unauthorized("Your session has ended.");
  return {claims->session_id, std::move(users), user};
}

} // namespace

std::shared_ptr<const actors::user_directory> require_users(const management_services& services) {
  auto users = services.users->get();
  if (!users || !services.lease->holds()) throw busy();
  return users;
}

bool has_permission(const role_permissions& roles, const std::string& role, std::string_view permission) {
  const auto found = roles.find(role);
  return found != roles.end() && std::ranges::any_of(found->second, [&](const std::string& each) {
           return each == "*" || each == permission;
         });
}

entry_rule public_checks(const management_services& services, std::string_view group, std::size_t limit) {
  return {[&services](request&) { require_users(services); },
          rate_limit_check(*services.limiter, group, limit), origin_check(services.base_url)};
}

entry_rule management_checks(const management_services& services, std::string_view permission,
                             access_wording wording) {
  auto checks = public_checks(services, "management", services.limits.management).checks;
  const auto& say = wording == access_wording::usual ? usual_refusals : credential_refusals;
  checks.emplace_back([&services, &say](request& req) { req.context = authenticated(services, req, say); });
  if (!permission.empty())
    checks.emplace_back([&services, wanted = std::string(permission)](request& req) {
      if (!has_permission(services.roles, caller_of(req).user->role, wanted))
        throw forbidden("Forbidden resource");
    });
  return {std::move(checks),
          permission.empty() ? "an access token" : "an access token with " + std::string(permission)};
}

const caller& caller_of(const request& req) { return std::any_cast<const caller&>(req.context); }

void answer_as_writer(const management_services& services, std::vector<route>& routes) {
  for (auto& each : routes) each.holds = [lease = services.lease] { return lease->holds(); };
}

} // namespace roost::http
