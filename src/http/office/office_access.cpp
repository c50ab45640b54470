#include "domain/account.hpp"
#include "domain/uuid.hpp"
#include "http/management/session_responses.hpp"
#include "http/office/office_api.hpp"

#include <algorithm>

namespace roost::http {

error not_allowed() { return forbidden("Forbidden resource"); }

namespace {

/// Returns whether the session's cookie identifies the caller, because there is no other credential.
bool uses_cookie(const office_services& services, const request& req) {
  return req.count("authorization") == 0 && refresh_token_of(*services.management, req);
}

bool changes_nothing(const request& req) { return req.method == "GET" || req.method == "HEAD"; }

/// Accepts a request with a cookie, which as_caller() examines, or one with an access token.
entry_rule checks_of(const office_services& services, const char* permission) {
  const auto& management = *services.management;
  auto entry = public_checks(management, "management", management.limits.management);
  entry.checks.emplace_back([&services, by_token = token_check(management, permission)](request& req) {
    if (!uses_cookie(services, req)) return by_token(req);
    if (!changes_nothing(req) && req.only("x-roost-request") != "1") throw not_allowed();
  });
  entry.needs = management_checks(management, permission).needs + ", or a session's cookie";
  return entry;
}

/// Handles a request of the user of an access token or of a session's cookie.
asio::awaitable<response> as_caller(const office_services& services, const office_route& route,
                                    request& req) {
  if (!req.context.has_value()) {
    auto visitor = co_await visitor_of(*services.management, req);
    if (!visitor) throw unauthorized("Unauthorized");
    const std::string_view permission = route.permission;
    if (!permission.empty() && !has_permission(services.management->roles, visitor->user->role, permission))
      throw not_allowed();
    req.context = *std::move(visitor);
  }
  auto result = co_await route.handle(services, req);
  result.fields.emplace_back("Cache-Control", "no-store"); // personal, and authenticated by a cookie
  co_return result;
}

} // namespace

std::vector<route> routes_for(const office_services& services, std::initializer_list<office_route> routes) {
  std::vector<route> all;
  for (const auto& each : routes)
    all.push_back(
        {.method = each.method,
         .pattern = each.pattern,
         .body = each.body,
         .entry = checks_of(services, each.permission),
         .handle = handler([&services, each](request& req) { return as_caller(services, each, req); }),
         .documented = each.documented,
         .max_body = each.max_body});
  respond_as_writer(services.management->lease, all);
  return all;
}

store::office_scope scope_of(const request& req) { return scope_of(*caller_of(req).user); }

store::office_scope scope_of(const actors::known_user& user) {
  if (user.role != domain::owner_role) return {user.account_id, {}};
  return {user.account_id, user.owner_id.value_or(domain::uuid{})}; // nil: no property has this owner
}

void refuse_owners(const request& req) {
  if (scope_of(req).owner_id) throw not_allowed();
}

store::office_author author_of(const office_services& services, const request& req, std::string action,
                               std::string subject, std::string detail) {
  const auto& user = *caller_of(req).user;
  const auto now = services.management->now();
  return {user.email,
          now,
          {services.new_id(), now, "user " + user.email, std::move(action), std::move(subject),
           std::move(detail)}};
}

std::optional<domain::uuid> id_in_path(const request& req, std::size_t parameter) {
  return domain::parse_uuid(req.parameters.at(parameter));
}

const domain::platform& platform_in_path(const office_services& services, const request& req,
                                         std::size_t parameter) {
  const auto& platforms = services.configured.platforms;
  const auto platform = std::ranges::find(platforms, req.parameters.at(parameter), &domain::platform::name);
  if (platform == platforms.end()) throw not_found("There is no such platform");
  return *platform;
}

} // namespace roost::http
