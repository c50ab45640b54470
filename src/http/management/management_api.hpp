#pragma once

#include "actors/connector/connector_keeper.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/sessions/identity_keys.hpp"
#include "actors/sessions/password_reset_repository.hpp"
#include "actors/sessions/session_keeper.hpp"
#include "actors/sessions/session_register.hpp"
#include "actors/sessions/sign_in_messages.hpp"
#include "actors/sessions/sign_in_repository.hpp"
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
#include <string_view>
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
  actors::sign_in sign_in; ///< checks and changes passwords
  std::shared_ptr<const actors::sign_in_repository> sign_ins;
  std::shared_ptr<const actors::password_reset_repository> password_resets;
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

/// The signed-in user who sent a request, identified by an access token, which the checks store in
/// request::context, or by the session's cookie.
struct caller {
  domain::uuid session_id{};
  std::shared_ptr<const actors::user_directory> users; ///< keeps `user` alive
  const actors::known_user* user = nullptr;
};

/// The texts of the 401s for a caller without a valid access token (Management API, Errors).
inline constexpr bearer_messages usual_messages{"Missing Authorization header", "Unauthorized",
                                                "Invalid Authorization header format", "Unauthorized",
                                                "Unauthorized"};
/// The same for /auth/me.
inline constexpr bearer_messages credential_messages{
    "Missing authentication credentials", "Invalid authentication credentials",
    "Invalid authentication credentials", "Invalid authentication credentials",
    "Invalid authentication credentials"};

/// Returns the checks of a management route, which run before the body is read, in this order: this server
/// serves (503 busy), the caller's address has requests left this minute (429), the access token is valid
/// (401), the user is not deactivated and the role has the permission (403). An empty permission accepts
/// every signed-in user. `messages` must outlive the route.
entry_rule management_checks(const management_services& services, std::string_view permission,
                             const bearer_messages& messages = usual_messages);

/// Returns the last of these checks: the access token is valid (401), and the role has the permission (403).
check token_check(const management_services& services, std::string_view permission,
                  const bearer_messages& messages = usual_messages);

/// Returns the checks of a route that programs and links of every site may use: this server serves, and the
/// caller's address has requests left in this group of routes. `needs` is what a caller must present.
entry_rule serving_checks(const management_services& services, std::string_view group, std::size_t limit,
                          std::string needs = "nothing");

/// Returns the same checks, and that no other site's page sent the request: for a route that uses cookies or
/// no credentials.
entry_rule public_checks(const management_services& services, std::string_view group, std::size_t limit,
                         std::string needs = "nothing");

/// Returns the users. Throws busy() while this server does not serve.
std::shared_ptr<const actors::user_directory> require_users(const management_services& services);

/// Returns the user of the session's cookie; nullopt without a live session of a user who is not deactivated.
/// Does not change the cookie. Assign the result to a variable: in the condition of an `if`, GCC 12 passes
/// the coroutine a dangling parameter.
asio::awaitable<std::optional<caller>> visitor_of(const management_services& services, const request& req);

/// Returns the caller. Requires that management_checks() have passed.
const caller& caller_of(const request& req);

/// Returns the routes of sign-in, sign-out and remembered browsers (Management API, Endpoints, Management
/// session).
std::vector<route> auth_routes(const management_services& services);

/// The permission to see the ledger (Management API, AI usage).
inline constexpr std::string_view usage_permission = "account_settings.module";

/// Returns the routes of the AI usage ledger (Management API, AI usage), also the one where other services
/// add records.
std::vector<route> usage_routes(const management_services& services);

/// Adds the schemas that the operations of these routes name.
void add_auth_route_schemas(json::schemas& to);
void add_usage_route_schemas(json::schemas& to);

} // namespace roost::http
