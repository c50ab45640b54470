#pragma once

#include "domain/uuid.hpp"
#include "security/live_keys.hpp"
#include "security/secrets.hpp"
#include "security/token_shards.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::security {

/// The claims of a partner token (Partner API, Authentication, rule 1). Times are whole seconds UTC.
struct token_claims {
  std::string platform; ///< the platform's name
  domain::uuid id;
  std::chrono::sys_seconds issued;
  std::chrono::sys_seconds expires;

  bool operator==(const token_claims&) const = default;
};

/// A new token. Only the claims are stored; the text is shown once.
struct issued_token {
  std::string text; ///< opaque to partners; a JWT (RFC 7519) signed with HMAC-SHA-256
  token_claims claims;
};

/// Issues a token that is valid from `now` for `lifetime` >= 1 s. Throws std::runtime_error if signing fails.
issued_token issue_token(const signing_key& key, const std::string& platform,
                         std::chrono::system_clock::time_point now, std::chrono::seconds lifetime);

/// Returns the claims of a token that this key signed, even if it has expired. Returns nullopt for any other
/// text: another algorithm or key, missing or invalid claims, any modification.
std::optional<token_claims> verify_token(const signing_key& key, std::string_view text);

/// The last uses of the tokens that have been issued and not ended, by token id.
using live_tokens = std::unordered_map<domain::uuid, std::shared_ptr<last_use>, domain::uuid_hash>;

/// Validates the token of every partner request (Partner API, Authentication, rules 1 and 7) and records its
/// use. Thread-safe.
///
/// A token's signature is checked when it is first seen, then cached under its whole text; its lifetime, its
/// platform and its presence among the live tokens are checked every time. One of several keys must have
/// signed it, so that keys can be rotated gradually.
class token_verifier {
public:
  /// No token is live before replace_live().
  explicit token_verifier(std::vector<signing_key> keys);
  explicit token_verifier(const signing_key& key) : token_verifier(std::vector<signing_key>{key}) {}

  /// Returns whether `text` is a live token for `platform` that has not expired at `now`.
  bool accepts(std::string_view text, std::string_view platform,
               std::chrono::system_clock::time_point now) const;

  /// Returns the token's id; nullopt if the token was not signed with one of the keys.
  std::optional<domain::uuid> id_of(std::string_view text) const;

  /// Replaces the live tokens. Later calls of accepts() use the new list.
  void replace_live(std::shared_ptr<const live_tokens> live);

  /// Replaces the keys; tokens that only other keys signed are no longer accepted.
  void replace_keys(std::vector<signing_key> keys);

private:
  std::shared_ptr<const std::vector<signing_key>> keys() const;
  std::optional<token_claims> verified(std::string_view text) const;

  mutable std::mutex mutex_;
  std::shared_ptr<const std::vector<signing_key>> keys_; ///< guarded by mutex_; read for uncached tokens only
  mutable token_shards<token_claims, live_tokens, 256> shards_;
};

} // namespace roost::security
