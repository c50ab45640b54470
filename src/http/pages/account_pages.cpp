#include "actors/runtime/ask.hpp"
#include "domain/date.hpp"
#include "domain/text.hpp"
#include "http/access/access.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages.hpp"
#include "http/pages/pages_api.hpp"

#include <algorithm>

namespace roost::http {

namespace {

void set_moment(page_data& values, const std::string& name, domain::timestamp moment) {
  values.set(name, domain::written_out(moment));
  values.set(name + "_at", domain::to_string(moment));
}

page_data session_values(const store::session_row& session, bool own) {
  page_data values;
  values.set("id", domain::to_string(session.id));
  values.set("browser", domain::browser_name(session.browser));
  values.set("address", session.address);
  values.set("own", own);
  set_moment(values, "used", session.rotated_at);
  set_moment(values, "began", session.created_at);
  return values;
}

page_data connection_values(const store::connection& connection, const std::string& tools) {
  page_data values;
  values.set("id", domain::to_string(connection.id));
  values.set("client", connection.client_name.value_or("A connector"));
  values.set("tools", tools);
  set_moment(values, "approved", connection.created_at);
  set_moment(values, "refreshed", connection.used_at);
  return values;
}

/// What assistants may do for the user now, in words.
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

page_data connection_list_values(const std::vector<store::connection>& connections,
                                 const std::string& tools) {
  page_data rows{page_data::type::list};
  for (const auto& each : connections) rows.push_back(connection_values(each, tools));
  return rows;
}

page_data account_values(const page_visitor& visitor, const std::vector<store::session_row>& sessions) {
  const auto& user = *visitor.user;
  page_data rows{page_data::type::list};
  for (const auto& session : sessions)
    rows.push_back(session_values(session, session.id == visitor.session_id));
  page_data values;
  values.set("name", domain::one_line(user.first_name + " " + user.last_name));
  values.set("email", user.email);
  values.set("role", user.role);
  values.set("company", user.company_name);
  values.set("sessions", rows);
  return values;
}

/// The page, where something was refused with the reason.
asio::awaitable<response> account_page(const pages_api& api, const request& req, page_visitor visitor,
                                       unsigned status = 200, std::string refused = {}) {
  auto sessions = co_await api.services.sessions->list(visitor.user->id);
  std::stable_partition(sessions.begin(), sessions.end(),
                        [&](const auto& each) { return each.id == visitor.session_id; });
  const auto connections = co_await api.services.connections->list(visitor.user->id);
  auto values = account_values(visitor, sessions);
  values.set("has_connections", !connections.empty());
  values.set("connections",
             connection_list_values(connections, tools_in_words(api.services.roles, *visitor.user)));
  page_frame frame;
  frame.title = "Your account";
  frame.links = api.links_of(visitor, "/account");
  frame.notice = refused.empty() ? notice_of(req) : "";
  frame.error = std::move(refused);
  co_return api.show(req, status, page_template::account, std::move(frame), std::move(values));
}

asio::awaitable<response> show_account(const pages_api& api, request& req) {
  auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  co_return co_await account_page(api, req, std::move(*visitor));
}

/// To the page for signing in, without the cookie of a session; and from there to `to`, if that is a path to
/// return to.
response signed_out(const pages_api& api, const std::string& to = {}) {
  auto answer = api.to_sign_in("signed-out");
  api.back.remember(answer, to);
  api.cookies.refresh.clear(answer);
  api.guard.forget(answer);
  return answer;
}

asio::awaitable<response> sign_out(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  const auto presented = refresh_token_of(api.services, req);
  if (presented && presented->token) co_await api.services.sessions->end(presented->token->chain);
  co_return signed_out(api, field_of(form, "to"));
}

asio::awaitable<response> end_one(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id) throw not_found("There is no such session.");
  co_await api.services.sessions->end_for_user(visitor->user->id, *id);
  if (*id == visitor->session_id) co_return signed_out(api);
  co_return api.to("/account?notice=session-ended");
}

asio::awaitable<response> end_connection(const pages_api& api, request& req) {
  api.form_of(req);
  const auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  const auto id = domain::parse_uuid(req.parameters.front());
  if (!id) throw not_found("There is no such connection.");
  co_await api.services.connections->end_for_user(visitor->user->id, *id);
  co_return api.to("/account?notice=connection-ended");
}

/// What the page says and with which status where the password stayed.
struct unchanged {
  unsigned status;
  std::string why;
};

std::optional<unchanged> refusal_in(const actors::password_response& done) {
  if (std::holds_alternative<actors::too_many_passwords>(done.result))
    return unchanged{429, "There were too many wrong passwords. Please wait a few minutes and try again."};
  if (std::get<actors::password_result>(done.result) != actors::password_result::changed)
    return unchanged{401, "That is not your password now. Nothing was changed."};
  return std::nullopt;
}

asio::awaitable<response> change_own_password(const pages_api& api, request& req) {
  const auto form = api.form_of(req);
  auto visitor = co_await api.visitor_of(req);
  if (!visitor) co_return api.to_sign_in();
  if (auto why = refusal_of_password(field_of(form, "new")); !why.empty())
    co_return co_await account_page(api, req, std::move(*visitor), 400, std::move(why));
  actors::change_password wanted{visitor->user->id, visitor->user->email, field_of(form, "old"),
                                 field_of(form, "new")};
  const auto done = co_await actors::ask(api.services.sign_in, std::move(wanted));
  if (auto refused = refusal_in(done))
    co_return co_await account_page(api, req, std::move(*visitor), refused->status, std::move(refused->why));
  co_return after_new_password(api);
}

} // namespace

std::vector<route> account_pages(const management_services& services) {
  const pages_api api{services};
  const entry_rule checks{public_checks(services, "management", services.limits.management).checks,
                          "a session"};
  using enum body_policy;
  std::vector<route> routes{
      {"GET", "/account", none, {page_checks(services).checks, "a session"}, with(api, show_account)},
      {"POST",
       "/account/password",
       form,
       {public_checks(services, "login", services.limits.login).checks, "a session"},
       with(api, change_own_password)},
      {"POST", "/account/sessions/{id}/end", form, checks, with(api, end_one)},
      {"POST", "/account/connections/{id}/end", form, checks, with(api, end_connection)},
      {"POST", "/account/sign-out", form, checks, with(api, sign_out)},
  };
  answer_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
