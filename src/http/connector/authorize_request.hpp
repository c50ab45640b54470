#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "http/connector/connector_services.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"
#include "security/secrets.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// A client's request for a landlord's authorization, and the consent form that shows it.
namespace roost::http {

/// The parameters of an authorization request (Management API, Authorize query parameters).
struct authorize_request {
  explicit authorize_request(const form_fields& form);

  std::string response_type, client_id, redirect_uri, code_challenge, code_challenge_method;
  std::optional<std::string> state, resource, scope;

  /// All parameters, for the fields of the consent form.
  static constexpr std::array<std::string_view, 8> names{
      "response_type",         "client_id", "redirect_uri", "code_challenge",
      "code_challenge_method", "state",     "resource",     "scope"};
  /// Returns a parameter's value; null if the parameter was not sent.
  const std::string* value(std::string_view name) const;
};

/// The part of a request that failed verification. The browser must not be redirected then.
enum class untrusted { client, redirect };

/// Returns the unverified part of the request; nullopt if the browser may be redirected to its redirect URI.
std::optional<untrusted> untrusted_part(const authorize_request& request, const store::oauth_client* client,
                                        const domain::redirect_policy& policy);

/// An error that is reported to the client by a redirect (RFC 6749, 4.1.2.1).
struct authorize_error {
  std::string error, description;
};

/// Returns the error in a request whose client and redirect URI are verified; nullopt if there is none.
std::optional<authorize_error> error_in(const authorize_request& request);

/// Returns the audience of the tokens: the request's resource, or the tool server. The request must be valid.
std::string resource_of(const authorize_request& request, const std::string& tool_server);

/// Returns the normalized resource, or the tool server's configured URL if it is that; nullopt if it is not a
/// valid resource.
std::optional<std::string> known_resource(std::string_view resource, const std::string& tool_server);

/// Returns the 302 to the client's redirect URI, with the request's state and the issuer (RFC 9207).
response back_to_client(const authorize_request& request, const std::string& issuer,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> parameters);

/// A consent form that was shown to a user.
struct consent_form {
  domain::uuid id{};                     ///< becomes the id of its code: a form issues at most one
  domain::timestamp expires_at{};        ///< 15 minutes after it was opened
  std::optional<domain::uuid> session{}; ///< the browser's; nullopt if the user was not signed in
};

/// Returns the value of the form's field `consent`. A keyed hash binds it to the form and to all parameters
/// of the request, so that it cannot authorize another request.
std::string consent_value(const security::key_ring& keys, const consent_form& form,
                          const authorize_request& request);

/// Returns the form; nullopt if the value is not valid for this request, or if the form has expired.
std::optional<consent_form> parse_consent(const security::key_ring& keys, std::string_view value,
                                          const authorize_request& request, domain::timestamp now);

} // namespace roost::http
