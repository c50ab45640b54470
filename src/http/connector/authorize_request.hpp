#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace roost::http {

/// What a client asks a landlord for, as its parameters say it (Management API, Authorize query parameters).
struct authorize_request {
  explicit authorize_request(const form_fields& sent);

  std::string response_type, client_id, redirect_uri, code_challenge, code_challenge_method;
  std::optional<std::string> state, resource, scope;

  /// All parameters, for the fields of the consent form.
  static constexpr std::array<std::string_view, 8> names{
      "response_type",         "client_id", "redirect_uri", "code_challenge",
      "code_challenge_method", "state",     "resource",     "scope"};
  /// Null: it was not sent.
  const std::string* value(std::string_view name) const;
};

/// Why nobody may be sent back: the client or the redirect URI is not known.
enum class untrusted { client, redirect };

/// Whether the browser may be sent to where the request says. Nothing: it may.
std::optional<untrusted> untrusted_part(const authorize_request& asked, const store::oauth_client* client,
                                        const domain::redirect_policy& policy);

/// An error that the client is told by a redirect (RFC 6749, 4.1.2.1).
struct authorize_error {
  std::string error, description;
};

/// What is wrong with a request whose client and redirect URI are good; nothing where nothing is.
std::optional<authorize_error> error_in(const authorize_request& asked);

/// Whom the tokens will be for: the request's resource, or the tool server. Only of a request without an
/// error.
std::string resource_of(const authorize_request& asked, const std::string& tool_server);

/// The same resource by its configured name where it is the tool server; nothing for what is no resource.
std::optional<std::string> known_resource(std::string_view asked, const std::string& tool_server);

/// 302 back to the client, with its state and who we are (RFC 9207).
response back_to_client(const authorize_request& asked, const std::string& issuer,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> parameters);

} // namespace roost::http
