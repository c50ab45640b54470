#include "actors/runtime/ask.hpp"
#include "domain/email_address.hpp"
#include "domain/entered_text.hpp"
#include "http/pages/pages_api.hpp"
#include "security/live_keys.hpp"

#include <algorithm>
#include <map>

namespace roost::http {

namespace {

/// How long the button for another code is disabled, if scripts run.
constexpr std::chrono::seconds pause_between_codes{30};

/// The error that the page of a sign-in step shows.
struct step_refusal {
  unsigned status;
  std::string text;
  std::optional<std::chrono::seconds> retry_after = {};
};

struct sign_in_api : pages_api {
  explicit sign_in_api(const management_services& all) : pages_api(all), challenge(all.base_url) {}
  challenge_cookie challenge;
};

std::string in_minutes(std::chrono::milliseconds wait) {
  return domain::written_out(
      std::chrono::seconds{std::max(std::chrono::ceil<std::chrono::minutes>(wait), std::chrono::minutes{1})});
}

step_refusal step_refusal_of(const actors::too_many_passwords& limit) {
  return {429,
          "There were too many sign-in attempts for this address. Please try again in " +
              in_minutes(limit.retry_after) + '.',
          whole_seconds(limit.retry_after)};
}

step_refusal step_refusal_of(const actors::too_many_codes& limit) {
  return {429, "Too many codes were sent to you. Please try again in " + in_minutes(limit.retry_after) + '.',
          whole_seconds(limit.retry_after)};
}

step_refusal step_refusal_of(actors::sign_in_refusal reason) {
  if (reason == actors::sign_in_refusal::invalid_credentials)
    return {401, "The email address or the password is incorrect. Please try again."};
  return {401, "Your user was deactivated. Please ask your account's administrator."};
}

/// After any failure except invalid_code, the sign-in must start again.
step_refusal step_refusal_of(store::challenge_failure failure) {
  using enum store::challenge_failure;
  static const std::map<store::challenge_failure, const char*> texts{
      {invalid_code, "That is not the code that we sent last. Please try again."},
      {too_many_attempts, "There were too many wrong codes. Please sign in again."},
      {too_many_resends, "No further code can be sent for this sign-in. Please sign in again."},
      {expired, "The code has expired. Please sign in again."}};
  const auto text = texts.find(failure);
  if (text != texts.end()) return {401, text->second};
  return {401, "This sign-in has ended, or another one replaced it. Please sign in again."};
}

/// Shows the page of a step, with the error of a refusal, otherwise with the notice that the URL names.
response show_step(const sign_in_api& api, const request& req, page_template name, page_frame frame,
                   page_data values, const std::optional<step_refusal>& refused) {
  if (refused)
    frame.error = refused->text;
  else
    frame.notice = notice_of(req);
  auto result = api.show(req, refused ? refused->status : 200, name, std::move(frame), std::move(values));
  if (refused && refused->retry_after)
    result.fields.emplace_back("Retry-After", std::to_string(refused->retry_after->count()));
  return result;
}

/// Shows the page for the password.
response sign_in_page(const sign_in_api& api, const request& req, const std::string& email,
                      const std::optional<step_refusal>& refused) {
  auto values = page_row({{"email", email}, {"at_email", email.empty()}, {"at_password", !email.empty()}});
  return show_step(api, req, page_template::sign_in, {.title = "Sign in"}, std::move(values), refused);
}

/// Makes the sign-in start again, and deletes it from the browser.
response started_over(const sign_in_api& api, const request& req, const step_refusal& refused) {
  auto result = sign_in_page(api, req, "", refused);
  api.challenge.clear(result);
  return result;
}

response code_page(const sign_in_api& api, const request& req, const open_challenge& open,
                   const std::optional<step_refusal>& refused, bool remember = false) {
  const auto now = api.services.now();
  const auto left = std::max(open.expires_at - now, std::chrono::milliseconds::zero());
  const auto wait =
      std::clamp(std::chrono::ceil<std::chrono::seconds>(open.sent_at + pause_between_codes - now),
                 std::chrono::seconds::zero(), pause_between_codes);
  const auto days = std::chrono::floor<std::chrono::days>(api.services.remembered_browser).count();
  auto values = page_row({{"email", open.email},
                          {"lifetime", in_minutes(left)},
                          {"wait", std::to_string(wait.count())},
                          {"remember", remember},
                          {"remembered_for", days > 0 ? domain::counted(days, "day", "days")
                                                      : in_minutes(api.services.remembered_browser)}});
  return show_step(api, req, page_template::code, {.title = "Enter the code", .counts_down = true},
                   std::move(values), refused);
}

/// Redirects to the account, or to the stored return path, with the cookies that the API's route would set.
response signed_in_response(const sign_in_api& api, const request& req,
                            const actors::sign_in_response& done) {
  auto cookies = sign_in_response(api.services, 200, done).fields;
  auto result = api.to(api.back.in(req).value_or("/account"));
  std::ranges::move(cookies, std::back_inserter(result.fields));
  api.challenge.clear(result);
  api.back.forget(result);
  api.guard.forget(result);
  return result;
}

asio::awaitable<response> show_sign_in(const sign_in_api& api, request& req) {
  const auto query = read_form(req.query);
  const auto& to = field_of(query, "to");
  const auto visitor = co_await api.visitor_of(req);
  if (visitor) co_return api.to(return_path::is_allowed(to) ? to : "/account");
  auto result = sign_in_page(api, req, "", std::nullopt);
  api.back.remember(result, to);
  co_return result;
}

response after_password(const sign_in_api& api, const request& req, const std::string& email,
                        const actors::sign_in_response& done) {
  if (std::holds_alternative<actors::signed_in>(done.result)) return signed_in_response(api, req, done);
  if (const auto* opened = std::get_if<actors::challenge_opened>(&done.result)) {
    auto result = api.to("/sign-in/code");
    api.challenge.set(result, {opened->challenge_token, domain::masked_email(opened->email),
                               opened->expires_at, api.services.now()});
    return result;
  }
  const auto refused = std::visit(
      [](const auto& result) -> step_refusal {
        if constexpr (requires { step_refusal_of(result); })
          return step_refusal_of(result);
        else
          throw internal();
      },
      done.result);
  return sign_in_page(api, req, email, refused);
}

std::string email_of(const form_fields& form) {
  return domain::composed(domain::without_outer_blanks(field_of(form, "email")));
}

asio::awaitable<response> submit_password(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto email = email_of(form);
  const auto remembered = api.cookies.remembered.in(req);
  actors::password_login message{email, field_of(form, "password"), std::string(remembered.value_or("")),
                                 browser_of(api.services, req)};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(message));
  co_return after_password(api, req, email, done);
}

asio::awaitable<response> show_code(const sign_in_api& api, request& req) {
  const auto visitor = co_await api.visitor_of(req);
  if (visitor) co_return api.to("/account");
  const auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  co_return code_page(api, req, *open, std::nullopt);
}

asio::awaitable<response> submit_code(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  const bool remember = !field_of(form, "remember").empty();
  auto code = domain::digits_of(field_of(form, "code"));
  const auto done = co_await api.services.sign_ins->enter_code(open->token, std::move(code), remember,
                                                               browser_of(api.services, req));
  if (std::holds_alternative<actors::signed_in>(done.result)) co_return signed_in_response(api, req, done);
  if (const auto* reason = std::get_if<actors::sign_in_refusal>(&done.result))
    co_return started_over(api, req, step_refusal_of(*reason));
  const auto failure = std::get<store::challenge_failure>(done.result);
  if (failure == store::challenge_failure::invalid_code)
    co_return code_page(api, req, *open, step_refusal_of(failure), remember);
  co_return started_over(api, req, step_refusal_of(failure));
}

asio::awaitable<response> send_another_code(const sign_in_api& api, request& req) {
  api.form_of(req);
  auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  const auto done = co_await api.services.sign_ins->resend_code(open->token, request_origin_of(req));
  if (const auto* failure = std::get_if<store::challenge_failure>(&done.result))
    co_return started_over(api, req, step_refusal_of(*failure));
  if (const auto* limit = std::get_if<actors::too_many_codes>(&done.result))
    co_return code_page(api, req, *open, step_refusal_of(*limit));
  open->expires_at = std::get<actors::challenge_opened>(done.result).expires_at;
  open->sent_at = api.services.now();
  auto result = api.to("/sign-in/code?notice=code-sent");
  api.challenge.set(result, *open);
  co_return result;
}

constexpr const char* invalid_link =
    "This link is no longer valid. It works once, and only for a short time.";

response forgotten_page(const pages_api& api, const request& req, const std::string& email,
                        const std::string& error) {
  return api.show(req, error.empty() ? 200 : 400, page_template::forgot_password,
                  {.title = "Forgotten your password?", .error = error}, page_row({{"email", email}}));
}

response show_forgotten(const sign_in_api& api, request& req) { return forgotten_page(api, req, "", ""); }

/// Responds in the same way and without delay to every address, so that it reveals no users.
asio::awaitable<response> submit_address(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto email = email_of(form);
  if (!domain::is_email_address(email))
    co_return forgotten_page(api, req, email, "That is not an email address.");
  co_await api.services.password_resets->send_link(email, request_origin_of(req));
  co_return api.to_sign_in("reset-sent");
}

/// Lists the user's assistants, whose connections end with the reset unless the user unchecks that: after a
/// forgotten password, they are more often an intruder's than after a changed one. Without assistants, the
/// page requests the same, for those that are connected while it is open.
page_data reset_values(const std::string& token, const std::vector<store::connection>& connections) {
  page_data values;
  if (!token.empty()) values.set("token", token);
  values.set("has_connections", !connections.empty());
  values.set(
      "connections", page_rows(connections, [](const auto& connection) {
        auto row = page_row({{"client", connection.client_name.value_or(std::string(unnamed_assistant))}});
        row.set("approved", domain::written_out(connection.created_at));
        return row;
      }));
  return values;
}

asio::awaitable<response> reset_page(const pages_api& api, const request& req, std::string token,
                                     unsigned status, std::string error) {
  std::vector<store::connection> connections;
  if (!token.empty())
    connections = co_await api.services.sessions->connections_of_reset(security::key_hash(token));
  co_return api.show(req, status, page_template::reset_password,
                     {.title = "Set a new password", .error = std::move(error)},
                     reset_values(token, connections));
}

/// Does not consume the token, because programs that check mail open its links as well.
asio::awaitable<response> show_reset(const sign_in_api& api, request& req) {
  const auto query = read_form(req.query);
  const auto& token = field_of(query, "token");
  co_return co_await reset_page(api, req, token, token.empty() ? 400 : 200,
                                token.empty() ? invalid_link : "");
}

asio::awaitable<response> submit_new_password(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto token = field_of(form, "token"), password = field_of(form, "password");
  if (const auto reason = refusal_of_password(password); !reason.empty())
    co_return co_await reset_page(api, req, token, 400, reason);
  actors::password_reset reset{token, password, request_origin_of(req),
                               !field_of(form, end_connections_field).empty()};
  const auto done = co_await api.services.password_resets->reset(std::move(reset));
  const auto* result = std::get_if<actors::password_result>(&done.result);
  if (result == nullptr || *result != actors::password_result::changed)
    co_return co_await reset_page(api, req, "", 400, invalid_link);
  co_return after_new_password(api);
}

} // namespace

std::vector<route> sign_in_pages(const management_services& services) {
  const sign_in_api api{services};
  const auto& limits = services.limits;
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/sign-in", none, page_checks(services), with(api, show_sign_in)},
      {"POST", "/sign-in", form, public_checks(services, "login", limits.login), with(api, submit_password)},
      {"GET", "/sign-in/code", none, page_checks(services), with(api, show_code)},
      {"POST", "/sign-in/code", form, public_checks(services, "verify_otp", limits.verify_otp),
       with(api, submit_code)},
      {"POST", "/sign-in/resend", form, public_checks(services, "resend_otp", limits.resend_otp),
       with(api, send_another_code)},
      {"GET", "/forgot-password", none, page_checks(services), with(api, show_forgotten)},
      {"POST", "/forgot-password", form, public_checks(services, "forgot_password", limits.login),
       with(api, submit_address)},
      {"GET", "/reset-password", none, page_checks(services), with(api, show_reset)},
      {"POST", "/reset-password", form, public_checks(services, "reset_password", limits.login),
       with(api, submit_new_password)},
  };
  respond_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
