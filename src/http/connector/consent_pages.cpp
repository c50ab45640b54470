#include "bytes/ascii.hpp"
#include "http/access/access.hpp"
#include "http/connector/connector_api.hpp"
#include "http/pages/page_cookies.hpp"
#include "http/pages/pages_api.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"
#include "security/session_tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace roost::http {

namespace {

constexpr std::size_t challenge_length = 43; // of SHA-256 in base64url (RFC 7636, 4.2)
constexpr std::size_t max_state_length = 2'048;

bool is_challenge(std::string_view text) {
  return text.size() == challenge_length &&
         std::ranges::all_of(text, [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_'; });
}

/// An authorization request (Management API, Authorize query parameters). Missing fields are empty.
struct authorize_request {
  explicit authorize_request(const form_fields& form)
      : response_type(field_of(form, "response_type")), client_id(field_of(form, "client_id")),
        redirect_uri(field_of(form, "redirect_uri")), code_challenge(field_of(form, "code_challenge")),
        code_challenge_method(field_of(form, "code_challenge_method")), state(field_of(form, "state")),
        resource(field_of(form, "resource")), parameters(form) {}

  std::string response_type, client_id, redirect_uri, code_challenge, code_challenge_method, state, resource;
  form_fields parameters; ///< as sent, with any further ones

  /// All parameters, for the fields of the consent form.
  static constexpr std::array<std::string_view, 8> names{
      "response_type",         "client_id", "redirect_uri", "code_challenge",
      "code_challenge_method", "state",     "resource",     "scope"};
  /// Returns a parameter's value; null if the parameter was not sent.
  const std::string* value(std::string_view name) const {
    const auto sent = parameters.find(name);
    return sent == parameters.end() ? nullptr : &sent->second;
  }
};

/// An error that is reported to the client by a redirect (RFC 6749, 4.1.2.1).
struct authorize_error {
  std::string error, description;
};

/// Returns the error in a request whose client and redirect URI are verified; nullopt if there is none.
std::optional<authorize_error> error_in(const authorize_request& request) {
  if (request.response_type.empty()) return authorize_error{"invalid_request", "response_type is required"};
  if (request.response_type != "code")
    return authorize_error{"unsupported_response_type", "response_type must be code"};
  if (request.code_challenge.empty())
    return authorize_error{"invalid_request", "code_challenge is required (PKCE is mandatory)"};
  if (request.code_challenge_method != "S256")
    return authorize_error{"invalid_request", "code_challenge_method must be S256"};
  if (!is_challenge(request.code_challenge))
    return authorize_error{"invalid_request", "code_challenge is not an S256 challenge"};
  if (request.state.size() > max_state_length) return authorize_error{"invalid_request", "state is too long"};
  return std::nullopt;
}

/// Returns the 302 to the client's redirect URI, with the request's state and the issuer (RFC 9207).
response back_to_client(const authorize_request& request, const std::string& issuer,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> parameters) {
  auto location = request.redirect_uri;
  char separator = location.find('?') == std::string::npos ? '?' : '&';
  const auto add = [&](std::string_view name, std::string_view value) {
    location += separator;
    // Encoded, a value can end neither the parameter nor the header field.
    location.append(name).append(1, '=').append(percent_encoded(value));
    separator = '&';
  };
  for (const auto& [name, value] : parameters) add(name, value);
  if (const auto* state = request.value("state")) add("state", *state);
  add("iss", issuer);
  auto result = empty(302);
  result.fields = {{"Location", std::move(location)}, {"Referrer-Policy", "no-referrer"}};
  forbid_storing(result);
  return result;
}

/// A consent form that was shown to a user.
struct consent_form {
  domain::uuid id{}; ///< becomes the id of its code: a form issues at most one
  domain::timestamp expires_at{};
  std::optional<domain::uuid> session{}; ///< the browser's; nullopt if the user was not signed in
};

constexpr std::string_view consent_purpose = "consent form";
constexpr std::string_view absent = "-";

/// Returns form and request as one text. The length precedes each part, so that the text is unambiguous.
std::string sealed_text(std::string_view form, const authorize_request& request) {
  std::string text(form);
  for (const auto name : authorize_request::names) {
    const auto* value = request.value(name);
    text += '|';
    text += value == nullptr ? std::string(absent) : std::to_string(value->size()) + ':' + *value;
  }
  return text;
}

/// Returns the value of the form's field `consent`. A keyed hash binds it to the form and to all parameters
/// of the request, so that it cannot authorize another request.
std::string consent_value(const security::key_ring& keys, const consent_form& form,
                          const authorize_request& request) {
  const auto text = domain::to_string(form.id) + '.' +
                    std::to_string(form.expires_at.time_since_epoch().count()) + '.' +
                    (form.session ? domain::to_string(*form.session) : std::string(absent));
  return text + '.' + security::sealed(keys, consent_purpose, sealed_text(text, request));
}

/// Returns the form; nullopt if the value is not valid for this request, if the form has expired, or if a
/// wrong clock opened it in the future.
std::optional<consent_form> parse_consent(const security::key_ring& keys, std::string_view value,
                                          const authorize_request& request, domain::timestamp now,
                                          std::chrono::milliseconds lifetime) {
  const auto seal_at = value.rfind('.');
  if (seal_at == std::string_view::npos) return std::nullopt;
  const auto text = value.substr(0, seal_at);
  if (!security::seal_matches(keys, consent_purpose, sealed_text(text, request), value.substr(seal_at + 1)))
    return std::nullopt;
  const auto [id_text, expiry, session] = split<3>(text, '.');
  const auto id = domain::parse_uuid(id_text);
  std::int64_t milliseconds = 0;
  std::from_chars(expiry.data(), expiry.data() + expiry.size(), milliseconds);
  const domain::timestamp expires_at{std::chrono::milliseconds{milliseconds}};
  if (!id || now >= expires_at || expires_at > now + lifetime + security::access_clock_tolerance)
    return std::nullopt;
  return consent_form{*id, expires_at, domain::parse_uuid(session)};
}

/// The context of the handlers; the services outlive it.
struct consent_api {
  explicit consent_api(const connector_services& all) : services(all), pages(*all.management) {}
  const connector_services& services;
  const pages_api pages;
};

/// Returns an error page, for errors that must not be reported to the client.
response error_page(const consent_api& api, const std::string& title, const std::string& text,
                    const std::string& help) {
  return page(400, page_template::connector_refusal, {.base = api.pages.base, .title = title},
              page_row({{"text", text}, {"help", help}}));
}

response session_expired(const consent_api& api) {
  return error_page(api, "Session expired",
                    "This page was open for too long, or you have already answered it.",
                    "Nothing was authorized. Please go back to the assistant and connect it again.");
}

/// Returns the page for an unknown client or a redirect URI that is not registered or not allowed: the
/// browser must not be redirected then. Returns nullopt if it may be.
std::optional<response> untrusted_page(const consent_api& api, const authorize_request& authorization,
                                       const store::oauth_client* client) {
  if (client == nullptr)
    return error_page(
        api, "Invalid request", "The assistant that sent you here is not registered with this service.",
        "Please remove the connection in the assistant and add it again. That registers the assistant.");
  const auto& uri = authorization.redirect_uri;
  const bool is_registered = std::ranges::any_of(client->redirect_uris, [&](const std::string& registered) {
    return oauth::is_registered_redirect(registered, uri);
  });
  if (is_registered && api.services.redirects.allows(uri)) return std::nullopt;
  return error_page(api, "Invalid request",
                    "The assistant wants to send you to an address that it has not registered.",
                    "Nothing was authorized. If you did not start this yourself, you can close this page.");
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

void set_request(page_data& values, const consent_api& api, const authorize_request& authorization,
                 const std::string& resource) {
  const auto redirect = oauth::parse_web_address(authorization.redirect_uri);
  values.set("redirect_host", redirect ? redirect->origin() : authorization.redirect_uri);
  values.set("own_machine", redirect && oauth::is_loopback(*redirect));
  values.set("resource", resource);
  values.set("other_resource", resource != api.services.tool_server);
  values.set("fields", field_list(authorization));
}

/// Sets the host that identifies a client without registration, and whether it is unknown to this service.
void set_document_host(page_data& values, const consent_api& api, const std::string& client_id) {
  if (!actors::is_document_address(client_id)) return;
  values.set("document_host", actors::host_of_document(client_id));
  values.set("unknown_host", !api.services.document_policy.lists_host_of(client_id));
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
  const auto redirect = oauth::parse_web_address(authorization.redirect_uri);
  return redirect && oauth::is_loopback(*redirect) ? "https: " + redirect->origin() : "https:";
}

/// A request whose client and parameters are verified, or the response that refuses it.
struct verified_request {
  std::optional<response> refusal;
  std::optional<authorize_request> authorization; ///< set unless the parameters are malformed
  actors::shared_client client;
  std::string resource; ///< the audience of the tokens
};

response consent_page(const consent_api& api, const request& req, const verified_request& verified,
                      const std::optional<caller>& visitor) {
  const auto& authorization = *verified.authorization;
  const auto& client = *verified.client;
  const auto& management = *api.services.management;
  consent_form form{security::random_uuid(), management.now() + api.services.consent_form, {}};
  if (visitor) form.session = visitor->session_id;
  const auto current_url = "/oauth/authorize?" + std::string(req.query);
  page_data values;
  values.set("client", client.name.value_or("A connector"));
  values.set("consent", consent_value(*management.keys->get(), form, authorization));
  values.set("here", current_url);
  values.set("sign_in", "/sign-in?to=" + percent_encoded(current_url));
  set_request(values, api, authorization, verified.resource);
  set_document_host(values, api, client.id);
  set_visitor(values, api, visitor);
  return api.pages.show(req, 200, page_template::consent,
                        {.title = "Authorize " + client.name.value_or("a connector"),
                         .form_targets = targets_of(authorization)},
                        std::move(values));
}

response denied(const consent_api& api, const request& req, const authorize_request& authorization,
                std::string_view reason) {
  log::info("connection_denied", {{"client", authorization.client_id},
                                  {"reason", std::string(reason)},
                                  {"remote", req.remote_address},
                                  {"request_id", req.request_id}});
  return back_to_client(authorization, api.services.management->base_url,
                        {{"error", "access_denied"}, {"error_description", reason}});
}

/// Returns the audience of the tokens: the request's resource, or the tool server. Returns nullopt if tokens
/// must not be issued for it.
std::optional<std::string> resource_of(const authorize_request& request, const connector_services& services) {
  if (request.resource.empty()) return services.tool_server;
  return issuable_resource(request.resource, services.tool_server, *require_keys(services));
}

/// Verifies a request with these form-encoded parameters.
asio::awaitable<verified_request> verify(const consent_api& api, const request& req,
                                         std::string_view parameters) {
  verified_request verified;
  try {
    verified.authorization.emplace(read_form(parameters));
  } catch (const error&) {
    verified.refusal = error_page(api, "Invalid request", "The assistant's request is malformed.",
                                  "Please remove the connection in the assistant and add it again.");
    co_return verified;
  }
  const auto& authorization = *verified.authorization;
  auto origin = request_origin_of(req);
  if (!authorization.client_id.empty())
    verified.client = co_await client_of(api.services, authorization.client_id, std::move(origin));
  verified.refusal = untrusted_page(api, authorization, verified.client.get());
  if (verified.refusal) co_return verified;
  auto fault = error_in(authorization);
  auto resource = resource_of(authorization, api.services);
  if (!fault && !resource) fault = {"invalid_target", "This service issues no tokens for that resource"};
  if (fault)
    verified.refusal = back_to_client(authorization, api.services.management->base_url,
                                      {{"error", fault->error}, {"error_description", fault->description}});
  else
    verified.resource = *std::move(resource);
  co_return verified;
}

asio::awaitable<response> show_consent(const consent_api& api, request& req) {
  const auto verified = co_await verify(api, req, req.query);
  if (verified.refusal) co_return *verified.refusal;
  const auto visitor = co_await api.pages.visitor_of(req);
  co_return consent_page(api, req, verified, visitor);
}

asio::awaitable<response> authorize(const consent_api& api, const request& req,
                                    const verified_request& verified, const consent_form& form,
                                    const caller& visitor) {
  const auto& authorization = *verified.authorization;
  const auto& client = *verified.client;
  auto code = security::random_secret();
  store::authorization_code approved;
  approved.id = form.id;
  approved.hash = security::key_hash(code);
  approved.client_id = client.id;
  approved.client_name = client.name;
  approved.redirect_uri = authorization.redirect_uri;
  approved.challenge = authorization.code_challenge;
  approved.user_id = visitor.user->id;
  approved.epoch = visitor.user->connection_epoch;
  approved.resource = verified.resource;
  const bool is_issued =
      co_await api.services.management->connections->issue_code(std::move(approved), request_origin_of(req));
  if (!is_issued) co_return session_expired(api);
  co_return back_to_client(authorization, api.services.management->base_url, {{"code", code}});
}

asio::awaitable<response> submit_decision(const consent_api& api, request& req) {
  const auto verified = co_await verify(api, req, req.body);
  if (verified.refusal) co_return *verified.refusal;
  const auto& authorization = *verified.authorization;
  const auto& management = *api.services.management;
  const auto form = parse_consent(*management.keys->get(), field_of(authorization.parameters, "consent"),
                                  authorization, management.now(), api.services.consent_form);
  if (!form) co_return session_expired(api);
  const auto visitor = co_await api.pages.visitor_of(req);
  if (visitor && form->session != visitor->session_id) co_return session_expired(api);
  if (field_of(authorization.parameters, "decision") != "authorize")
    co_return denied(api, req, authorization, "The landlord denied the request");
  if (!visitor)
    co_return denied(api, req, authorization,
                     "Your session has ended. Please sign in again and connect once more");
  if (!usable_tools(management.roles, *visitor->user).any())
    co_return denied(api, req, authorization,
                     "No tools are enabled. Enable a tool area first and connect again");
  co_return co_await authorize(api, req, verified, *form, *visitor);
}

} // namespace

std::vector<route> consent_pages(const connector_services& services) {
  const consent_api api{services};
  std::vector<route> routes{
      {"GET", "/oauth/authorize", body_policy::none,
       serving_checks(*services.management, "authorize", services.limits.authorize), with(api, show_consent)},
      {"POST", "/oauth/authorize", body_policy::form,
       public_checks(*services.management, "decision", services.limits.decision, "a session"),
       with(api, submit_decision)},
  };
  respond_as_pages(api.pages, routes);
  return routes;
}

} // namespace roost::http
