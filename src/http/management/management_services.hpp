#pragma once

#include "actors/connector/connector_keeper.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/sessions/identity_keys.hpp"
#include "actors/sessions/session_keeper.hpp"
#include "actors/sessions/session_register.hpp"
#include "actors/sessions/sign_in_messages.hpp"
#include "actors/sessions/user_directory.hpp"
#include "actors/usage/usage_ledger.hpp"
#include "config/settings.hpp"
#include "http/access/access.hpp"
#include "http/protocol/rate_limiter.hpp"
#include "http/protocol/router.hpp"
#include "json/schema.hpp"
#include "security/secrets.hpp"
#include "security/session_tokens.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::http {

/// The dependencies of the management routes and pages. The composition root creates them once; they outlive
/// the server.
struct management_services {
  std::string base_url;
  std::shared_ptr<const actors::held_lease> lease;
  const actors::published<actors::user_directory>* users = nullptr;
  const actors::published<security::key_ring>* keys = nullptr;
  const security::access_token_verifier* access_tokens = nullptr;
  std::shared_ptr<const actors::session_register> ended;
  actors::session_keeper keeper; ///< refreshes sessions
  std::shared_ptr<const actors::session_repository> sessions;
  actors::sign_in sign_in;
  std::shared_ptr<const actors::connection_repository> connections;
  actors::identity_keys identity_keys; ///< null: third-party sign-in is not configured
  actors::usage_ledger usage;
  actors::usage_recorder usage_recorder;
  const published_keys* live_keys = nullptr; ///< of services, tool servers, assistants
  std::function<bool(const domain::uuid&)> has_account;
  role_permissions roles;
  config::rate_limit_settings limits; ///< (Management API, Limits)
  std::unique_ptr<rate_limiter> limiter = std::make_unique<rate_limiter>();
  std::chrono::milliseconds access_token{};       ///< its lifetime
  std::chrono::milliseconds remembered_browser{}; ///< the lifetime of its cookie
  actors::wall_clock now;
};

/// The context of the management handlers; the services outlive it.
struct management_api {
  const management_services& services;
};

/// Returns the routes of sign-in and sign-out (Management API, Endpoints, Management session).
std::vector<route> auth_routes(const management_services& services);

/// Adds the schemas that these routes' operations name.
void add_sign_in_route_schemas(json::schemas& to);

/// Returns the routes with which users see and forget remembered browsers.
std::vector<route> browser_routes(const management_services& services);

/// Adds the schemas that these routes' operations name.
void add_browser_route_schemas(json::schemas& to);

/// Returns the routes of the AI usage ledger (Management API, AI usage), also the one where other services
/// add records.
std::vector<route> usage_routes(const management_services& services);

/// Adds the schemas that these routes' operations name.
void add_usage_route_schemas(json::schemas& to);

} // namespace roost::http
