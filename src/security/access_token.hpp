#pragma once

#include "domain/uuid.hpp"
#include "security/jwt.hpp"
#include "security/key_ring.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// The tokenSource of assistants' tokens (Management API, Token response).
inline constexpr const char* connector_source = "mcp";

/// What an access token says (Management API, Authentication, rule 1). Times are whole seconds of UTC.
struct access_claims {
  std::string issuer;   ///< base_url
  std::string audience; ///< whom it is for: base_url, for the management routes
  domain::uuid user_id{};
  domain::uuid session_id{}; ///< the connection's id where an assistant has the token
  std::int64_t epoch = 0;    ///< of the user's sessions: those of an earlier one have all ended
  std::chrono::sys_seconds issued{};
  std::chrono::sys_seconds expires{};
  // Of an assistant's token alone (Management API, Token response); else empty, and not in the token.
  std::string source;    ///< the claim tokenSource
  std::string client_id; ///< whom it was given to
  std::string scope;

  bool operator==(const access_claims&) const = default;
};

/// A JWT signed with this key, whose id its header tells.
std::string issue_access_token(const jwt_key& key, const std::string& key_id, const access_claims& claims);

/// The claims of an access token that this key signed, whether or not it has expired.
std::optional<access_claims> verify_access_token(const jwt_key& key, std::string_view text);

/// A JWT (RFC 7519) signed with the newest key, whose id its header tells. Throws std::runtime_error when it
/// cannot be signed.
std::string issue_access_token(const key_ring& keys, const access_claims& claims);

/// The claims of an access token that a key of the ring signed, whether or not it has expired. Every other
/// text is none: another algorithm, an unknown key, missing or odd claims, anything changed.
std::optional<access_claims> verify_access_token(const key_ring& keys, std::string_view text);

} // namespace roost::security
