#include "http/management/session_responses.hpp"

#include "domain/email_address.hpp"
#include "domain/json.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"
#include "security/session_tokens.hpp"

#include <algorithm>
#include <chrono>

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

namespace {

constexpr std::size_t longest_browser_name = 300;

constexpr const char* code_not_valid = "That code is not valid. Request a new one and try again.";
constexpr const char* sign_in_over =
    "That sign-in attempt has expired. Go back and enter your password again.";

template <typename... Cases>
struct either : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
either(Cases...) -> either<Cases...>;

std::chrono::seconds whole_seconds(std::chrono::milliseconds wait) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
}

error too_many_tries(std::string message, std::chrono::milliseconds retry_after) {
  error refusal{429, std::move(message), "ThrottlerException"};
  refusal.retry_after = whole_seconds(retry_after);
  return refusal;
}

error too_many_sign_ins(const actors::too_many_passwords& over) {
  auto refusal = too_many_tries(
      "Too many sign-in attempts for this account. Wait a few minutes and try again.", over.retry_after);
  refusal.with("retryAfterSeconds", static_cast<std::int64_t>(whole_seconds(over.retry_after).count()));
  refusal.with("errorCode", "TOO_MANY_LOGIN_ATTEMPTS");
  return refusal;
}

error too_many_sent(const actors::too_many_codes& over) {
  return too_many_tries("Too many login codes requested. Please wait before trying again.", over.retry_after);
}

error refused_for(actors::sign_in_refusal why) {
  switch (why) {
  case actors::sign_in_refusal::invalid_credentials:
    return unauthorized("Invalid credentials");
  case actors::sign_in_refusal::deactivated:
    return unauthorized("Account deactivated");
  case actors::sign_in_refusal::no_longer_valid:
    return unauthorized("Session is no longer valid");
  }
  return internal();
}

error with_reason(const char* message, store::challenge_failure why) {
  auto refusal = unauthorized(message);
  refusal.with("reason", std::string(store::to_string(why)));
  return refusal;
}

response challenge_response(const actors::challenge_opened& opened) {
  domain::json_writer json;
  json.begin_object();
  json.field("otpRequired", true);
  json.field("challengeToken", opened.challenge_token);
  json.field("expiresAt", opened.expires_at);
  json.field("maskedEmail", domain::masked_email(opened.email));
  json.end_object();
  return http::json(201, std::string{json.text()});
}

response started_response(const management_services& services, unsigned status,
                          const actors::signed_in& signed_in) {
  const auto& began = signed_in.session;
  auto answer =
      session_response(services, status, {began.user_id, began.session_id, began.epoch, 1, began.expires_at});
  if (!signed_in.remember_token.empty())
    session_cookies(services.base_url)
        .remembered.set(answer, signed_in.remember_token,
                        std::chrono::floor<std::chrono::seconds>(services.remembered_browser));
  return answer;
}

} // namespace

actors::browser_facts browser_of(const request& req) {
  const auto name = req.header("user-agent").substr(0, longest_browser_name);
  return {to_utf8(name), std::string(req.remote_address)};
}

response message_response(std::string_view text) {
  domain::json_writer json;
  json.begin_object();
  json.field("message", text);
  json.end_object();
  return http::json(200, std::string{json.text()});
}

response sign_in_response(const management_services& services, unsigned status,
                          const actors::sign_in_response& answer) {
  return std::visit(
      either{[&](const actors::signed_in& done) { return started_response(services, status, done); },
             [](const actors::challenge_opened& opened) { return challenge_response(opened); },
             [](actors::sign_in_refusal why) -> response { throw refused_for(why); },
             [](store::challenge_failure why) -> response { throw with_reason(code_not_valid, why); },
             [](const actors::too_many_passwords& over) -> response { throw too_many_sign_ins(over); },
             [](const actors::too_many_codes& over) -> response { throw too_many_sent(over); }},
      answer.result);
}

response resend_response(const actors::sign_in_response& answer) {
  if (const auto* why = std::get_if<store::challenge_failure>(&answer.result))
    throw with_reason(sign_in_over, *why);
  if (const auto* over = std::get_if<actors::too_many_codes>(&answer.result)) throw too_many_sent(*over);
  const auto* sent = std::get_if<actors::challenge_opened>(&answer.result);
  if (sent == nullptr) throw internal();
  domain::json_writer json;
  json.begin_object();
  json.field("message", "A new code is on its way.");
  json.field("expiresAt", sent->expires_at);
  json.end_object();
  return http::json(200, std::string{json.text()});
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

response password_response(const management_services& services, const actors::password_response& answer) {
  if (const auto* over = std::get_if<actors::too_many_passwords>(&answer.result))
    throw too_many_sign_ins(*over);
  switch (std::get<actors::password_result>(answer.result)) {
  case actors::password_result::wrong_password:
    throw unauthorized("Invalid credentials");
  case actors::password_result::link_not_valid:
    throw unauthorized("That link is not valid any more. Ask for a new one.");
  case actors::password_result::changed:
    break;
  }
  auto done = message_response("Your password was changed. Sign in again.");
  const session_cookies cookies(services.base_url);
  cookies.refresh.clear(done);
  cookies.remembered.clear(done);
  return done;
}

} // namespace roost::http
