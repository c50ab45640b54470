#include "http/management/session_responses.hpp"

#include "json/object.hpp"
#include "security/access_token.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using actors::known_user;
using json::member, json::part;

constexpr auto user_object = json::object<known_user>(
    "SessionUser", member("id", &known_user::id, "The user's UUID"),
    member("email", &known_user::email, "The address that the user signs in with"),
    member("firstName", &known_user::first_name, "Given name; may be empty"),
    member("lastName", &known_user::last_name, "Family name; may be empty"),
    member("role", &known_user::role, "A role of this server's configuration, such as Admin"),
    member("accountId", &known_user::account_id, "UUID of the landlord's account that the user sees"),
    member("ownerId", &known_user::owner_id,
           "UUID of the owner whose properties are the user's; null for users who are not owners"),
    member(
        "hasProperties",
        [](const known_user& user) {
          return user.owner_id ? std::optional{user.has_properties} : std::nullopt;
        },
        "Whether the owner has properties; null for users who are not owners"));

constexpr auto account_object =
    json::object<known_user>("SessionAccount", member("id", &known_user::account_id, "The account's UUID"),
                             member("companyName", &known_user::company_name, "The landlord's name"),
                             member("logoUrl", &known_user::logo_url, "URL of a picture; null: none"));

constexpr auto itself = [](const known_user& user) -> const auto& { return user; };

constexpr auto user_and_account =
    json::object<known_user>("", part("user", itself, user_object, "Who is signed in"),
                             part("account", itself, account_object, "The account whose data the user sees"));

struct started_session {
  std::string token;
  const known_user& user;
};

constexpr auto session_object =
    json::object<started_session>(
        "Session",
        member("token", &started_session::token, "The access token, valid for 15 minutes; send it as Bearer"),
        json::included(
            [](const started_session& of) -> const auto& { return of.user; }, user_and_account))
        .means("A session has started or continues; the response sets the refresh cookie");

constexpr auto preferences = json::object<known_user>(
    "", member(
            "language", [](const known_user&) { return json::plain_text{"en"}; }, "ISO 639-1: always en"));

constexpr auto me_object =
    json::object<known_user>("Me", json::included(itself, user_and_account),
                             part("preferences", itself, preferences, "The user's preferences"));

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
  auto answer =
      http::json(status, json::text_of(session_object,
                                       started_session{access_token_for(services, session, now), *user}));
  answer.fields.emplace_back("Cache-Control", "no-store");
  const auto left = std::chrono::floor<std::chrono::seconds>(session.expires_at - now);
  session_cookies(services.base_url)
      .refresh.set(answer,
                   security::refresh_token_text(*services.keys->get(), security::refresh_kind::session,
                                                {session.session_id, session.generation}),
                   std::max(left, std::chrono::seconds{1}));
  return answer;
}

response me_response(const caller& who) { return http::json(200, json::text_of(me_object, *who.user)); }

void add_session_schemas(json::schemas& to) {
  to.add(user_object);
  to.add(account_object);
  to.add(session_object);
  to.add(me_object);
}

std::optional<presented_token> refresh_token_of(const management_services& services, const request& req) {
  const auto text = session_cookies(services.base_url).refresh.in(req);
  if (!text) return std::nullopt;
  return presented_token{
      security::parse_refresh_token(*services.keys->get(), security::refresh_kind::session, *text)};
}

} // namespace roost::http
