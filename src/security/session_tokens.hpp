#pragma once

#include "domain/uuid.hpp"
#include "security/jwt.hpp"
#include "security/secrets.hpp"
#include "security/token_shards.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// How far ahead of the clock an access token may have been issued, by a server whose clock differs. A token
/// of a later time was issued with a wrong clock and would outlive its session: it is not valid.
inline constexpr std::chrono::seconds access_clock_tolerance{60};

/// Returns how long after now the access tokens of this lifetime that have been issued so far may be valid.
constexpr std::chrono::milliseconds max_validity(std::chrono::milliseconds lifetime) {
  return lifetime + access_clock_tolerance;
}

/// The claim tokenSource of assistants' tokens (Management API, Token response).
inline constexpr const char* connector_source = "mcp";

/// The claims of an access token (Management API, Authentication, rule 1). Times are whole seconds UTC.
struct access_claims {
  std::string issuer;   ///< base_url
  std::string audience; ///< base_url for the management routes
  domain::uuid user_id{};
  domain::uuid session_id{}; ///< the connection's id in an assistant's token
  std::int64_t epoch = 0;    ///< of the user's sessions: all sessions of earlier epochs have ended
  std::chrono::sys_seconds issued{};
  std::chrono::sys_seconds expires{};
  // Only in an assistant's token (Management API, Token response); otherwise empty and omitted.
  std::string source;    ///< the claim tokenSource
  std::string client_id; ///< the client that it was issued to
  std::string scope;

  bool operator==(const access_claims&) const = default;
};

/// Returns a JWT signed with this key, whose id is in the header.
std::string issue_access_token(const jwt_key& key, const std::string& key_id, const access_claims& claims);

/// Returns the claims of an access token that this key signed, even if it has expired.
std::optional<access_claims> verify_access_token(const jwt_key& key, std::string_view text);

/// Returns a JWT (RFC 7519) signed with the newest key, named in its header. Throws std::runtime_error.
std::string issue_access_token(const key_ring& keys, const access_claims& claims);

/// Returns the claims of an access token that a key of the ring signed, even if it has expired. Returns
/// nullopt for any other text: another algorithm, an unknown key, missing or invalid claims, any
/// modification.
std::optional<access_claims> verify_access_token(const key_ring& keys, std::string_view text);

/// What a refresh token refreshes. A token of one kind is not valid as the other.
enum class refresh_kind {
  session,    ///< of a browser (Management API, Session and refresh cookie)
  connection, ///< of an assistant (Management API, OAuth artifacts)
};

/// The position of a token in its chain.
struct refresh_token {
  domain::uuid chain{};        ///< the id of the session or connection
  std::int64_t generation = 0; ///< starts at 1, incremented by each refresh

  bool operator==(const refresh_token&) const = default;
};

/// Returns the token's text. A keyed hash derives it from chain and generation, so that repeated refreshes
/// get the same successor and the store contains nothing from which a token could be constructed.
std::string refresh_token_text(const key_ring& keys, refresh_kind kind, const refresh_token& token);

/// Returns nullopt unless a key of the ring created the text for this kind.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, refresh_kind kind,
                                                 std::string_view text);

/// Validates the access token of every request. Thread-safe.
///
/// A token's signature is checked when it is first seen, then cached under its whole text; its lifetime and
/// audience are checked every time.
class access_token_verifier {
public:
  /// Takes the issuer and the source that tokens must have; the source is empty or connector_source.
  access_token_verifier(std::string issuer, std::string source)
      : issuer_(std::move(issuer)), source_(std::move(source)) {}

  /// Returns nullopt unless the text is an unexpired token that this service issued for this audience, and
  /// not in the future.
  std::optional<access_claims> claims_of(std::string_view text, std::string_view audience,
                                         std::chrono::system_clock::time_point now) const;

  /// Returns the claims of a token, or nullopt if its signature is invalid.
  using checker = std::function<std::optional<access_claims>(std::string_view text)>;

  /// Replaces the signature check and clears the cache; no token is valid before the first call.
  void replace_checker(checker replacement);
  /// Replaces the signature check by one with HMAC and these keys.
  void replace_keys(std::shared_ptr<const key_ring> keys);

private:
  bool is_valid(const access_claims& claims, std::string_view audience,
                std::chrono::system_clock::time_point now) const {
    return now < claims.expires && claims.issued <= now + access_clock_tolerance &&
           claims.issuer == issuer_ && claims.audience == audience && claims.source == source_;
  }

  const std::string issuer_, source_;
  mutable token_shards<access_claims, checker, 1024> shards_; ///< about half a kilobyte per token
};

} // namespace roost::security
