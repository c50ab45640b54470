#include "actors/runtime/ask.hpp"
#include "domain/date.hpp"
#include "domain/text.hpp"
#include "http/access/access.hpp"
#include "http/pages/pages_api.hpp"

#include <algorithm>

namespace roost::http {

namespace {

void set_moment(page_data& values, const std::string& name, domain::timestamp moment) {
  values.set(name, domain::written_out(moment));
  values.set(name + "_at", domain::to_string(moment));
}

page_data session_values(const store::session_row& session, bool own) {
  auto values = page_row({{"id", domain::to_string(session.id)},
                          {"browser", domain::browser_name(session.browser)},
                          {"address", session.address},
                          {"own", own}});
  set_moment(values, "used", session.rotated_at);
  set_moment(values, "began", session.created_at);
  return values;
}

page_data remembered_values(const store::remembered_browser& browser) {
  auto values =
      page_row({{"id", domain::to_string(browser.id)}, {"browser", domain::browser_name(browser.browser)}});
  set_moment(values, "remembered", browser.created_at);
  set_moment(values, "expires", browser.expires_at);
  return values;
}

page_data connection_values(const store::connection& connection, const std::string& tools) {
  auto values = page_row({{"id", domain::to_string(connection.id)},
                          {"client", connection.client_name.value_or(std::string(unnamed_assistant))},
                          {"tools", tools}});
  set_moment(values, "approved", connection.created_at);
  set_moment(values, "refreshed", connection.used_at);
  return values;
}

/// Returns in words what assistants may do for the user now.
std::string tools_in_words(const role_permissions& roles, const actors::known_user& user) {
  const auto tools = usable_tools(roles, user);
  std::string words;
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area) {
    if (tools.level(area) == domain::tool_level::off) continue;
    words += words.empty() ? "" : ", ";
    words += domain::tool_areas.at(area).title;
    words += tools.level(area) == domain::tool_level::edit ? " (edit)" : " (read-only)";
  }
  return words.empty() ? "nothing at the moment" : words;
}

/// What the account page lists.
struct account_lists {
  std::vector<store::session_row> sessions;
  std::vector<store::remembered_browser> browsers;
  std::vector<store::connection> connections;
};

page_data account_values(const pages_api& api, const caller& visitor, const account_lists& lists) {
  const auto& user = *visitor.user;
  const auto tools = tools_in_words(api.services.roles, user);
  return page_row({{"name", domain::one_line(user.first_name + " " + user.last_name)},
                   {"email", user.email},
                   {"role", user.role},
                   {"company", user.company_name},
                   {"sessions", page_rows(lists.sessions,
                                          [&](const auto& session) {
                                            return session_values(session, session.id == visitor.session_id);
                                          })},
                   {"has_browsers", !lists.browsers.empty()},
                   {"browsers", page_rows(lists.browsers, remembered_values)},
                   {"has_connections", !lists.connections.empty()},
                   {"connections", page_rows(lists.connections, [&](const auto& connection) {
                      return connection_values(connection, tools);
                    })}});
}

/// Shows the page, with an error if a step was refused.
asio::awaitable<response> account_page(const pages_api& api, const request& req, caller visitor,
                                       unsigned status = 200, std::string error = {}) {
  account_lists lists;
  lists.sessions = co_await api.services.sessions->list(visitor.user->id);
  std::stable_partition(lists.sessions.begin(), lists.sessions.end(),
                        [&](const auto& each) { return each.id == visitor.session_id; });
  lists.browsers = co_await api.services.sessions->remembered_browsers(visitor.user->id);
  lists.connections = co_await api.services.connections->list(visitor.user->id);
  page_frame frame{.title = "Your account",
                   .notice = error.empty() ? notice_of(req) : "",
                   .error = std::move(error),
                   .links = api.links_of(visitor, "/account")};
  auto values = account_values(api, visitor, lists);
  co_return api.show(req, status, page_template::account, std::move(frame), std::move(values));
}

asio::awaitable<response> show_account(const pages_api& api, request& req) {
  auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  co_return co_await account_page(api, req, std::move(*visitor));
}

/// Redirects to the sign-in page and deletes the session's cookie. After the next sign-in, the browser is
/// redirected to `to`, if that is an allowed return path.
response signed_out(const pages_api& api, const std::string& to = {}) {
  auto result = api.to_sign_in("signed-out");
  api.back.remember(result, to);
  api.cookies.refresh.clear(result);
  api.guard.forget(result);
  return result;
}

asio::awaitable<response> sign_out(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto token = refresh_token_of(api.services, req);
  if (token) co_await api.services.sessions->end(token->chain, request_origin_of(req));
  co_return signed_out(api, field_of(form, "to"));
}

asio::awaitable<response> end_session(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id) throw not_found("There is no such session.");
  co_await api.services.sessions->end_for_user(visitor->user->id, *id, request_origin_of(req));
  if (*id == visitor->session_id) co_return signed_out(api);
  co_return api.to("/account?notice=session-ended");
}

asio::awaitable<response> forget_browser(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id) throw not_found("There is no such browser.");
  co_await api.services.sessions->forget_browser(visitor->user->id, *id, request_origin_of(req));
  co_return api.to("/account?notice=browser-forgotten");
}

asio::awaitable<response> end_connection(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id) throw not_found("There is no such connection.");
  co_await api.services.connections->end_for_user(visitor->user->id, *id, request_origin_of(req));
  co_return api.to("/account?notice=connection-ended");
}

asio::awaitable<response> end_connections(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  co_await api.services.connections->end_all_for_user(visitor->user->id, request_origin_of(req));
  co_return api.to("/account?notice=connections-ended");
}

asio::awaitable<response> change_own_password(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  if (auto reason = refusal_of_password(field_of(form, "new")); !reason.empty())
    co_return co_await account_page(api, req, std::move(*visitor), 400, std::move(reason));
  actors::change_password message{visitor->user->id,      visitor->user->email,
                                  field_of(form, "old"),  field_of(form, "new"),
                                  request_origin_of(req), !field_of(form, end_connections_field).empty()};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(message));
  if (std::holds_alternative<actors::too_many_passwords>(done.result))
    co_return co_await account_page(
        api, req, std::move(*visitor), 429,
        "There were too many wrong passwords. Please wait a few minutes and try again.");
  if (std::get<actors::password_result>(done.result) != actors::password_result::changed)
    co_return co_await account_page(api, req, std::move(*visitor), 401,
                                    "That is not your current password. Nothing was changed.");
  co_return after_new_password(api);
}

} // namespace

std::vector<route> account_pages(const management_services& services) {
  const pages_api api{services};
  const auto checks = public_checks(services, "management", services.limits.management, "a session");
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/account", none, page_checks(services, "a session"), with(api, show_account)},
      {"POST", "/account/password", form,
       public_checks(services, "login", services.limits.login, "a session"), with(api, change_own_password)},
      {"POST", "/account/sessions/{id}/end", form, checks, with(api, end_session)},
      {"POST", "/account/browsers/{id}/forget", form, checks, with(api, forget_browser)},
      {"POST", "/account/connections/{id}/end", form, checks, with(api, end_connection)},
      {"POST", "/account/connections/end", form, checks, with(api, end_connections)},
      {"POST", "/account/sign-out", form, checks, with(api, sign_out)},
  };
  respond_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
