#include "http/management/auth_routes.hpp"

#include "actors/runtime/ask.hpp"
#include "domain/json.hpp"
#include "http/management/auth_bodies.hpp"
#include "http/management/session_answers.hpp"
#include "http/management/sign_in_answers.hpp"
#include "http/protocol/error.hpp"

namespace roost::http {

namespace {

/// What the handlers work with. It refers to the services, which outlive it.
struct management_api {
  const management_services& services;
};

asio::awaitable<response> log_in(const management_api& api, request& req) {
  auto body = parse_login(req.body);
  const auto remembered = session_cookies(api.services.base_url).remembered.in(req);
  actors::password_login wanted{std::move(body.email), std::move(body.password),
                                std::string(remembered.value_or("")), browser_of(req)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return sign_in_answer(api.services, 201, answer);
}

asio::awaitable<response> verify_otp(const management_api& api, request& req) {
  auto body = parse_verify_otp(req.body);
  actors::code_login wanted{std::move(body.challenge_token), std::move(body.otp), body.remember_device,
                            browser_of(req)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return sign_in_answer(api.services, 200, answer);
}

asio::awaitable<response> resend_otp(const management_api& api, request& req) {
  actors::code_again wanted{parse_resend_otp(req.body)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return resend_answer(answer);
}

/// Where nothing is configured no token is good (decision: 401, like any other token).
asio::awaitable<response> log_in_by_identity(const management_api& api, request& req) {
  auto token = parse_identity_token(req.body);
  if (!api.services.identity_keys) throw unauthorized("Unauthorized");
  actors::verify_identity check{std::move(token), actors::answer_deadline()};
  const auto checked = co_await actors::ask(api.services.identity_keys, std::move(check));
  const auto* claims = std::get_if<security::identity_claims>(&checked.verdict);
  if (claims == nullptr) throw unauthorized("Unauthorized");
  actors::identity_login wanted{{claims->issuer, claims->subject, claims->email}, browser_of(req)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return sign_in_answer(api.services, 201, answer);
}

asio::awaitable<response> refresh(const management_api& api, request& req) {
  const auto presented = refresh_token_of(api.services, req);
  if (!presented) throw unauthorized("No refresh token");
  if (!presented->token) throw unauthorized("Invalid or expired refresh token");
  const auto token = *presented->token;
  actors::refresh_session wanted{{token.session_id, token.generation, std::string(req.remote_address)},
                                 actors::answer_deadline()};
  const auto outcome = co_await actors::ask(api.services.keeper, std::move(wanted));
  co_return refresh_answer(api.services, token.session_id, outcome);
}

/// Always the same, whatever the cookie was.
asio::awaitable<response> log_out(const management_api& api, request& req) {
  const auto presented = refresh_token_of(api.services, req);
  if (presented && presented->token)
    co_await actors::ask(api.services.keeper, actors::end_session{presented->token->session_id});
  auto answer = message_answer("Logged out");
  session_cookies(api.services.base_url).refresh.clear(answer);
  co_return answer;
}

response me(const management_api&, request& req) { return me_answer(caller_of(req)); }

asio::awaitable<response> change_password(const management_api& api, request& req) {
  auto body = parse_password_change(req.body);
  const auto& user = *caller_of(req).user;
  actors::change_password wanted{user.id, user.email, std::move(body.old_password),
                                 std::move(body.new_password)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return password_answer(api.services, answer);
}

/// The answer waits for nothing, so that it takes as long for an address that is nobody's.
asio::awaitable<response> forgot_password(const management_api& api, request& req) {
  actors::forgot_password wanted{parse_forgot_password(req.body)};
  co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return message_answer("If this address belongs to a user, a link to choose a new password is on its way.");
}

asio::awaitable<response> reset_password(const management_api& api, request& req) {
  auto body = parse_password_reset(req.body);
  actors::reset_password wanted{std::move(body.token), std::move(body.password)};
  const auto answer = co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return password_answer(api.services, answer);
}

} // namespace

std::vector<route> auth_routes(const management_services& services) {
  const management_api api{services};
  const auto& most = services.limits;
  const auto open = [&](std::string_view group, std::size_t limit) {
    return public_checks(services, group, limit);
  };
  using enum body_policy;
  std::vector<route> routes{
      {"POST", "/auth/login", json, open("login", most.login), with(api, log_in)},
      {"POST", "/auth/verify-otp", json, open("verify_otp", most.verify_otp), with(api, verify_otp)},
      {"POST", "/auth/resend-otp", json, open("resend_otp", most.resend_otp), with(api, resend_otp)},
      {"POST", "/auth/google", json, open("login_by_identity", most.login), with(api, log_in_by_identity)},
      {"GET", "/auth/me", none, management_checks(services, "", access_wording::credentials), with(api, me)},
      {"POST", "/auth/refresh", none, open("refresh", most.refresh), with(api, refresh)},
      {"POST", "/auth/logout", none, open("logout", most.logout), with(api, log_out)},
      {"POST", "/auth/password", json, management_checks(services, ""), with(api, change_password)},
      {"POST", "/auth/forgot-password", json, open("forgot_password", most.login), with(api, forgot_password)},
      {"POST", "/auth/reset-password", json, open("reset_password", most.login), with(api, reset_password)},
  };
  answer_as_writer(services, routes);
  return routes;
}

} // namespace roost::http
