#include "actors/runtime/ask.hpp"
#include "domain/date.hpp"
#include "domain/text.hpp"
#include "http/management/management_access.hpp"
#include "http/management/session_responses.hpp"
#include "http/pages/challenge_cookie.hpp"
#include "http/pages/pages.hpp"

#include <algorithm>

namespace roost::http {

namespace {

/// How long the button for another code is off, where scripts run.
constexpr std::chrono::seconds pause_between_codes{30};

/// What a step says on the page of which it came.
struct step_refusal {
  unsigned status;
  std::string text;
  std::optional<std::chrono::seconds> retry_after = {};
};

struct sign_in_api : pages_api {
  explicit sign_in_api(const management_services& of) : pages_api(of), challenge(of.base_url) {}
  challenge_cookie challenge;
};

std::chrono::seconds whole_wait(std::chrono::milliseconds wait) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(wait), std::chrono::seconds{1});
}

std::string in_minutes(std::chrono::milliseconds wait) {
  return domain::written_out(
      std::chrono::seconds{std::max(std::chrono::ceil<std::chrono::minutes>(wait), std::chrono::minutes{1})});
}

step_refusal refused_because(const actors::too_many_passwords& over) {
  return {429,
          "There were too many sign-in attempts for this address. Please try again in " +
              in_minutes(over.retry_after) + '.',
          whole_wait(over.retry_after)};
}

step_refusal refused_because(const actors::too_many_codes& over) {
  return {429, "Too many codes were sent to you. Please try again in " + in_minutes(over.retry_after) + '.',
          whole_wait(over.retry_after)};
}

step_refusal refused_because(actors::sign_in_refusal why) {
  if (why == actors::sign_in_refusal::invalid_credentials)
    return {401, "The email address and the password do not belong together. Please try again."};
  return {401, "Your user was deactivated. Please ask whoever manages your account."};
}

/// A challenge that goes on only where the code was wrong.
step_refusal refused_because(store::challenge_failure why) {
  using enum store::challenge_failure;
  switch (why) {
  case invalid_code:
    return {401, "That is not the code that we sent last. Please try again."};
  case too_many_attempts:
    return {401, "There were too many wrong codes. Please sign in again."};
  case too_many_resends:
    return {401, "No further code can be sent for this sign-in. Please sign in again."};
  case expired:
    return {401, "The code has expired. Please sign in again."};
  case consumed:
  case not_found:
    break;
  }
  return {401, "This sign-in is over, or another one took its place. Please sign in again."};
}

response with_wait(response answer, const step_refusal& refused) {
  if (refused.retry_after)
    answer.fields.emplace_back("Retry-After", std::to_string(refused.retry_after->count()));
  return answer;
}

/// The page for the password, after a refusal or before anything.
response sign_in_page(const sign_in_api& api, const request& req, const std::string& email,
                      const std::optional<step_refusal>& refused) {
  page_frame frame;
  frame.title = "Sign in";
  if (refused)
    frame.error = refused->text;
  else
    frame.notice = notice_of(req);
  page_data values;
  values.set("email", email);
  values.set("at_email", email.empty());
  values.set("at_password", !email.empty());
  auto answer = api.show(req, refused ? refused->status : 200, page_template::sign_in, std::move(frame),
                         std::move(values));
  return refused ? with_wait(std::move(answer), *refused) : std::move(answer);
}

/// The sign-in has to start again: nothing of it is left in the browser.
response started_over(const sign_in_api& api, const request& req, const step_refusal& refused) {
  auto answer = sign_in_page(api, req, "", refused);
  api.challenge.clear(answer);
  return answer;
}

response code_page(const sign_in_api& api, const request& req, const open_challenge& open,
                   const std::optional<step_refusal>& refused, bool remember = false) {
  const auto now = api.services.now();
  page_frame frame;
  frame.title = "Enter the code";
  frame.counts_down = true;
  if (refused)
    frame.error = refused->text;
  else
    frame.notice = notice_of(req);
  const auto left = std::max(open.expires_at - now, std::chrono::milliseconds::zero());
  const auto wait =
      std::clamp(std::chrono::ceil<std::chrono::seconds>(open.sent_at + pause_between_codes - now),
                 std::chrono::seconds::zero(), pause_between_codes);
  const auto days = std::chrono::floor<std::chrono::days>(api.services.remembered_browser).count();
  page_data values;
  values.set("email", open.email);
  values.set("lifetime", in_minutes(left));
  values.set("wait", std::to_string(wait.count()));
  values.set("remember", remember);
  values.set("remembered_for",
             days > 0 ? domain::counted(days, "day", "days") : in_minutes(api.services.remembered_browser));
  auto answer = api.show(req, refused ? refused->status : 200, page_template::code, std::move(frame),
                         std::move(values));
  return refused ? with_wait(std::move(answer), *refused) : std::move(answer);
}

