#include "actors/runtime/ask.hpp"
#include "domain/text.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages.hpp"
#include "http/pages/pages_api.hpp"

namespace roost::http {

namespace {

constexpr const char* link_over = "This link is not valid any more. It works once, and not for long.";

response forgotten_page(const pages_api& api, const request& req, const std::string& email,
                        const std::string& refused) {
  page_frame frame;
  frame.title = "Forgotten your password?";
  frame.error = refused;
  page_data values;
  values.set("email", email);
  return api.show(req, refused.empty() ? 200 : 400, page_template::forgot_password, std::move(frame),
                  std::move(values));
}

response show_forgotten(const pages_api& api, request& req) { return forgotten_page(api, req, "", ""); }

/// The answer is the same for every address, and waits for nothing.
asio::awaitable<response> take_address(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto email = field_of(form, "email");
  if (!domain::is_email_address(email))
    co_return forgotten_page(api, req, email, "That is no email address.");
  actors::forgot_password wanted{email};
  co_await actors::ask(api.services.sign_in, std::move(wanted));
  co_return api.to_sign_in("reset-sent");
}

response reset_page(const pages_api& api, const request& req, const std::string& token, unsigned status,
                    const std::string& refused) {
  page_frame frame;
  frame.title = "Set a new password";
  frame.error = refused;
  page_data values;
  if (!token.empty()) values.set("token", token);
  return api.show(req, status, page_template::reset_password, std::move(frame), std::move(values));
}

/// Looking uses nothing up: programs that check mail open its links as well.
response show_reset(const pages_api& api, request& req) {
  const auto query = read_form(req.query);
  const auto& token = field_of(query, "token");
  return reset_page(api, req, token, token.empty() ? 400 : 200, token.empty() ? link_over : "");
}

asio::awaitable<response> take_new_password(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto token = field_of(form, "token"), fresh = field_of(form, "password");
  if (const auto why = refusal_of_password(fresh); !why.empty())
    co_return reset_page(api, req, token, 400, why);
  actors::reset_password wanted{token, fresh};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(wanted));
  const auto* result = std::get_if<actors::password_result>(&done.result);
  if (result == nullptr || *result != actors::password_result::changed)
    co_return reset_page(api, req, "", 400, link_over);
  co_return after_new_password(api);
}

} // namespace

std::vector<route> password_pages(const management_services& services) {
  const pages_api api{services};
  const auto& most = services.limits;
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/forgot-password", none, page_checks(services), with(api, show_forgotten)},
      {"POST", "/forgot-password", form, public_checks(services, "forgot_password", most.login),
       with(api, take_address)},
      {"GET", "/reset-password", none, page_checks(services), with(api, show_reset)},
      {"POST", "/reset-password", form, public_checks(services, "reset_password", most.login),
       with(api, take_new_password)},
  };
  answer_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
