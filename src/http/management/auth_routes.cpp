#include "actors/runtime/ask.hpp"
#include "domain/text.hpp"
#include "http/management/auth_bodies.hpp"
#include "http/management/session_responses.hpp"
#include "json/object.hpp"

namespace roost::http {

namespace {

asio::awaitable<response> log_in(const management_services& services, request& req) {
  auto body = parse_login(req.body);
  const auto remembered = session_cookies(services.base_url).remembered.in(req);
  actors::password_login message{std::move(body.email), std::move(body.password),
                                 std::string(remembered.value_or("")), browser_of(services, req)};
  const auto result = co_await actors::ask(services.sign_in, std::move(message));
  co_return sign_in_response(services, 201, result);
}

asio::awaitable<response> verify_otp(const management_services& services, request& req) {
  auto body = parse_verify_otp(req.body);
  const auto result = co_await services.sign_ins->enter_code(
      std::move(body.challenge_token), std::move(body.otp), body.remember_device, browser_of(services, req));
  co_return sign_in_response(services, 200, result);
}

asio::awaitable<response> resend_otp(const management_services& services, request& req) {
  auto token = parse_resend_otp(req.body);
  const auto result = co_await services.sign_ins->resend_code(std::move(token), request_origin_of(req));
  co_return resend_response(result);
}

/// Without a configured issuer, no token is valid.
asio::awaitable<response> log_in_by_identity(const management_services& services, request& req) {
  auto token = parse_identity_token(req.body);
  if (!services.identity_keys) throw unauthorized("Unauthorized");
  auto token_hash = security::identity_token_hash(token);
  actors::verify_identity verification{std::move(token), actors::response_deadline(), request_origin_of(req)};
  const auto verified = co_await actors::ask(services.identity_keys, std::move(verification));
  const auto* claims = std::get_if<security::identity_claims>(&verified.verdict);
  if (claims == nullptr) throw unauthorized("Unauthorized");
  store::identity identity{claims->issuer, claims->subject, claims->email, std::move(token_hash),
                           claims->expires};
  const auto result =
      co_await services.sign_ins->sign_in_by_identity(std::move(identity), browser_of(services, req));
  co_return sign_in_response(services, 201, result);
}

asio::awaitable<response> refresh(const management_services& services, request& req) {
  const auto token = refresh_token_of(services, req);
  if (!token)
    throw unauthorized(session_cookies(services.base_url).refresh.in(req) ? "Invalid or expired refresh token"
                                                                          : "No refresh token");
  actors::refresh_session message{{token->chain, token->generation, std::string(req.remote_address)},
                                  actors::response_deadline(),
                                  std::string(req.request_id)};
  const auto outcome = co_await actors::ask(services.keeper, std::move(message));
  co_return refresh_response(services, token->chain, outcome);
}

/// Responds in the same way whether or not the cookie was valid.
asio::awaitable<response> log_out(const management_services& services, request& req) {
  const auto token = refresh_token_of(services, req);
  if (token) co_await services.sessions->end(token->chain, request_origin_of(req));
  auto result = message_response("Logged out");
  session_cookies(services.base_url).refresh.clear(result);
  co_return result;
}

response me(const management_services&, request& req) { return me_response(caller_of(req)); }

asio::awaitable<response> change_password(const management_services& services, request& req) {
  auto body = parse_password_change(req.body);
  const auto& user = *caller_of(req).user;
  actors::change_password message{user.id,
                                  user.email,
                                  std::move(body.old_password),
                                  std::move(body.new_password),
                                  request_origin_of(req),
                                  body.end_connections};
  const auto result = co_await actors::ask(services.sign_in, std::move(message));
  co_return password_response(services, result);
}

/// Responds without delay, so that the response time does not reveal whether the address belongs to a user.
asio::awaitable<response> forgot_password(const management_services& services, request& req) {
  auto email = parse_forgot_password(req.body);
  co_await services.password_resets->send_link(std::move(email), request_origin_of(req));
  co_return message_response(
      "If this address belongs to a user, a link to choose a new password is on its way.");
}

asio::awaitable<response> reset_password(const management_services& services, request& req) {
  auto body = parse_password_reset(req.body);
  actors::password_reset reset{std::move(body.token), std::move(body.password), request_origin_of(req),
                               body.end_connections};
  const auto result = co_await services.password_resets->reset(std::move(reset));
  co_return password_response(services, result);
}

// Remembered browsers

using json::member;
using store::remembered_browser;

constexpr auto browser_object = json::object<remembered_browser>(
    "RememberedBrowser", member("id", &remembered_browser::id, "The browser's UUID"),
    member(
        "browser",
        [](const remembered_browser& remembered) { return domain::browser_name(remembered.browser); },
        "The browser and its system, as it describes itself", json::examples{R"(["Firefox on Windows"])"}),
    member("rememberedAt", &remembered_browser::created_at, "When the user chose to remember it, in UTC"),
    member("expiresAt", &remembered_browser::expires_at, "When it is forgotten, in UTC"));

using browser_list = std::vector<remembered_browser>;

constexpr auto browser_list_object = json::object<browser_list>(
    "RememberedBrowsers",
    json::list(
        "browsers", [](const browser_list& all) -> const auto& { return all; }, browser_object,
        "The browsers in which the user signs in without a code, the latest first"));

asio::awaitable<response> list_browsers(const management_services& services, request& req) {
  const auto browsers = co_await services.sessions->remembered_browsers(caller_of(req).user->id);
  co_return json(200, json::text_of(browser_list_object, browsers));
}

asio::awaitable<response> forget_browser(const management_services& services, request& req) {
  const auto user = caller_of(req).user->id;
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id || !co_await services.sessions->forget_browser(user, *id, request_origin_of(req)))
    throw not_found("There is no such browser");
  co_return message_response("The browser is forgotten");
}

// The operations in the OpenAPI document.

constexpr documented_response not_json{415, "The body is not sent as application/json", "Error"};
constexpr documented_response too_many{429, "Too many attempts, codes or requests; see Retry-After",
                                       "SignInError"};

constexpr documented_response refused(std::string_view description, std::string_view message) {
  return {.status = 401, .description = description, .schema = "Error", .message = message};
}

const operation login_operation{
    .id = "login",
    .summary = "The first step of sign-in: email address and password",
    .body_schema = "Login",
    .responses = {{201, "A challenge, or a session if the browser is remembered", "LoginAnswer"},
                  refused("The email address or password is incorrect, or the user is deactivated",
                          "Invalid credentials"),
                  not_json,
                  too_many},
    .is_open = true};
const operation verify_operation{.id = "verifyOtp",
                                 .summary = "The second step of sign-in: the emailed code",
                                 .body_schema = "VerifyOtp",
                                 .responses = {{200, "The session; the refresh cookie is set", "Session"},
                                               {401, "The code is not accepted; see reason", "SignInError"},
                                               not_json,
                                               too_many},
                                 .is_open = true};
const operation resend_operation{.id = "resendOtp",
                                 .summary = "Sends a new code, which replaces the earlier one",
                                 .body_schema = "ResendOtp",
                                 .responses = {{200, "The code is on its way", "CodeSent"},
                                               {401, "The sign-in has ended; see reason", "SignInError"},
                                               not_json,
                                               too_many},
                                 .is_open = true};
const operation identity_operation{
    .id = "loginWithIdentityToken",
    .summary = "Signs in with a third party's identity token, without a code",
    .body_schema = "IdentityToken",
    .responses = {{201, "The session; the refresh cookie is set", "Session"},
                  {401, "The token is not accepted, or no user has its email address", "Error"},
                  not_json,
                  too_many},
    .is_open = true};
const operation me_operation{.id = "me",
                             .summary = "Returns the signed-in user, the account and the preferences",
                             .responses = {{200, "The user, the account and the preferences", "Me"}}};
const operation refresh_operation{
    .id = "refresh",
    .summary = "Exchanges the refresh cookie for a new access token and a new cookie; without a body or an "
               "access token",
    .responses = {{201, "The session; the cookie is replaced", "Session"},
                  refused("The cookie is missing, invalid or already replaced",
                          "Invalid or expired refresh token"),
                  too_many},
    .is_open = true};
const operation logout_operation{.id = "logout",
                                 .summary = "Ends the session of the refresh cookie",
                                 .responses = {{200, "Always", "Message"}, too_many},
                                 .is_open = true};
const operation password_operation{
    .id = "changePassword",
    .summary = "Sets a new password, and ends all of the user's sessions, including this one",
    .body_schema = "PasswordChange",
    .responses = {{200, "The password was changed", "Message"}, not_json, too_many}};
const operation forgot_operation{
    .id = "forgotPassword",
    .summary = "Sends an email with a link to set a new password",
    .body_schema = "ForgotPassword",
    .responses = {{200, "The same for every address", "Message"}, not_json, too_many},
    .is_open = true};
const operation reset_operation{
    .id = "resetPassword",
    .summary = "Sets a new password with the token of an emailed link, and ends all sessions",
    .body_schema = "PasswordReset",
    .responses = {{200, "The password was changed", "Message"},
                  refused("The link was used, has expired or is unknown",
                          "That link is not valid any more. Ask for a new one."),
                  not_json,
                  too_many},
    .is_open = true};
const operation list_browsers_operation{.id = "listRememberedBrowsers",
                                        .summary = "The browsers in which the user signs in without a code",
                                        .responses = {{200, "All of them", "RememberedBrowsers"}}};
const operation forget_browser_operation{
    .id = "forgetBrowser",
    .summary = "Forgets a browser: its next sign-in requires a code. Its sessions continue",
    .responses = {{200, "The browser is forgotten", "Message"},
                  {.status = 404,
                   .description = "The user has no such browser",
                   .schema = "Error",
                   .message = "There is no such browser"}}};

} // namespace

