#include "actors/runtime/ask.hpp"
#include "domain/text.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages_api.hpp"

namespace roost::http {

namespace {

constexpr const char* invalid_link =
    "This link is no longer valid. It works once, and only for a short time.";

response forgotten_page(const pages_api& api, const request& req, const std::string& email,
                        const std::string& error) {
  page_frame frame;
  frame.title = "Forgotten your password?";
  frame.error = error;
  return api.show(req, error.empty() ? 200 : 400, page_template::forgot_password, std::move(frame),
                  page_row({{"email", email}}));
}

response show_forgotten(const pages_api& api, request& req) { return forgotten_page(api, req, "", ""); }

/// Responds in the same way and without delay to every address, so that it reveals no users.
asio::awaitable<response> take_address(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto email = field_of(form, "email");
  if (!domain::is_email_address(email))
    co_return forgotten_page(api, req, email, "That is not an email address.");
  actors::forgot_password message{email};
  co_await actors::ask(api.services.sign_in, std::move(message));
  co_return api.to_sign_in("reset-sent");
}

response reset_page(const pages_api& api, const request& req, const std::string& token, unsigned status,
                    const std::string& error) {
  page_frame frame;
  frame.title = "Set a new password";
  frame.error = error;
  page_data values;
  if (!token.empty()) values.set("token", token);
  return api.show(req, status, page_template::reset_password, std::move(frame), std::move(values));
}

/// Does not consume the token, because programs that check mail open its links as well.
response show_reset(const pages_api& api, request& req) {
  const auto query = read_form(req.query);
  const auto& token = field_of(query, "token");
  return reset_page(api, req, token, token.empty() ? 400 : 200, token.empty() ? invalid_link : "");
}

asio::awaitable<response> take_new_password(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto token = field_of(form, "token"), password = field_of(form, "password");
  if (const auto reason = refusal_of_password(password); !reason.empty())
    co_return reset_page(api, req, token, 400, reason);
  actors::reset_password message{token, password};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(message));
  const auto* result = std::get_if<actors::password_result>(&done.result);
  if (result == nullptr || *result != actors::password_result::changed)
    co_return reset_page(api, req, "", 400, invalid_link);
  co_return after_new_password(api);
}

} // namespace

std::vector<route> password_pages(const management_services& services) {
  const pages_api api{services};
  const auto& limits = services.limits;
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/forgot-password", none, page_checks(services), with(api, show_forgotten)},
      {"POST", "/forgot-password", form, public_checks(services, "forgot_password", limits.login),
       with(api, take_address)},
      {"GET", "/reset-password", none, page_checks(services), with(api, show_reset)},
      {"POST", "/reset-password", form, public_checks(services, "reset_password", limits.login),
       with(api, take_new_password)},
  };
  answer_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
