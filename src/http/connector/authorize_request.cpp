#include "http/connector/authorize_request.hpp"

#include "bytes/ascii.hpp"
#include "domain/web_address.hpp"
#include "http/connector/connector_access.hpp"
#include "http/pages/page_cookies.hpp"
#include "http/pages/pages_api.hpp"

#include <algorithm>
#include <charconv>

namespace roost::http {

namespace {

constexpr std::size_t challenge_length = 43; // of SHA-256 in base64url (RFC 7636, 4.2)
constexpr std::size_t max_resource_length = 512;
constexpr std::size_t max_state_length = 2'048;

std::optional<std::string> optional_field(const form_fields& form, std::string_view name) {
  const auto field = form.find(name);
  return field == form.end() ? std::nullopt : std::optional{field->second};
}

bool is_challenge(std::string_view text) {
  return text.size() == challenge_length &&
         std::ranges::all_of(text, [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_'; });
}

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

} // namespace

authorize_request::authorize_request(const form_fields& form)
    : response_type(field_of(form, "response_type")), client_id(field_of(form, "client_id")),
      redirect_uri(field_of(form, "redirect_uri")), code_challenge(field_of(form, "code_challenge")),
      code_challenge_method(field_of(form, "code_challenge_method")), state(optional_field(form, "state")),
      resource(optional_field(form, "resource")), scope(optional_field(form, "scope")) {}

const std::string* authorize_request::value(std::string_view name) const {
  if (name == "response_type") return &response_type;
  if (name == "client_id") return &client_id;
  if (name == "redirect_uri") return &redirect_uri;
  if (name == "code_challenge") return &code_challenge;
  if (name == "code_challenge_method") return &code_challenge_method;
  const auto& optional = name == "state" ? state : name == "resource" ? resource : scope;
  return optional ? &*optional : nullptr;
}

std::optional<untrusted> untrusted_part(const authorize_request& request, const store::oauth_client* client,
                                        const domain::redirect_policy& policy) {
  if (client == nullptr) return untrusted::client;
  const bool is_registered = std::ranges::any_of(client->redirect_uris, [&](const std::string& registered) {
    return domain::is_registered_redirect(registered, request.redirect_uri);
  });
  if (!is_registered || !policy.allows(request.redirect_uri)) return untrusted::redirect;
  return std::nullopt;
}

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
  if (request.state && request.state->size() > max_state_length)
    return authorize_error{"invalid_request", "state is too long"};
  if (request.resource && !request.resource->empty() && !known_resource(*request.resource, ""))
    return authorize_error{"invalid_target",
                           "resource must be an absolute http or https URI without a fragment"};
  return std::nullopt;
}

std::optional<std::string> known_resource(std::string_view resource, const std::string& tool_server) {
  if (resource.size() > max_resource_length) return std::nullopt;
  auto normalised = domain::normalised_resource(resource);
  if (normalised && normalised == domain::normalised_resource(tool_server)) return tool_server;
  return normalised;
}

std::string resource_of(const authorize_request& request, const std::string& tool_server) {
  if (!request.resource || request.resource->empty()) return tool_server;
  return known_resource(*request.resource, tool_server).value_or(tool_server);
}

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
  if (request.state) add("state", *request.state);
  add("iss", issuer);
  auto result = empty(302);
  result.fields = {{"Location", std::move(location)}, {"Referrer-Policy", "no-referrer"}};
  forbid_storing(result);
  return result;
}

std::string consent_value(const security::key_ring& keys, const consent_form& form,
                          const authorize_request& request) {
  const auto text = domain::to_string(form.id) + '.' +
                    std::to_string(form.expires_at.time_since_epoch().count()) + '.' +
                    (form.session ? domain::to_string(*form.session) : std::string(absent));
  return text + '.' + security::sealed(keys, consent_purpose, sealed_text(text, request));
}

std::optional<consent_form> parse_consent(const security::key_ring& keys, std::string_view value,
                                          const authorize_request& request, domain::timestamp now) {
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
  if (!id || now >= expires_at) return std::nullopt;
  return consent_form{*id, expires_at, domain::parse_uuid(session)};
}

} // namespace roost::http