std::vector<route> auth_routes(const management_services& services) {
  const auto& limits = services.limits;
  const auto open = [&](std::string_view group, std::size_t limit, const char* needs = "nothing") {
    return public_checks(services, group, limit, needs);
  };
  constexpr auto cookie = "a refresh cookie";
  using enum body_policy;
  std::vector<route> routes{
      {"POST", "/auth/login", json, open("login", limits.login), bound_to(services, log_in),
       &login_operation},
      {"POST", "/auth/verify-otp", json, open("verify_otp", limits.verify_otp),
       bound_to(services, verify_otp), &verify_operation},
      {"POST", "/auth/resend-otp", json, open("resend_otp", limits.resend_otp),
       bound_to(services, resend_otp), &resend_operation},
      {"POST", "/auth/google", json, open("login_by_identity", limits.login),
       bound_to(services, log_in_by_identity), &identity_operation},
      {"GET", "/auth/me", none, management_checks(services, "", credential_messages), bound_to(services, me),
       &me_operation},
      {"POST", "/auth/refresh", none, open("refresh", limits.refresh, cookie), bound_to(services, refresh),
       &refresh_operation},
      {"POST", "/auth/logout", none, open("logout", limits.logout, cookie), bound_to(services, log_out),
       &logout_operation},
      {"POST", "/auth/password", json, management_checks(services, ""), bound_to(services, change_password),
       &password_operation},
      {"POST", "/auth/forgot-password", json, open("forgot_password", limits.login),
       bound_to(services, forgot_password), &forgot_operation},
      {"POST", "/auth/reset-password", json, open("reset_password", limits.login),
       bound_to(services, reset_password), &reset_operation},
      {"GET", "/auth/browsers", none, management_checks(services, ""), bound_to(services, list_browsers),
       &list_browsers_operation},
      {"DELETE", "/auth/browsers/{browserId}", none, management_checks(services, ""),
       bound_to(services, forget_browser), &forget_browser_operation},
  };
  respond_as_writer(services.lease, routes);
  return routes;
}

void add_auth_route_schemas(json::schemas& to) {
  add_auth_schemas(to);
  add_session_schemas(to);
  to.add(browser_object);
  to.add(browser_list_object);
}

} // namespace roost::http
