#pragma once

#include "actors/connector/client_documents.hpp"
#include "actors/connector/connector_keeper.hpp"
#include "config/settings.hpp"
#include "domain/web_address.hpp"
#include "http/management/management_services.hpp"
#include "security/connector_tokens.hpp"

#include <chrono>
#include <string>

namespace roost::http {

/// What the connector's routes and pages work with. Made once by the composition root; it outlives the
/// server.
struct connector_services {
  const management_services* management = nullptr; ///< who is signed in, roles, rate limiter, time
  actors::connector_keeper keeper;                 ///< refreshes connections
  actors::client_documents documents;              ///< null: clients are known by registration alone
  const security::connector_tokens* tokens = nullptr;
  actors::client_document_policy document_policy{{}, {{}, {}}};
  domain::redirect_policy redirects{{}, {}};
  std::string tool_server;                  ///< whom tokens are for where nobody says
  config::rate_limit_settings limits;       ///< (Management API, Limits)
  std::chrono::milliseconds consent_form{}; ///< its lifetime
  std::chrono::milliseconds access_token{}; ///< the lifetime of one
};

} // namespace roost::http
