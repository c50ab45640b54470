#include "http/management/management_api.hpp"
#include "http/management/session_responses.hpp"
#include "http/protocol/browser.hpp"

namespace roost::http {

namespace {

caller authenticated(const management_services& services, const request& req,
                     const bearer_messages& messages) {
  auto users = require_users(services);
  const auto claims =
      services.access_tokens->claims_of(bearer_token(req, messages), services.base_url, services.now());
  if (!claims) throw unauthorized(std::string(messages.invalid));
  const auto* user = users->find(claims->user_id);
  if (user == nullptr) throw unauthorized(std::string(messages.invalid));
  if (user->deactivated) throw forbidden("Forbidden resource");
  if (claims->epoch < user->epoch ||
      services.ended->has_ended(claims->session_id, claims->user_id, claims->epoch))
    throw unauthorized("Your session has ended.");
  return {claims->session_id, std::move(users), user};
}

} // namespace

std::shared_ptr<const actors::user_directory> require_users(const management_services& services) {
  return require_serving(*services.users, *services.lease);
}

entry_rule serving_checks(const management_services& services, std::string_view group, std::size_t limit,
                          std::string needs) {
  return {
      {[&services](request&) { require_users(services); }, rate_limit_check(*services.limiter, group, limit)},
      std::move(needs)};
}

entry_rule public_checks(const management_services& services, std::string_view group, std::size_t limit,
                         std::string needs) {
  auto entry = serving_checks(services, group, limit, std::move(needs));
  entry.checks.push_back(origin_check(services.base_url));
  return entry;
}

check token_check(const management_services& services, std::string_view permission,
                  const bearer_messages& messages) {
  return [&services, &messages, permission = std::string(permission)](request& req) {
    req.context = authenticated(services, req, messages);
    if (!permission.empty() && !has_permission(services.roles, caller_of(req).user->role, permission))
      throw forbidden("Forbidden resource");
  };
}

entry_rule management_checks(const management_services& services, std::string_view permission,
                             const bearer_messages& messages) {
  auto checks = public_checks(services, "management", services.limits.management).checks;
  checks.push_back(token_check(services, permission, messages));
  return {std::move(checks),
          permission.empty() ? "an access token" : "an access token with " + std::string(permission)};
}

asio::awaitable<std::optional<caller>> visitor_of(const management_services& services, const request& req) {
  const auto token = refresh_token_of(services, req);
  if (!token) co_return std::nullopt;
  store::session_refresh cookie{token->chain, token->generation, std::string(req.remote_address)};
  const auto session = co_await services.sessions->find(std::move(cookie), request_origin_of(req));
  if (!session) co_return std::nullopt;
  auto users = require_users(services);
  const auto* user = users->find(session->user_id);
  if (user == nullptr || user->deactivated) co_return std::nullopt;
  co_return caller{token->chain, std::move(users), user};
}

const caller& caller_of(const request& req) { return std::any_cast<const caller&>(req.context); }

} // namespace roost::http
