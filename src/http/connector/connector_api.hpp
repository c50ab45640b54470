#pragma once

#include "actors/connector/client_documents.hpp"
#include "actors/connector/connector_keeper.hpp"
#include "config/settings.hpp"
#include "http/management/management_api.hpp"
#include "http/protocol/router.hpp"
#include "http/protocol/text_encoding.hpp"
#include "oauth/urls.hpp"
#include "security/connector_tokens.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The connector: the authorization server for assistants (Management API, Connector authorization).
namespace roost::http {

/// The dependencies of the connector's routes and pages. The composition root creates them once; they outlive
/// the server.
struct connector_services {
  const management_services* management = nullptr; ///< sessions, roles, rate limiter, clock
  actors::connector_keeper keeper;                 ///< refreshes connections
  actors::client_documents documents;              ///< of the listed hosts; null: clients must register
  /// Fetches documents of unlisted hosts; separate, so that they cannot delay or evict listed ones. Null
  /// unless any host is allowed.
  actors::client_documents other_documents;
  const security::connector_tokens* tokens = nullptr;
  actors::client_document_policy document_policy{{}, {{}, {}}};
  oauth::redirect_policy redirects{{}, {}};
  std::string tool_server;                  ///< the default audience of tokens
  config::rate_limit_settings limits;       ///< (Management API, Limits)
  std::chrono::milliseconds consent_form{}; ///< its lifetime
  std::chrono::milliseconds access_token{}; ///< its lifetime
};

/// A refusal in OAuth's form (RFC 6749, 5.2; RFC 7591, 3.2.2): `{"error":…,"error_description":…}`, thrown by
/// the connector's handlers.
struct oauth_refusal : std::exception {
  oauth_refusal(unsigned status, std::string error, std::string description)
      : status(status), error(std::move(error)), description(std::move(description)) {}

  const char* what() const noexcept override { return description.c_str(); }

  unsigned status;
  std::string error, description;
};

inline oauth_refusal invalid_request(std::string description) {
  return {400, "invalid_request", std::move(description)};
}

response to_response(const oauth_refusal& refusal);

/// Adds Cache-Control: no-store, for responses that contain tokens or secrets (RFC 6749, 5.1).
void forbid_storing(response& to);

/// Lets pages of every site read the response. Only for routes that use no cookies.
void allow_every_origin(response& to);

/// Returns the route for POST and its preflight. It responds to every origin, with an oauth_refusal in
/// OAuth's form and with the protocol's refusals in the usual one.
std::vector<route> oauth_routes(const std::string& path, body_policy body, entry_rule entry, handler handle);

/// Returns the route of the CORS preflight (Fetch Standard, 3.2.2).
route preflight(std::string pattern, std::string methods);

/// Returns the parameters of a request for tokens or introspection, sent as a form or as a JSON object. JSON
/// members that are not strings are ignored. Throws oauth_refusal (invalid_request) for other bodies, for a
/// repeated parameter, and for NUL in a name or value.
form_fields oauth_parameters(request& req);

/// Returns the parameter; nullopt if it is missing or empty (RFC 6749, 3.2).
std::optional<std::string> parameter(const form_fields& form, std::string_view name);

/// Returns a resource for which tokens may be issued, in the form that tokens contain: the tool server's
/// configured URL, or the resource of another tool server's live key, if it is https or on this machine
/// (RFC 8707, 2). Returns nullopt for any other: its host could use the token elsewhere.
std::optional<std::string> issuable_resource(std::string_view resource, const std::string& tool_server,
                                             const security::live_keys& keys);

/// Returns the keys. Throws busy() while this server has not loaded them.
std::shared_ptr<const security::live_keys> require_keys(const connector_services& services);

/// Returns the registered client, or the client whose id is the URL of its document; null if there is none.
asio::awaitable<actors::shared_client> client_of(const connector_services& services, const std::string& id,
                                                 actors::request_origin origin);

/// Returns the client of a refresh. Does not fetch a client's document: the connection identifies the client,
/// and must not end because the document's host is down.
asio::awaitable<actors::shared_client> refreshing_client_of(const connector_services& services,
                                                            const std::string& id,
                                                            actors::request_origin origin);

/// Returns the server's metadata (RFC 8414), and its key set (RFC 7517) if tokens are signed with public
/// keys.
std::vector<route> metadata_routes(const connector_services& services);

/// Reads a client's metadata (Management API, OAuth client registration): a client without id, secret and
/// times. Ignores unknown members. Throws oauth_refusal.
store::oauth_client parse_registration(std::string& body, const oauth::redirect_policy& policy);

/// Returns POST /oauth/register (RFC 7591).
std::vector<route> registration_routes(const connector_services& services);

/// Returns POST /oauth/token (RFC 6749, 4.1.3 and 6).
std::vector<route> token_routes(const connector_services& services);

/// Returns POST /oauth/introspect (RFC 7662), which a tool server calls for each token that it receives.
std::vector<route> introspection_routes(const connector_services& services);

/// Returns GET and POST /oauth/authorize: the page on which a landlord authorizes an assistant, and the
/// decision (Management API, Consent page).
std::vector<route> consent_pages(const connector_services& services);

} // namespace roost::http