/// To the account, or to where the user came from, with the cookies that the route for programs would set.
response signed_in_response(const sign_in_api& api, const request& req,
                            const actors::sign_in_response& done) {
  auto cookies = sign_in_response(api.services, 200, done).fields;
  auto answer = api.to(api.back.in(req).value_or("/account"));
  std::ranges::move(cookies, std::back_inserter(answer.fields));
  api.challenge.clear(answer);
  api.back.forget(answer);
  api.guard.forget(answer);
  return answer;
}

asio::awaitable<response> show_sign_in(const sign_in_api& api, request& req) {
  const auto asked = read_form(req.query);
  const auto& to = field_of(asked, "to");
  const auto visitor = co_await api.visitor_of(req);
  if (visitor) co_return api.to(return_path::is_good(to) ? to : "/account");
  auto answer = sign_in_page(api, req, "", std::nullopt);
  api.back.remember(answer, to);
  co_return answer;
}

response after_password(const sign_in_api& api, const request& req, const std::string& email,
                        const actors::sign_in_response& done) {
  if (std::holds_alternative<actors::signed_in>(done.result)) return signed_in_response(api, req, done);
  if (const auto* opened = std::get_if<actors::challenge_opened>(&done.result)) {
    auto answer = api.to("/sign-in/code");
    api.challenge.set(answer, {opened->challenge_token, domain::masked_email(opened->email),
                               opened->expires_at, api.services.now()});
    return answer;
  }
  const auto refused = std::visit(
      [](const auto& why) -> step_refusal {
        if constexpr (requires { refused_because(why); })
          return refused_because(why);
        else
          throw internal();
      },
      done.result);
  return sign_in_page(api, req, email, refused);
}

asio::awaitable<response> take_password(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto email = field_of(form, "email");
  const auto remembered = api.cookies.remembered.in(req);
  actors::password_login wanted{email, field_of(form, "password"), std::string(remembered.value_or("")),
                                browser_of(req)};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return after_password(api, req, email, done);
}

asio::awaitable<response> show_code(const sign_in_api& api, request& req) {
  const auto visitor = co_await api.visitor_of(req);
  if (visitor) co_return api.to("/account");
  const auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  co_return code_page(api, req, *open, std::nullopt);
}

asio::awaitable<response> take_code(const sign_in_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  const bool remember = !field_of(form, "remember").empty();
  actors::code_login wanted{open->token, field_of(form, "code"), remember, browser_of(req)};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(wanted));
  if (std::holds_alternative<actors::signed_in>(done.result)) co_return signed_in_response(api, req, done);
  if (const auto* why = std::get_if<actors::sign_in_refusal>(&done.result))
    co_return started_over(api, req, refused_because(*why));
  const auto why = std::get<store::challenge_failure>(done.result);
  if (why == store::challenge_failure::invalid_code)
    co_return code_page(api, req, *open, refused_because(why), remember);
  co_return started_over(api, req, refused_because(why));
}

asio::awaitable<response> send_another_code(const sign_in_api& api, request& req) {
  api.form_of(req);
  auto open = api.challenge.in(req);
  if (!open) co_return api.to_sign_in("start-again");
  actors::resend_sign_in_code wanted{open->token};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(wanted));
  if (const auto* why = std::get_if<store::challenge_failure>(&done.result))
    co_return started_over(api, req, refused_because(*why));
  if (const auto* over = std::get_if<actors::too_many_codes>(&done.result))
    co_return code_page(api, req, *open, refused_because(*over));
  open->expires_at = std::get<actors::challenge_opened>(done.result).expires_at;
  open->sent_at = api.services.now();
  auto answer = api.to("/sign-in/code?notice=code-sent");
  api.challenge.set(answer, *open);
  co_return answer;
}

} // namespace

std::vector<route> sign_in_pages(const management_services& services) {
  const sign_in_api api{services};
  const auto& most = services.limits;
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/sign-in", none, page_checks(services), with(api, show_sign_in)},
      {"POST", "/sign-in", form, public_checks(services, "login", most.login), with(api, take_password)},
      {"GET", "/sign-in/code", none, page_checks(services), with(api, show_code)},
      {"POST", "/sign-in/code", form, public_checks(services, "verify_otp", most.verify_otp),
       with(api, take_code)},
      {"POST", "/sign-in/resend", form, public_checks(services, "resend_otp", most.resend_otp),
       with(api, send_another_code)},
  };
  answer_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
