#pragma once

#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"

#include <string_view>
#include <vector>

namespace roost::http {

/// Who sends a request with an access token: what the checks leave in request::context.
struct caller {
  domain::uuid session_id{};
  std::shared_ptr<const actors::user_directory> users; ///< keeps `user` alive
  const actors::known_user* user = nullptr;
};

/// How a route refuses a caller without a good access token (Management API, Errors).
enum class access_wording {
  usual,       ///< Missing Authorization header, Invalid Authorization header format, Unauthorized
  credentials, ///< of /auth/me: Missing, and Invalid authentication credentials
};

/// What a management route checks before its body is read, in this order: this server serves (503 busy), the
/// caller's address has requests left this minute (429), the access token (401), the user is not deactivated
/// and the role has the permission (403). An empty permission: anybody who is signed in.
entry_rule management_checks(const management_services& services, std::string_view permission,
                             access_wording wording = access_wording::usual);

/// What a route checks that works with cookies or starts without any: this server serves, the address has
/// requests left in this group of routes, no other site's page sends it.
entry_rule public_checks(const management_services& services, std::string_view group, std::size_t limit);

/// The users (require_serving).
std::shared_ptr<const actors::user_directory> require_users(const management_services& services);

/// Who asks. Only behind management_checks().
const caller& caller_of(const request& req);

} // namespace roost::http
