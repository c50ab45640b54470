#pragma once

#include "domain/uuid.hpp"
#include "security/secrets.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// What a partner token says (Partner API, Authentication, rule 1). Times are whole seconds of UTC.
struct token_claims {
  std::string platform; ///< the platform's name
  domain::uuid id;
  std::chrono::sys_seconds issued;
  std::chrono::sys_seconds expires;

  bool operator==(const token_claims&) const = default;
};

/// A token that was just made. Only the claims are stored; the text is shown once.
struct issued_token {
  std::string text; ///< opaque to partners; a JWT (RFC 7519) signed with HMAC-SHA-256
  token_claims claims;
};

/// Makes a token that is good for `lifetime`, at least a second, from `now` on. Throws std::runtime_error
/// when it cannot be signed.
issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime);

/// The claims of a token that this key signed, whether or not it has expired. Every other text is none:
/// another algorithm or key, missing or odd claims, anything changed.
std::optional<token_claims> verify_token(const signing_key& key, std::string_view text);

/// The same, and it has not expired at `now`.
std::optional<token_claims> verify_token(const signing_key& key, std::string_view text,
                                         std::chrono::system_clock::time_point now);

} // namespace roost::security
