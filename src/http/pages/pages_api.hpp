#pragma once

#include "http/management/management_services.hpp"
#include "http/management/session_responses.hpp"
#include "http/pages/form_guard.hpp"
#include "http/pages/page.hpp"
#include "http/pages/return_path.hpp"
#include "http/protocol/router.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// Who looks at a page, by the session's cookie.
struct page_visitor {
  domain::uuid session_id{};
  std::shared_ptr<const actors::user_directory> users; ///< keeps `user` alive
  const actors::known_user* user = nullptr;
};

/// What the handlers of pages work with. It refers to the services, which outlive it.
struct pages_api {
  explicit pages_api(const management_services& of);

  /// The visitor, where there is a session that is live and whose user is not deactivated. Looking at a page
  /// leaves the cookie as it is. Take it into a variable: in the condition of an `if`, GCC 12 gives the
  /// coroutine a parameter that is not there.
  asio::awaitable<std::optional<page_visitor>> visitor_of(const request& req) const;

  /// The fields of a form that came from one of these pages; throws bad_request() and forbidden().
  form_fields form_of(const request& req) const;

  /// A page with a form; sets the cookie that the form belongs to.
  response show(const request& req, unsigned status, page_template which, page_frame frame,
                page_data values = {}) const;

  /// The links of a visitor's pages, of which he is at `path`.
  std::vector<page_link> links_of(const page_visitor& visitor, std::string_view path) const;

  response to(std::string_view path) const { return go_to(base, path); }
  /// To the page for signing in, which says why.
  response to_sign_in(std::string_view notice = {}) const;

  const management_services& services;
  const std::string base; ///< the path of base_url
  const session_cookies cookies;
  const form_guard guard;
  const return_path back; ///< where a user goes on who has signed in
};

/// Who has it may see the ledger (Management API, AI usage).
inline constexpr std::string_view usage_permission = "account_settings.module";

/// The value of a form's field; empty when it is missing.
const std::string& field_of(const form_fields& form, std::string_view name);

/// What a page is told by its address to say: one of a few texts, so that no link can put words into it.
std::string notice_of(const request& req);

/// Gives routes what all pages have: they are answered only as long as this server is the writer, and
/// refusals are shown as pages.
void answer_as_pages(const pages_api& api, std::vector<route>& routes);

/// What a page checks that is only looked at: this server serves, and the address has requests left. A link
/// from anywhere may lead to it.
entry_rule page_checks(const management_services& services);

/// Why a password cannot be set, as a page says it; empty when it can (Management API, Limits).
std::string refusal_of_password(std::string_view password);

/// To the page for signing in: a new password has ended all sessions, and no browser is remembered.
response after_new_password(const pages_api& api);

} // namespace roost::http
