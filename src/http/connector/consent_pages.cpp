#include "domain/web_address.hpp"
#include "http/access/access.hpp"
#include "http/connector/connector_access.hpp"
#include "http/connector/connector_routes.hpp"
#include "http/connector/consent_form.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages_api.hpp"
#include "http/protocol/text_encoding.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

namespace roost::http {

namespace {

/// It refers to the services, which outlive it.
struct consent_api {
  explicit consent_api(const connector_services& of) : services(of), pages(*of.management) {}
  const connector_services& services;
  const pages_api pages;
};

/// A page in place of an answer to the client, which cannot be told.
response refusal_to_user(const consent_api& api, const std::string& title, const std::string& text,
                         const std::string& help) {
  page_frame frame;
  frame.base = api.pages.base;
  frame.title = title;
  page_data values;
  values.set("text", text);
  values.set("help", help);
  return page(400, page_template::connector_refusal, frame, std::move(values));
}

response session_expired(const consent_api& api) {
  return refusal_to_user(api, "Session expired",
                         "This page was open for too long, or it was answered before.",
                         "Nothing was authorized. Please go back to the assistant and connect it again.");
}

response invalid_request_page(const consent_api& api, untrusted what) {
  if (what == untrusted::client)
    return refusal_to_user(
        api, "Invalid request", "The assistant that sent you here is not known to this service.",
        "Please remove the connection in the assistant and add it again: it is made known anew then.");
  return refusal_to_user(
      api, "Invalid request", "The assistant wants to send you to an address that it has not registered.",
      "Nothing was authorized. If you did not start this yourself, you can close this page.");
}

response malformed_page(const consent_api& api) {
  return refusal_to_user(api, "Invalid request", "The request of the assistant cannot be read.",
                         "Please remove the connection in the assistant and add it again.");
}

std::string why_no_tools(const consent_api& api, const actors::known_user& user) {
  if (!has_permission(api.services.management->roles, user.role, connector_permission))
    return "Your role does not let you connect assistants. Please ask whoever looks after your account.";
  if (!user.ai_access)
    return "AI access is switched off for you. Please ask whoever looks after your account.";
  return "No tool area is enabled for your account. Enable at least one in the account's AI settings first.";
}

page_data area_list(const domain::tool_access& tools) {
  page_data rows{page_data::type::list};
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area) {
    if (tools.level(area) == domain::tool_level::off) continue;
    page_data row;
    row.set("title", std::string(domain::tool_areas.at(area).title));
    row.set("level", tools.level(area) == domain::tool_level::edit ? "Edit" : "Read-only");
    rows.push_back(row);
  }
  return rows;
}

page_data field_list(const authorize_request& asked) {
  page_data rows{page_data::type::list};
  for (const auto name : authorize_request::names) {
    const auto* value = asked.value(name);
    if (value == nullptr) continue;
    page_data row;
    row.set("name", std::string(name));
    row.set("value", *value);
    rows.push_back(row);
  }
  return rows;
}

void set_request(page_data& values, const consent_api& api, const authorize_request& asked) {
  const auto redirect = domain::parse_web_address(asked.redirect_uri);
  const auto resource = resource_of(asked, api.services.tool_server);
  values.set("redirect_host", redirect ? redirect->origin() : asked.redirect_uri);
  values.set("own_machine", redirect && domain::is_loopback(*redirect));
  values.set("resource", resource);
  values.set("other_resource", resource != api.services.tool_server);
  values.set("fields", field_list(asked));
}

void set_visitor(page_data& values, const consent_api& api, const std::optional<page_visitor>& visitor) {
  values.set("signed_in", visitor.has_value());
  if (!visitor) return;
  const auto& user = *visitor->user;
  const auto tools = usable_tools(api.services.management->roles, user);
  values.set("email", user.email);
  values.set("company", user.company_name);
  values.set("has_tools", tools.any());
  values.set("areas", area_list(tools));
  if (!tools.any()) values.set("no_tools", why_no_tools(api, user));
}

/// Browsers hold what answers the form to the page's policy: the client's address, and wherever that leads on
/// to by https.
std::string targets_of(const authorize_request& asked) {
  const auto redirect = domain::parse_web_address(asked.redirect_uri);
  return redirect && domain::is_loopback(*redirect) ? "https: " + redirect->origin() : "https:";
}

response consent_page(const consent_api& api, const request& req, const authorize_request& asked,
                      const store::oauth_client& client, const std::optional<page_visitor>& visitor) {
  const auto& management = *api.services.management;
  opened_form form{security::random_uuid(), management.now() + api.services.consent_form, {}};
  if (visitor) form.session = visitor->session_id;
  const auto name = client.name.value_or("a connector");
  const auto here = "/oauth/authorize?" + std::string(req.query);
  page_frame frame;
  frame.title = "Authorize " + name;
  frame.form_targets = targets_of(asked);
  page_data values;
  values.set("client", client.name.value_or("A connector"));
  values.set("consent", consent_value(*management.keys->get(), form, asked));
  values.set("here", here);
  values.set("sign_in", "/sign-in?to=" + percent_encoded(here));
  set_request(values, api, asked);
  set_visitor(values, api, visitor);
  return api.pages.show(req, 200, page_template::consent, std::move(frame), std::move(values));
}

response denied(const consent_api& api, const authorize_request& asked, std::string_view why) {
  log::info("connection_denied", {{"client", asked.client_id}, {"reason", std::string(why)}});
  return back_to_client(asked, api.services.management->base_url,
                        {{"error", "access_denied"}, {"error_description", why}});
}

/// A request that a client sent a browser with, as far as it can be trusted.
struct trusted_request {
  std::optional<response> refusal; ///< what is answered in place of anything else
  std::shared_ptr<const store::oauth_client> client;
};

asio::awaitable<trusted_request> look_at(const consent_api& api, const authorize_request& asked) {
  trusted_request looked;
  if (!asked.client_id.empty()) looked.client = co_await client_of(api.services, asked.client_id);
  if (const auto why = untrusted_part(asked, looked.client.get(), api.services.redirects))
    looked.refusal = invalid_request_page(api, *why);
  else if (const auto wrong = error_in(asked))
    looked.refusal = back_to_client(asked, api.services.management->base_url,
                                    {{"error", wrong->error}, {"error_description", wrong->description}});
  co_return looked;
}

/// The parameters; nothing where they cannot be read, or one comes twice.
std::optional<form_fields> parameters_in(std::string_view text) try {
  return read_form(text);
} catch (const error&) {
  return std::nullopt;
}

asio::awaitable<response> show_consent(const consent_api& api, request& req) {
  const auto sent = parameters_in(req.query);
  if (!sent) co_return malformed_page(api);
  const authorize_request asked(*sent);
  const auto looked = co_await look_at(api, asked);
  if (looked.refusal) co_return *looked.refusal;
  const auto visitor = co_await api.pages.visitor_of(req);
  co_return consent_page(api, req, asked, *looked.client, visitor);
}

asio::awaitable<response> authorize(const consent_api& api, const authorize_request& asked,
                                    const store::oauth_client& client, const opened_form& form,
                                    const page_visitor& visitor) {
  auto code = security::random_secret();
  store::authorization_code approved;
  approved.id = form.id;
  approved.hash = security::key_hash(code);
  approved.client_id = client.id;
  approved.client_name = client.name;
  approved.redirect_uri = asked.redirect_uri;
  approved.challenge = asked.code_challenge;
  approved.user_id = visitor.user->id;
  approved.resource = resource_of(asked, api.services.tool_server);
  const bool is_issued = co_await api.services.management->connections->issue_code(std::move(approved));
  if (!is_issued) co_return session_expired(api);
  co_return back_to_client(asked, api.services.management->base_url, {{"code", code}});
}

asio::awaitable<response> take_decision(const consent_api& api, request& req) {
  const auto sent = parameters_in(req.body);
  if (!sent) co_return malformed_page(api);
  const authorize_request asked(*sent);
  const auto looked = co_await look_at(api, asked);
  if (looked.refusal) co_return *looked.refusal;
  const auto& management = *api.services.management;
  const auto form =
      parse_consent(*management.keys->get(), field_of(*sent, "consent"), asked, management.now());
  if (!form) co_return session_expired(api);
  const auto visitor = co_await api.pages.visitor_of(req);
  if (visitor && form->session != visitor->session_id) co_return session_expired(api);
  if (field_of(*sent, "decision") != "authorize")
    co_return denied(api, asked, "The landlord denied the request");
  if (!visitor)
    co_return denied(api, asked, "Your session has ended. Please sign in again and connect once more");
  if (!usable_tools(management.roles, *visitor->user).any())
    co_return denied(api, asked, "No tools are enabled. Enable a tool area first and connect again");
  co_return co_await authorize(api, asked, *looked.client, *form, *visitor);
}

entry_rule with_origin_check(const connector_services& services) {
  auto entry = public_checks(*services.management, "decision", services.limits.decision);
  entry.needs = "a session";
  return entry;
}

} // namespace

std::vector<route> consent_pages(const connector_services& services) {
  const consent_api api{services};
  std::vector<route> routes{
      {"GET", "/oauth/authorize", body_policy::none,
       connector_checks(services, "authorize", services.limits.authorize), with(api, show_consent)},
      {"POST", "/oauth/authorize", body_policy::form, with_origin_check(services), with(api, take_decision)},
  };
  answer_as_pages(api.pages, routes);
  return routes;
}

} // namespace roost::http
