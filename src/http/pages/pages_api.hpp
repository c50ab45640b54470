#pragma once

#include "http/management/session_responses.hpp"
#include "http/pages/page.hpp"
#include "http/pages/page_cookies.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The pages, and the functions that their handlers share.
namespace roost::http {

/// The context of the pages' handlers; the services outlive it.
struct pages_api {
  explicit pages_api(const management_services& all);

  /// Returns the visitor: the user of the session's cookie (http::visitor_of()).
  asio::awaitable<std::optional<caller>> visitor_of(const request& req) const {
    return http::visitor_of(services, req);
  }

  /// Returns the fields of a form that one of these pages sent. Throws bad_request() and forbidden().
  form_fields form_of(const request& req) const;

  /// Returns a page with a form, and sets the form's cookie.
  response show(const request& req, unsigned status, page_template name, page_frame frame,
                page_data values = {}) const;

  /// Returns the links to the visitor's pages; `path` is the current one.
  std::vector<page_link> links_of(const caller& visitor, std::string_view path) const;

  response to(std::string_view path) const { return go_to(base, path); }
  /// Redirects to the sign-in page, which shows the notice.
  response to_sign_in(std::string_view notice = {}) const;

  const management_services& services;
  const std::string base; ///< the path of base_url
  const session_cookies cookies;
  const form_guard guard;
  const return_path back; ///< where to redirect after sign-in
};

/// Returns the path of a base URL; empty if it has none.
std::string path_of(std::string_view base_url);

/// Returns the value of a form's field; empty if it is missing.
const std::string& field_of(const form_fields& form, std::string_view name);

/// Returns the notice that the page's URL names: one of a few texts, so that links cannot inject others.
std::string notice_of(const request& req);

/// Makes routes respond only while this server is the writer, and show refusals as pages.
void respond_as_pages(const pages_api& api, std::vector<route>& routes);

/// Returns the checks of a page that changes nothing: this server serves, and the address has requests left.
/// Links from other sites may lead to it.
entry_rule page_checks(const management_services& services, std::string needs = "nothing");

/// Returns why a password is not allowed (Management API, Limits); empty if it is.
std::string refusal_of_password(std::string_view password);

/// Redirects to the sign-in page: a new password ends all sessions and forgets all browsers.
response after_new_password(const pages_api& api);

/// The name of an assistant whose client has none.
inline constexpr std::string_view unnamed_assistant = "A connector";

/// The name and value of the checkbox that also ends the connections of the user's assistants.
inline constexpr std::string_view end_connections_field = "end_connections";

/// Returns `/sign-in` and the steps that follow: the emailed code, another code; and `/forgot-password` with
/// `/reset-password`, the target of the emailed link.
std::vector<route> sign_in_pages(const management_services& services);

/// Returns `/account`: the signed-in user, the sessions, the connected assistants and the password.
std::vector<route> account_pages(const management_services& services);

/// Returns `/account/ai-usage`: the account's use of AI models as a chart, tables and CSV.
std::vector<route> usage_pages(const management_services& services);

} // namespace roost::http
