#pragma once

#include "actors/connector/client_documents.hpp"
#include "actors/connector/connector_keeper.hpp"
#include "actors/runtime/published.hpp"
#include "domain/web_address.hpp"
#include "http/management/management_services.hpp"
#include "security/connector_tokens.hpp"
#include "security/last_uses.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace roost::http {

/// Requests a minute and client address (Management API, Limits); 0: no limit.
struct connector_limits {
  std::size_t discovery = 0, registration = 0, authorize = 0, decision = 0, token = 0;
};

/// A key of a tool server.
struct live_tool_server_key {
  std::string hash;
  std::string resource; ///< whose tokens it may ask about
  std::shared_ptr<security::last_use> use;
};

/// An API key that counts.
struct live_api_key {
  domain::uuid user_id{}; ///< whom it acts for
  std::shared_ptr<security::last_use> use;
};

/// By the keys' hashes.
using live_api_keys = std::map<std::string, live_api_key, std::less<>>;

/// What the connector's routes and pages work with. Made once by the composition root; it outlives the
/// server.
struct connector_services {
  const management_services* management = nullptr; ///< who is signed in, roles, rate limiter, time
  actors::connector_keeper keeper;
  actors::client_documents documents; ///< null: clients are known by registration alone
  const security::connector_tokens* tokens = nullptr;
  const actors::published<std::vector<live_tool_server_key>>* tool_server_keys = nullptr;
  const actors::published<live_api_keys>* api_keys = nullptr;
  actors::client_document_policy document_policy{{}, {{}, {}}};
  domain::redirect_policy redirects{{}, {}};
  std::string tool_server; ///< whom tokens are for where nobody says
  connector_limits limits;
  std::chrono::milliseconds consent_form{}; ///< its lifetime
  std::chrono::milliseconds access_token{}; ///< the lifetime of one
};

} // namespace roost::http
