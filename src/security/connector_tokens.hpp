#pragma once

#include "security/secrets.hpp"
#include "security/session_tokens.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::security {

/// Derives a key pair from a secret, so that only that is stored. Throws std::runtime_error on a failure.
ec_key ec_key_from(const signing_key& secret);

/// Signs and checks assistants' access tokens (Management API, Token response): with the session keys, or
/// with key pairs derived from them, whose public halves are available to every tool server. Thread-safe.
class connector_tokens {
public:
  connector_tokens(const std::string& issuer, jwt_algorithm algorithm)
      : algorithm_(algorithm), verifier_(issuer, connector_source) {}

  /// Replaces the keys. Must be called before any other function.
  void replace_keys(std::shared_ptr<const key_ring> keys);

  /// Throws std::runtime_error if signing fails.
  std::string issue(const access_claims& claims) const;

  /// Returns nullopt unless the text is an unexpired assistant's token for this audience.
  std::optional<access_claims> claims_of(std::string_view text, std::string_view audience,
                                         std::chrono::system_clock::time_point now) const {
    return verifier_.claims_of(text, audience, now);
  }

  /// Returns whether tokens can be checked without a secret.
  bool has_public_keys() const { return algorithm_ == jwt_algorithm::es256; }
  /// Returns a JSON Web Key Set (RFC 7517, 5), the newest key first.
  std::string public_keys() const;

private:
  struct named_jwt_key {
    std::string id;
    std::optional<ec_key> pair; ///< es256 only
    jwt_key key;
  };
  using key_list = std::vector<named_jwt_key>; ///< the newest first

  std::shared_ptr<const key_list> keys() const {
    const std::lock_guard lock(mutex_);
    return keys_;
  }

  const jwt_algorithm algorithm_;
  access_token_verifier verifier_;
  mutable std::mutex mutex_; ///< guards keys_
  std::shared_ptr<const key_list> keys_;
};

} // namespace roost::security
