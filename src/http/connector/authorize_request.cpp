#include "http/connector/authorize_request.hpp"

#include "bytes/ascii.hpp"
#include "domain/web_address.hpp"
#include "http/connector/oauth_messages.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr std::size_t challenge_length = 43; // of SHA-256 in base64url (RFC 7636, 4.2)
constexpr std::size_t longest_resource = 512;
constexpr std::size_t longest_state = 2'048;

std::optional<std::string> optional_field(const form_fields& from, std::string_view name) {
  const auto found = from.find(name);
  return found == from.end() ? std::nullopt : std::optional{found->second};
}

bool is_challenge(std::string_view text) {
  return text.size() == challenge_length &&
         std::ranges::all_of(text, [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_'; });
}

} // namespace

authorize_request::authorize_request(const form_fields& sent)
    : response_type(optional_field(sent, "response_type").value_or("")),
      client_id(optional_field(sent, "client_id").value_or("")),
      redirect_uri(optional_field(sent, "redirect_uri").value_or("")),
      code_challenge(optional_field(sent, "code_challenge").value_or("")),
      code_challenge_method(optional_field(sent, "code_challenge_method").value_or("")),
      state(optional_field(sent, "state")), resource(optional_field(sent, "resource")),
      scope(optional_field(sent, "scope")) {}

const std::string* authorize_request::value(std::string_view name) const {
  if (name == "response_type") return &response_type;
  if (name == "client_id") return &client_id;
  if (name == "redirect_uri") return &redirect_uri;
  if (name == "code_challenge") return &code_challenge;
  if (name == "code_challenge_method") return &code_challenge_method;
  const auto& of = name == "state" ? state : name == "resource" ? resource : scope;
  return of ? &*of : nullptr;
}

std::optional<untrusted> untrusted_part(const authorize_request& asked, const store::oauth_client* client,
                                        const domain::redirect_policy& policy) {
  if (client == nullptr) return untrusted::client;
  const bool is_registered = std::ranges::any_of(client->redirect_uris, [&](const std::string& registered) {
    return domain::is_registered_redirect(registered, asked.redirect_uri);
  });
  if (!is_registered || !policy.allows(asked.redirect_uri)) return untrusted::redirect;
  return std::nullopt;
}

std::optional<authorize_error> error_in(const authorize_request& asked) {
  if (asked.response_type.empty()) return authorize_error{"invalid_request", "response_type is required"};
  if (asked.response_type != "code")
    return authorize_error{"unsupported_response_type", "response_type must be code"};
  if (asked.code_challenge.empty())
    return authorize_error{"invalid_request", "code_challenge is required (PKCE is mandatory)"};
  if (asked.code_challenge_method != "S256")
    return authorize_error{"invalid_request", "code_challenge_method must be S256"};
  if (!is_challenge(asked.code_challenge))
    return authorize_error{"invalid_request", "code_challenge is not an S256 challenge"};
  if (asked.state && asked.state->size() > longest_state)
    return authorize_error{"invalid_request", "state is too long"};
  if (asked.resource && !asked.resource->empty() && !known_resource(*asked.resource, ""))
    return authorize_error{"invalid_target",
                           "resource must be an absolute http or https URI without a fragment"};
  return std::nullopt;
}

std::optional<std::string> known_resource(std::string_view asked, const std::string& tool_server) {
  if (asked.size() > longest_resource) return std::nullopt;
  auto named = domain::normalised_resource(asked);
  if (named && named == domain::normalised_resource(tool_server)) return tool_server;
  return named;
}

std::string resource_of(const authorize_request& asked, const std::string& tool_server) {
  if (!asked.resource || asked.resource->empty()) return tool_server;
  return known_resource(*asked.resource, tool_server).value_or(tool_server);
}

response back_to_client(const authorize_request& asked, const std::string& issuer,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> parameters) {
  auto to = asked.redirect_uri;
  char separator = to.find('?') == std::string::npos ? '?' : '&';
  const auto add = [&](std::string_view name, std::string_view value) {
    to += separator;
    to += name;
    to += '=';
    to += percent_encoded(value); // nothing of it can end the parameter or the header field
    separator = '&';
  };
  for (const auto& [name, value] : parameters) add(name, value);
  if (asked.state) add("state", *asked.state);
  add("iss", issuer);
  auto answer = empty(302);
  answer.fields = {{"Location", std::move(to)}, {"Referrer-Policy", "no-referrer"}};
  forbid_storing(answer);
  return answer;
}

} // namespace roost::http
