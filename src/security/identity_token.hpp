#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::security {

/// The public keys of an issuer of identity tokens (RFC 7517, 5: a JWK Set). Only signature keys with an id
/// are used, either RSA of at least 2,048 bits or EC on the curve P-256; others are ignored. Not thread-safe.
class identity_key_set {
public:
  /// Throws std::runtime_error with one line if the text is not a JWK Set or contains no usable key.
  explicit identity_key_set(std::string_view json);

  struct key; ///< hides the library from includers
  const std::vector<key>& keys() const { return *keys_; }

private:
  std::shared_ptr<const std::vector<key>> keys_;
};

/// The issuer and the audience that a token must have.
struct identity_expectation {
  std::string issuer;   ///< `iss`
  std::string audience; ///< must be in `aud`: our client id at the issuer
};

/// The person that a token identifies. (issuer, subject) is permanent; the email address may change.
struct identity_claims {
  std::string issuer, subject, email;
  std::chrono::sys_seconds expires{}; ///< of the token

  /// Compares the person.
  bool operator==(const identity_claims& other) const {
    return issuer == other.issuer && subject == other.subject && email == other.email;
  }
};

/// Returns a hash that identifies a signed token, to recognize its second use. It leaves out the signature,
/// because other valid signatures of the same token can be computed.
std::string identity_token_hash(std::string_view token);

/// Why a token is refused.
enum class identity_refusal {
  malformed, ///< not a signed token, or a required claim is missing
  unknown_key,
  wrong_algorithm, ///< neither RS256 nor ES256, or not the key's algorithm
  bad_signature,
  wrong_issuer,
  wrong_audience,
  expired,
  not_yet_valid,
  email_not_verified,
};

/// Returns the refusal's name for logs and metrics.
std::string_view to_string(identity_refusal refusal);

using identity_verdict = std::variant<identity_claims, identity_refusal>;

/// How far the issuer's clock may be ahead of ours, for `nbf` and `iat`; `exp` has no tolerance.
inline constexpr std::chrono::seconds identity_clock_tolerance{60};

/// Checks an identity token (OpenID Connect Core, 3.1.3.7, and RFC 8725). The key that `kid` names must have
/// signed it with its own algorithm; issuer and audience must be as expected; it must not have expired, and
/// it must have a subject and a verified email address.
identity_verdict verify_identity_token(const identity_key_set& keys, const identity_expectation& expected,
                                       std::string_view token, std::chrono::system_clock::time_point now);

} // namespace roost::security
