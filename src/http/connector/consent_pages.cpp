#include "domain/web_address.hpp"
#include "http/access/access.hpp"
#include "http/connector/authorize_request.hpp"
#include "http/connector/connector_access.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages_api.hpp"
#include "http/protocol/text_encoding.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

namespace roost::http {

namespace {

/// The context of the handlers; the services outlive it.
struct consent_api {
  explicit consent_api(const connector_services& all) : services(all), pages(*all.management) {}
  const connector_services& services;
  const pages_api pages;
};

/// Returns an error page, for errors that must not be reported to the client.
response error_page(const consent_api& api, const std::string& title, const std::string& text,
                    const std::string& help) {
  page_frame frame;
  frame.base = api.pages.base;
  frame.title = title;
  return page(400, page_template::connector_refusal, frame, page_row({{"text", text}, {"help", help}}));
}

response session_expired(const consent_api& api) {
  return error_page(api, "Session expired",
                    "This page was open for too long, or you have already answered it.",
                    "Nothing was authorized. Please go back to the assistant and connect it again.");
}

response invalid_request_page(const consent_api& api, untrusted part) {
  if (part == untrusted::client)
    return error_page(
        api, "Invalid request", "The assistant that sent you here is not registered with this service.",
        "Please remove the connection in the assistant and add it again. That registers the assistant.");
  return error_page(api, "Invalid request",
                    "The assistant wants to send you to an address that it has not registered.",
                    "Nothing was authorized. If you did not start this yourself, you can close this page.");
}

response malformed_page(const consent_api& api) {
  return error_page(api, "Invalid request", "The assistant's request is malformed.",
                    "Please remove the connection in the assistant and add it again.");
}

/// Returns why the user cannot authorize an assistant.
std::string no_tools_text(const consent_api& api, const actors::known_user& user) {
  if (!has_permission(api.services.management->roles, user.role, connector_permission))
    return "Your role does not let you connect assistants. Please ask your account's administrator.";
  if (!user.ai_access) return "AI access is switched off for you. Please ask your account's administrator.";
  return "No tool area is enabled for your account. Enable at least one in the account's AI settings first.";
}

page_data area_list(const domain::tool_access& tools) {
  page_data rows{page_data::type::list};
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area)
    if (const auto level = tools.level(area); level != domain::tool_level::off)
      rows.push_back(page_row({{"title", std::string(domain::tool_areas.at(area).title)},
                               {"level", level == domain::tool_level::edit ? "Edit" : "Read-only"}}));
  return rows;
}

page_data field_list(const authorize_request& authorization) {
  page_data rows{page_data::type::list};
  for (const auto name : authorize_request::names)
    if (const auto* value = authorization.value(name))
      rows.push_back(page_row({{"name", std::string(name)}, {"value", *value}}));
  return rows;
}

void set_request(page_data& values, const consent_api& api, const authorize_request& authorization) {
  const auto redirect = domain::parse_web_address(authorization.redirect_uri);
  const auto resource = resource_of(authorization, api.services.tool_server);
  values.set("redirect_host", redirect ? redirect->origin() : authorization.redirect_uri);
  values.set("own_machine", redirect && domain::is_loopback(*redirect));
  values.set("resource", resource);
  values.set("other_resource", resource != api.services.tool_server);
  values.set("fields", field_list(authorization));
}

void set_visitor(page_data& values, const consent_api& api, const std::optional<caller>& visitor) {
  values.set("signed_in", visitor.has_value());
  if (!visitor) return;
  const auto& user = *visitor->user;
  const auto tools = usable_tools(api.services.management->roles, user);
  values.set("email", user.email);
  values.set("company", user.company_name);
  values.set("has_tools", tools.any());
  values.set("areas", area_list(tools));
  if (!tools.any()) values.set("no_tools", no_tools_text(api, user));
}

/// Returns the targets that the page's policy must allow, because browsers apply it to the redirect that
/// answers the form: the client's address, and https addresses that the client redirects to.
std::string targets_of(const authorize_request& authorization) {
  const auto redirect = domain::parse_web_address(authorization.redirect_uri);
  return redirect && domain::is_loopback(*redirect) ? "https: " + redirect->origin() : "https:";
}

response consent_page(const consent_api& api, const request& req, const authorize_request& authorization,
                      const store::oauth_client& client, const std::optional<caller>& visitor) {
  const auto& management = *api.services.management;
  consent_form form{security::random_uuid(), management.now() + api.services.consent_form, {}};
  if (visitor) form.session = visitor->session_id;
  const auto name = client.name.value_or("a connector");
  const auto here = "/oauth/authorize?" + std::string(req.query);
  page_frame frame;
  frame.title = "Authorize " + name;
  frame.form_targets = targets_of(authorization);
  page_data values;
  values.set("client", client.name.value_or("A connector"));
  values.set("consent", consent_value(*management.keys->get(), form, authorization));
  values.set("here", here);
  values.set("sign_in", "/sign-in?to=" + percent_encoded(here));
  set_request(values, api, authorization);
  set_visitor(values, api, visitor);
  return api.pages.show(req, 200, page_template::consent, std::move(frame), std::move(values));
}

response denied(const consent_api& api, const authorize_request& authorization, std::string_view reason) {
  log::info("connection_denied", {{"client", authorization.client_id}, {"reason", std::string(reason)}});
  return back_to_client(authorization, api.services.management->base_url,
                        {{"error", "access_denied"}, {"error_description", reason}});
}

/// The result of verifying a request.
struct verified_request {
  std::optional<response> refusal;
  actors::shared_client client;
};

asio::awaitable<verified_request> verify(const consent_api& api, const authorize_request& authorization) {
  verified_request verified;
  if (!authorization.client_id.empty())
    verified.client = co_await client_of(api.services, authorization.client_id);
  if (const auto part = untrusted_part(authorization, verified.client.get(), api.services.redirects))
    verified.refusal = invalid_request_page(api, *part);
  else if (const auto fault = error_in(authorization))
    verified.refusal = back_to_client(authorization, api.services.management->base_url,
                                      {{"error", fault->error}, {"error_description", fault->description}});
  co_return verified;
}

/// Returns the parameters; nullopt if they are malformed or one is repeated.
std::optional<form_fields> parameters_in(std::string_view text) try {
  return read_form(text);
} catch (const error&) {
  return std::nullopt;
}

asio::awaitable<response> show_consent(const consent_api& api, request& req) {
  const auto parameters = parameters_in(req.query);
  if (!parameters) co_return malformed_page(api);
  const authorize_request authorization(*parameters);
  const auto verified = co_await verify(api, authorization);
  if (verified.refusal) co_return *verified.refusal;
  const auto visitor = co_await api.pages.visitor_of(req);
  co_return consent_page(api, req, authorization, *verified.client, visitor);
}

asio::awaitable<response> authorize(const consent_api& api, const authorize_request& authorization,
                                    const store::oauth_client& client, const consent_form& form,
                                    const caller& visitor) {
  auto code = security::random_secret();
  store::authorization_code approved;
  approved.id = form.id;
  approved.hash = security::key_hash(code);
  approved.client_id = client.id;
  approved.client_name = client.name;
  approved.redirect_uri = authorization.redirect_uri;
  approved.challenge = authorization.code_challenge;
  approved.user_id = visitor.user->id;
  approved.resource = resource_of(authorization, api.services.tool_server);
  const bool is_issued = co_await api.services.management->connections->issue_code(std::move(approved));
  if (!is_issued) co_return session_expired(api);
  co_return back_to_client(authorization, api.services.management->base_url, {{"code", code}});
}

asio::awaitable<response> take_decision(const consent_api& api, request& req) {
  const auto parameters = parameters_in(req.body);
  if (!parameters) co_return malformed_page(api);
  const authorize_request authorization(*parameters);
  const auto verified = co_await verify(api, authorization);
  if (verified.refusal) co_return *verified.refusal;
  const auto& management = *api.services.management;
  const auto form = parse_consent(*management.keys->get(), field_of(*parameters, "consent"), authorization,
                                  management.now());
  if (!form) co_return session_expired(api);
  const auto visitor = co_await api.pages.visitor_of(req);
  if (visitor && form->session != visitor->session_id) co_return session_expired(api);
  if (field_of(*parameters, "decision") != "authorize")
    co_return denied(api, authorization, "The landlord denied the request");
  if (!visitor)
    co_return denied(api, authorization,
                     "Your session has ended. Please sign in again and connect once more");
  if (!usable_tools(management.roles, *visitor->user).any())
    co_return denied(api, authorization, "No tools are enabled. Enable a tool area first and connect again");
  co_return co_await authorize(api, authorization, *verified.client, *form, *visitor);
}

} // namespace

std::vector<route> consent_pages(const connector_services& services) {
  const consent_api api{services};
  std::vector<route> routes{
      {"GET", "/oauth/authorize", body_policy::none,
       serving_checks(*services.management, "authorize", services.limits.authorize), with(api, show_consent)},
      {"POST", "/oauth/authorize", body_policy::form,
       public_checks(*services.management, "decision", services.limits.decision, "a session"),
       with(api, take_decision)},
  };
  answer_as_pages(api.pages, routes);
  return routes;
}

} // namespace roost::http
