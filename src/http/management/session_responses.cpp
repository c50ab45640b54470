#include "http/management/session_responses.hpp"

#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/object.hpp"
#include "security/live_keys.hpp"

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
    member("role", &known_user::role, "A role from this server's configuration, such as Admin"),
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
                             member("logoUrl", &known_user::logo_url, "URL of the logo; null: none"));

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
            [](const started_session& session) -> const auto& { return session.user; }, user_and_account))
        .means("A session has started or continues; the response sets the refresh cookie");

constexpr auto preferences = json::object<known_user>(
    "", member("language", &known_user::language, "ISO 639-1; `PATCH /api/me` changes it"));

constexpr auto me_object =
    json::object<known_user>("Me", json::included(itself, user_and_account),
                             part("preferences", itself, preferences, "The user's preferences"));

/// A session that was started or refreshed.
struct live_session {
  domain::uuid user_id{}, session_id{};
  std::int64_t epoch = 0;
  std::int64_t generation = 1; ///< of the browser's new refresh token
  domain::timestamp expires_at{};
};

std::string access_token_for(const management_services& services, const live_session& session,
                             domain::timestamp now) {
  const auto issued = std::chrono::floor<std::chrono::seconds>(now);
  const auto until = std::min(issued + std::chrono::floor<std::chrono::seconds>(services.access_token),
                              std::chrono::floor<std::chrono::seconds>(session.expires_at));
  return security::issue_access_token(
      *services.keys->get(), {services.base_url, services.base_url, session.user_id, session.session_id,
                              session.epoch, issued, std::max(until, issued + std::chrono::seconds{1})});
}

/// Returns the session body (Management API, Resources) with the refresh cookie. Throws unauthorized() if the
/// user has been removed or deactivated since.
response session_response(const management_services& services, unsigned status, const live_session& session) {
  const auto users = require_users(services);
  const auto* user = users->find(session.user_id);
  if (user == nullptr || user->deactivated) throw unauthorized("Session is no longer valid");
  const domain::timestamp now = services.now();
  auto result =
      http::json(status, json::text_of(session_object,
                                       started_session{access_token_for(services, session, now), *user}));
  result.fields.emplace_back("Cache-Control", "no-store");
  const auto left = std::chrono::floor<std::chrono::seconds>(session.expires_at - now);
  session_cookies(services.base_url)
      .refresh.set(result,
                   security::refresh_token_text(*services.keys->get(), security::refresh_kind::session,
                                                {session.session_id, session.generation}),
                   std::max(left, std::chrono::seconds{1}));
  return result;
}

constexpr std::size_t max_browser_name_length = 300;
constexpr std::chrono::days known_browser_lifetime{400}; // browsers keep no cookie longer (RFC 6265bis, 5.5)

constexpr std::string_view too_many_sign_ins_code = "TOO_MANY_LOGIN_ATTEMPTS";
constexpr const char* code_not_valid = "That code is not valid. Request a new one and try again.";
constexpr const char* sign_in_expired =
    "That sign-in attempt has expired. Go back and enter your password again.";

constexpr auto challenge_object = json::object<actors::challenge_opened>(
    "SignInChallenge",
    member(
        "otpRequired", [](const actors::challenge_opened&) { return true; },
        "Always true: the emailed code is the next step", json::constant{"true"}),
    member("challengeToken", &actors::challenge_opened::challenge_token, "Send it with the code"),
    member("expiresAt", &actors::challenge_opened::expires_at, "When the code expires, in UTC"),
    member(
        "maskedEmail",
        [](const actors::challenge_opened& challenge) { return domain::masked_email(challenge.email); },
        "Where the code was sent, mostly hidden", json::examples{R"(["a***@casaverde.example"])"}));

constexpr auto message_object = json::object<std::string_view>(
    "Message", member(
                   "message", [](std::string_view text) { return text; }, "The result, for people"));

constexpr auto code_sent_object = json::object<domain::timestamp>(
    "CodeSent",
    member(
        "message", [](domain::timestamp) { return std::string_view{"A new code is on its way."}; },
        "The result, for people"),
    member(
        "expiresAt", [](domain::timestamp expires_at) { return expires_at; },
        "When the new code expires, in UTC"));

/// Describes the body that to_response(error) writes.
constexpr auto sign_in_error_object = json::object<error>(
    "SignInError", member("statusCode", &error::status, "The HTTP status"),
    member("message", &error::message, "What is wrong, for people; it may change"),
    member("error", &error::name, "The kind of error, such as UnauthorizedException"),
    member(
        "reason", [](const error&) { return std::string_view{}; },
        "Why a code is not accepted. After any but invalid_code, sign-in starts again at the login",
        json::one_of{store::challenge_failure_names}, json::optional),
    member(
        "retryAfterSeconds", [](const error&) { return std::int64_t{}; },
        "Seconds to wait; after too many wrong passwords only", json::optional),
    member(
        "errorCode", [](const error&) { return too_many_sign_ins_code; },
        "After too many wrong passwords only", json::constant{R"("TOO_MANY_LOGIN_ATTEMPTS")"},
        json::optional));

error too_many_attempts(std::string message, std::chrono::milliseconds retry_after) {
  error refusal{429, std::move(message), "ThrottlerException"};
  refusal.retry_after = whole_seconds(retry_after);
  return refusal;
}

error to_error(const actors::too_many_passwords& limit) {
  auto refusal = too_many_attempts(
      "Too many sign-in attempts for this account. Wait a few minutes and try again.", limit.retry_after);
  refusal.with("retryAfterSeconds", std::int64_t{whole_seconds(limit.retry_after).count()});
  refusal.with("errorCode", std::string{too_many_sign_ins_code});
  return refusal;
}

