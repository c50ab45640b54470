#pragma once

#include "http/access/access.hpp"
#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"

#include <string_view>
#include <vector>

namespace roost::http {

/// The signed-in user who sent a request, identified by an access token, which the checks store in
/// request::context, or by the session's cookie.
struct caller {
  domain::uuid session_id{};
  std::shared_ptr<const actors::user_directory> users; ///< keeps `user` alive
  const actors::known_user* user = nullptr;
};

/// The texts of the 401s for a caller without a valid access token (Management API, Errors).
inline constexpr bearer_messages usual_messages{"Missing Authorization header", "Unauthorized",
                                                "Invalid Authorization header format", "Unauthorized"};
/// The same for /auth/me.
inline constexpr bearer_messages credential_messages{
    "Missing authentication credentials", "Invalid authentication credentials",
    "Invalid authentication credentials", "Invalid authentication credentials"};

/// Returns the checks of a management route, which run before the body is read, in this order: this server
/// serves (503 busy), the caller's address has requests left this minute (429), the access token is valid
/// (401), the user is not deactivated and the role has the permission (403). An empty permission accepts
/// every signed-in user. `messages` must outlive the route.
entry_rule management_checks(const management_services& services, std::string_view permission,
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

/// Returns the caller. Requires that management_checks() have passed.
const caller& caller_of(const request& req);

} // namespace roost::http
