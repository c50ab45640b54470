#pragma once

#include "actors/connector/client_documents.hpp"
#include "actors/connector/connector_keeper.hpp"
#include "config/settings.hpp"
#include "domain/web_address.hpp"
#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"
#include "security/connector_tokens.hpp"

#include <chrono>
#include <string>
#include <vector>

/// The connector: the authorization server for assistants (Management API, Connector authorization).
namespace roost::http {

/// The dependencies of the connector's routes and pages. The composition root creates them once; they outlive
/// the server.
struct connector_services {
  const management_services* management = nullptr; ///< sessions, roles, rate limiter, clock
  actors::connector_keeper keeper;                 ///< refreshes connections
  actors::client_documents documents;              ///< null: clients must register
  const security::connector_tokens* tokens = nullptr;
  actors::client_document_policy document_policy{{}, {{}, {}}};
  domain::redirect_policy redirects{{}, {}};
  std::string tool_server;                  ///< the default audience of tokens
  config::rate_limit_settings limits;       ///< (Management API, Limits)
  std::chrono::milliseconds consent_form{}; ///< its lifetime
  std::chrono::milliseconds access_token{}; ///< its lifetime
};

/// The context of the connector's handlers; the services outlive it.
struct connector_api {
  const connector_services& services;
};

/// Returns the server's metadata (RFC 8414), and its key set (RFC 7517) if tokens are signed with public
/// keys.
std::vector<route> metadata_routes(const connector_services& services);

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
