#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::security {

/// The public keys of an issuer of identity tokens (RFC 7517, 5: a JWK Set). Of its keys those are used that
/// have an id, are for signatures, and are RSA of at least 2,048 bits or EC on the curve P-256; an issuer may
/// publish others too. Not for several threads at once.
class identity_key_set {
public:
  /// Throws std::runtime_error with one line for what is no JWK Set, and for one without a key that is used.
  explicit identity_key_set(std::string_view json);
  ~identity_key_set();
  identity_key_set(identity_key_set&&) noexcept;
  identity_key_set& operator=(identity_key_set&&) noexcept;

private:
  friend struct token_reading;
  struct key;
  std::vector<key> keys_;
};

/// Whose tokens are taken, and for whom they must have been made.
struct identity_expectation {
  std::string issuer;   ///< `iss`
  std::string audience; ///< `aud`, or one of them: our own name with the issuer
};

/// Whom a token names. (issuer, subject) is the person for good; the address may change.
struct identity_claims {
  std::string issuer, subject, email;

  bool operator==(const identity_claims&) const = default;
};

/// Why a token is not taken.
enum class identity_refusal {
  malformed, ///< no signed token, or one without what it must say
  unknown_key,
  wrong_algorithm, ///< neither RS256 nor ES256, or not that of the key
  bad_signature,
  wrong_issuer,
  wrong_audience,
  expired,
  not_yet_valid,
  email_not_verified,
};

/// The refusal's name, for the log and metrics.
std::string_view to_string(identity_refusal why);

using identity_verdict = std::variant<identity_claims, identity_refusal>;

/// How far the issuer's clock may be ahead of ours: for `nbf` and `iat`. None of it prolongs a token's life.
inline constexpr std::chrono::seconds identity_clock_tolerance{60};

/// Checks an identity token (OpenID Connect Core, 3.1.3.7, and RFC 8725): signed by one of the keys, which is
/// named by `kid`, with the algorithm of that key; made by this issuer for this audience; not expired; with a
/// subject and an address that the issuer has verified.
identity_verdict verify_identity_token(const identity_key_set& keys, const identity_expectation& expected,
                                       std::string_view token, std::chrono::system_clock::time_point now);

} // namespace roost::security
