#include "http/management/session_responses.hpp"

#include "domain/json.hpp"
#include "security/access_token.hpp"

#include <algorithm>

namespace roost::http {

namespace {

void write_user(domain::json_writer& json, const actors::known_user& user) {
  json.key("user");
  json.begin_object();
  json.field("id", domain::to_string(user.id));
  json.field("email", user.email);
  json.field("firstName", user.first_name);
  json.field("lastName", user.last_name);
  json.field("role", user.role);
  json.field("accountId", domain::to_string(user.account_id));
  json.field("ownerId", user.owner_id ? std::optional{domain::to_string(*user.owner_id)} : std::nullopt);
  json.field("hasProperties", user.owner_id ? std::optional{user.has_properties} : std::nullopt);
  json.end_object();
}

void write_account(domain::json_writer& json, const actors::known_user& user) {
  json.key("account");
  json.begin_object();
  json.field("id", domain::to_string(user.account_id));
  json.field("companyName", user.company_name);
  json.field("logoUrl", user.logo_url);
  json.end_object();
}

std::string access_token_for(const management_services& services, const live_session& session,
                             domain::timestamp now) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now);
  const auto until = std::min(issued + std::chrono::floor<std::chrono::seconds>(services.access_token),
                              std::chrono::floor<std::chrono::seconds>(session.expires_at));
  return security::issue_access_token(
      *services.keys->get(), {services.base_url, services.base_url, session.user_id, session.session_id,
                              session.epoch, issued, std::max(until, issued + std::chrono::seconds{1})});
}

} // namespace

response session_response(const management_services& services, unsigned status, const live_session& session) {
  const auto users = require_users(services);
  const auto* user = users->find(session.user_id);
  if (user == nullptr || user->deactivated) throw unauthorized("Session is no longer valid");
  const domain::timestamp now = services.now();
  domain::json_writer json;
  json.begin_object();
  json.field("token", access_token_for(services, session, now));
  write_user(json, *user);
  write_account(json, *user);
  json.end_object();
  auto answer = http::json(status, std::string{json.text()});
  answer.fields.emplace_back("Cache-Control", "no-store");
  const auto left = std::chrono::floor<std::chrono::seconds>(session.expires_at - now);
  session_cookies(services.base_url)
      .refresh.set(answer,
                   security::refresh_token_text(*services.keys->get(), security::refresh_kind::session,
                                                {session.session_id, session.generation}),
                   std::max(left, std::chrono::seconds{1}));
  return answer;
}

response me_response(const caller& who) {
  domain::json_writer json;
  json.begin_object();
  write_user(json, *who.user);
  write_account(json, *who.user);
  json.key("preferences");
  json.begin_object();
  json.field("language", "en");
  json.end_object();
  json.end_object();
  return http::json(200, std::string{json.text()});
}

std::optional<presented_token> refresh_token_of(const management_services& services, const request& req) {
  const auto text = session_cookies(services.base_url).refresh.in(req);
  if (!text) return std::nullopt;
  return presented_token{
      security::parse_refresh_token(*services.keys->get(), security::refresh_kind::session, *text)};
}

} // namespace roost::http