error to_error(const actors::too_many_codes& limit) {
  return too_many_attempts("Too many login codes requested. Please wait before trying again.",
                           limit.retry_after);
}

error to_error(actors::sign_in_refusal reason) {
  switch (reason) {
  case actors::sign_in_refusal::invalid_credentials:
    return unauthorized("Invalid credentials");
  case actors::sign_in_refusal::deactivated:
    return unauthorized("Account deactivated");
  case actors::sign_in_refusal::no_longer_valid:
    return unauthorized("Session is no longer valid");
  }
  return internal();
}

error to_error(store::challenge_failure reason, const char* message = code_not_valid) {
  return unauthorized(message).with("reason", std::string(domain::to_string(reason)));
}

response started_response(const management_services& services, unsigned status,
                          const actors::signed_in& signed_in) {
  const auto& session = signed_in.session;
  auto result = session_response(services, status,
                                 {session.user_id, session.session_id, session.epoch, 1, session.expires_at});
  const session_cookies cookies(services.base_url);
  if (!signed_in.remember_token.empty())
    cookies.remembered.set(result, signed_in.remember_token,
                           std::chrono::floor<std::chrono::seconds>(services.remembered_browser));
  if (!signed_in.browser_token.empty())
    cookies.known.set(result, signed_in.browser_token, known_browser_lifetime);
  return result;
}

/// Returns whether a text has the form of security::random_secret().
bool is_secret(std::string_view text) {
  constexpr std::size_t length = 43;
  constexpr std::string_view symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.size() == length && text.find_first_not_of(symbols) == std::string_view::npos;
}

} // namespace

response me_response(const caller& caller) { return http::json(200, json::text_of(me_object, *caller.user)); }

std::optional<security::refresh_token> refresh_token_of(const management_services& services,
                                                        const request& req) {
  const auto text = session_cookies(services.base_url).refresh.in(req);
  if (!text) return std::nullopt;
  return security::parse_refresh_token(*services.keys->get(), security::refresh_kind::session, *text);
}

std::chrono::seconds whole_seconds(std::chrono::milliseconds wait) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
}

actors::browser_facts browser_of(const management_services& services, const request& req) {
  const auto name = req.header("user-agent").substr(0, max_browser_name_length);
  const auto token = session_cookies(services.base_url).known.in(req);
  return {to_utf8(name), request_origin_of(req),
          token && is_secret(*token) ? std::string(*token) : security::random_secret()};
}

response message_response(std::string_view text) {
  return http::json(200, json::text_of(message_object, text));
}

response sign_in_response(const management_services& services, unsigned status,
                          const actors::sign_in_response& outcome) {
  if (const auto* started = std::get_if<actors::signed_in>(&outcome.result))
    return started_response(services, status, *started);
  if (const auto* opened = std::get_if<actors::challenge_opened>(&outcome.result))
    return http::json(201, json::text_of(challenge_object, *opened));
  throw std::visit(
      [](const auto& refusal) {
        if constexpr (requires { to_error(refusal); })
          return to_error(refusal);
        else
          return internal();
      },
      outcome.result);
}

response resend_response(const actors::sign_in_response& outcome) {
  if (const auto* reason = std::get_if<store::challenge_failure>(&outcome.result))
    throw to_error(*reason, sign_in_expired);
  if (const auto* limit = std::get_if<actors::too_many_codes>(&outcome.result)) throw to_error(*limit);
  const auto* sent = std::get_if<actors::challenge_opened>(&outcome.result);
  if (sent == nullptr) throw internal();
  return http::json(200, json::text_of(code_sent_object, sent->expires_at));
}

response refresh_response(const management_services& services, const domain::uuid& session,
                          const store::refresh_outcome& outcome) {
  using enum store::refresh_result;
  switch (outcome.result) {
  case rotated:
  case repeated:
    return session_response(
        services, 201, {outcome.user_id, session, outcome.epoch, outcome.generation, outcome.expires_at});
  case ended:
    throw unauthorized("Your session has ended.");
  case reused:
    throw unauthorized("Refresh token reuse detected");
  case user_gone:
    throw unauthorized("Session is no longer valid");
  case unknown:
    break;
  }
  throw unauthorized("Invalid or expired refresh token");
}

response password_response(const management_services& services, const actors::password_response& outcome) {
  if (const auto* limit = std::get_if<actors::too_many_passwords>(&outcome.result)) throw to_error(*limit);
  switch (std::get<actors::password_result>(outcome.result)) {
  case actors::password_result::wrong_password:
    throw unauthorized("Invalid credentials");
  case actors::password_result::link_not_valid:
    throw unauthorized("That link is not valid any more. Ask for a new one.");
  case actors::password_result::changed:
    break;
  }
  auto result = message_response("Your password was changed. Sign in again.");
  const session_cookies cookies(services.base_url);
  cookies.refresh.clear(result);
  cookies.remembered.clear(result);
  return result;
}

void add_session_schemas(json::schemas& to) {
  to.add(user_object);
  to.add(account_object);
  to.add(session_object);
  to.add(me_object);
  to.add(challenge_object);
  to.add("LoginAnswer", json::schema{.schema_facts = {},
                                     .alternatives = {json::reference_or_schema_of(challenge_object),
                                                      json::reference_or_schema_of(session_object)}});
  to.add(message_object);
  to.add(code_sent_object);
  to.add(sign_in_error_object);
}

} // namespace roost::http
