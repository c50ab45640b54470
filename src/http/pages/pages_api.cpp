#include "http/pages/pages_api.hpp"

#include "domain/entered_text.hpp"
#include "http/access/access.hpp"
#include "http/json/object_reader.hpp"
#include "security/common_password.hpp"

#include <map>

namespace roost::http {

namespace {

const std::map<std::string_view, std::string_view> notices{
    {"reset-sent", "If this address belongs to a user, a link to set a new password is on its way."},
    {"password-changed", "Your password was changed. Please sign in with the new one."},
    {"signed-out", "You are signed out."},
    {"start-again", "That sign-in has ended. Please start again."},
    {"code-sent", "Another code is on its way. The earlier one no longer works."},
    {"session-ended", "The session was ended."},
    {"browser-forgotten", "The browser was forgotten. Its next sign-in requires a code."},
    {"connection-ended",
     "The connection was ended. The assistant may still have access until its last token expires."},
    {"connections-ended",
     "All connections were ended. The assistants may still have access until their last tokens expire."},
};

} // namespace

pages_api::pages_api(const management_services& all)
    : services(all), base(path_of(all.base_url)), cookies(all.base_url), guard(*all.keys, all.base_url),
      back(all.base_url) {}

form_fields pages_api::form_of(const request& req) const {
  auto form = read_form(req.body);
  guard.check(req, form);
  return form;
}

response pages_api::show(const request& req, unsigned status, page_template name, page_frame frame,
                         page_data values) const {
  const auto issued = guard.issue(req);
  frame.base = base;
  frame.form = issued.value;
  auto result = page(status, name, frame, std::move(values));
  guard.remember(result, issued);
  return result;
}

std::vector<page_link> pages_api::links_of(const caller& visitor, std::string_view path) const {
  std::vector<page_link> links{{"/account", "Your account"}};
  if (has_permission(services.roles, visitor.user->role, usage_permission))
    links.push_back({"/account/ai-usage", "AI usage"});
  for (auto& link : links) link.is_current = link.path == path;
  return links;
}

response pages_api::to_sign_in(std::string_view notice) const {
  return to(notice.empty() ? "/sign-in" : "/sign-in?notice=" + std::string(notice));
}

std::string path_of(std::string_view base_url) {
  const auto path = base_url.find('/', base_url.find("://") + 3);
  return path == std::string_view::npos ? "" : std::string(base_url.substr(path));
}

const std::string& field_of(const form_fields& form, std::string_view name) {
  static const std::string missing;
  const auto field = form.find(name);
  return field == form.end() ? missing : field->second;
}

std::string notice_of(const request& req) {
  const auto query = read_form(req.query);
  const auto notice = notices.find(field_of(query, "notice"));
  return notice == notices.end() ? "" : std::string(notice->second);
}

void respond_as_pages(const pages_api& api, std::vector<route>& routes) {
  respond_as_writer(api.services.lease, routes);
  for (auto& each : routes)
    each.render_error = [base = api.base](const request&, const error& refusal) {
      return refusal_page(base, refusal);
    };
}

entry_rule page_checks(const management_services& services, std::string needs) {
  return serving_checks(services, "management", services.limits.management, std::move(needs));
}

std::string refusal_of_password(std::string_view password) {
  constexpr std::size_t min_length = 6;
  if (length_of(domain::composed(password)) < min_length)
    return "The new password must have at least 6 characters.";
  if (security::is_common_password(password)) return std::string(security::common_password_text);
  return {};
}

response after_new_password(const pages_api& api) {
  auto result = api.to_sign_in("password-changed");
  api.cookies.refresh.clear(result);
  api.cookies.remembered.clear(result);
  api.guard.forget(result);
  return result;
}

} // namespace roost::http
