#pragma once

#include "domain/uuid.hpp"
#include "security/secrets.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// JSON Web Tokens (RFC 7519) signed by this service.
namespace roost::security {

/// Signature algorithms (RFC 7518, 3.1).
enum class jwt_algorithm {
  hs256, ///< HMAC-SHA-256
  es256, ///< ECDSA on P-256
};

/// A P-256 key pair (FIPS 186-4): the private scalar and the public point's coordinates.
struct ec_key {
  sha256_digest d, x, y;
};

/// A key that signs and checks tokens, with its algorithm. Immutable and thread-safe.
class jwt_key {
public:
  explicit jwt_key(const signing_key& secret); ///< HS256
  explicit jwt_key(const ec_key& pair);        ///< ES256

  struct material; ///< hides the library from includers
  const material& operator*() const { return *material_; }

private:
  std::shared_ptr<const material> material_;
};

/// Builds and signs a token. Throws std::runtime_error if the library fails.
class jwt_writer {
public:
  /// Writes `key_id` to the header unless it is empty.
  explicit jwt_writer(jwt_key key, std::string key_id = {});

  jwt_writer& add(const char* claim, const std::string& value);
  jwt_writer& add(const char* claim, std::int64_t value);
  jwt_writer& add(const char* claim, std::chrono::sys_seconds time);

  std::string text() const;

private:
  void add_name(const char* claim);

  jwt_key key_;
  std::string key_id_;
  std::string claims_; ///< JSON, without the closing brace
};

/// The claims of a token with a valid signature.
class jwt_reader {
public:
  /// Returns nullopt unless this key signed the text with the algorithm of the key, not of the token.
  static std::optional<jwt_reader> verified(std::string_view text, const jwt_key& key);

  std::optional<std::string> text(const char* claim) const; ///< nullopt if missing, empty or not a string
  std::optional<domain::uuid> id(const char* claim) const;  ///< nullopt unless in canonical form
  std::optional<std::int64_t> number(const char* claim) const;
  std::optional<std::chrono::sys_seconds> time(const char* claim) const; ///< nullopt unless after 1970

private:
  struct document;
  explicit jwt_reader(std::shared_ptr<const document> claims) : claims_(std::move(claims)) {}

  std::shared_ptr<const document> claims_;
};

/// Returns the key id in an unverified token's header; nullopt if there is none or the text is not a token.
std::optional<std::string> key_id_of(std::string_view text);

} // namespace roost::security
