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

/// The pair that follows from a secret, always the same one: nothing else has to be kept or changed. Throws
/// std::runtime_error when the cryptographic library fails.
ec_key ec_key_from(const signing_key& secret);

/// Signs and checks the access tokens of assistants (Management API, Token response): with the keys of
/// sessions, or with pairs of keys that follow from them, whose public halves every tool server may have. Any
/// thread.
class connector_tokens {
public:
  connector_tokens(const std::string& issuer, jwt_algorithm algorithm)
      : algorithm_(algorithm), verifier_(issuer, connector_source) {}

  /// The keys that count from now on; there must be some before the next call of another function.
  void replace_keys(std::shared_ptr<const key_ring> keys);

  /// Throws std::runtime_error when it cannot be signed.
  std::string issue(const access_claims& claims) const;

  /// Nothing for what is no assistant's token of ours for this audience, or has expired.
  std::optional<access_claims> claims_of(std::string_view text, std::string_view audience,
                                         std::chrono::system_clock::time_point now) const {
    return verifier_.claims_of(text, audience, now);
  }

  /// Whether tokens can be checked without a secret.
  bool has_public_keys() const { return algorithm_ == jwt_algorithm::es256; }
  /// A JSON Web Key Set (RFC 7517, 5), the newest key first.
  std::string public_keys() const;

private:
  struct named_pair {
    std::string id;
    ec_key pair;
    jwt_key key;
  };
  /// What the ring is for the algorithm.
  struct key_material {
    std::shared_ptr<const key_ring> ring;
    std::vector<named_pair> pairs; ///< of es256, as the ring has them

    std::optional<access_claims> check(std::string_view text) const;
  };

  std::shared_ptr<const key_material> material() const {
    const std::lock_guard lock(mutex_);
    return material_;
  }

  const jwt_algorithm algorithm_;
  access_token_verifier verifier_;
  mutable std::mutex mutex_; ///< guards the next one
  std::shared_ptr<const key_material> material_;
};

} // namespace roost::security
