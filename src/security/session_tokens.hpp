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

/// What a refresh token refreshes. A token of one kind is none of the other.
enum class refresh_kind {
  session,    ///< of a browser (Management API, Session and refresh cookie)
  connection, ///< of an assistant (Management API, OAuth artifacts)
};

/// Which token of a chain it is.
struct refresh_token {
  domain::uuid chain{};        ///< the id of the session or connection
  std::int64_t generation = 0; ///< 1 at the beginning, one more with each refresh

  bool operator==(const refresh_token&) const = default;
};

/// The token's text. It follows from the chain and the generation with a keyed hash: whoever is owed a
/// successor gets the same one, and the store needs to keep nothing that a token could be made of.
std::string refresh_token_text(const key_ring& keys, refresh_kind kind, const refresh_token& token);

/// Nothing for what no key of the ring made for this kind.
std::optional<refresh_token> parse_refresh_token(const key_ring& keys, refresh_kind kind,
                                                 std::string_view text);

/// Decides for every request with an access token whether it is good. Safe to use from every thread at once.
///
/// A token's signature is checked when it is first seen, then remembered under its whole text; its lifetime
/// and its audience are looked at every time.
class access_token_verifier {
public:
  /// Whose tokens count, and where they must come from: empty, or connector_source.
  access_token_verifier(std::string issuer, std::string source)
      : issuer_(std::move(issuer)), source_(std::move(source)) {}

  /// Nothing for what is no token of ours for this audience, or has expired.
  std::optional<access_claims> claims_of(std::string_view text, std::string_view audience,
                                         std::chrono::system_clock::time_point now) const;

  /// The claims of a token whose signature is good.
  using checker = std::function<std::optional<access_claims>(std::string_view text)>;

  /// What checks signatures from now on; no token is good before the first call.
  void replace_checker(checker with);
  /// The same with HMAC and these keys.
  void replace_keys(std::shared_ptr<const key_ring> keys);

private:
  bool is_good(const access_claims& claims, std::string_view audience,
               std::chrono::system_clock::time_point now) const {
    return now < claims.expires && claims.issuer == issuer_ && claims.audience == audience &&
           claims.source == source_;
  }

  const std::string issuer_, source_;
  mutable token_shards<access_claims, checker, 1024> shards_; ///< about half a kilobyte a token
};

} // namespace roost::security
