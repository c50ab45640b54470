#pragma once

#include "security/secrets.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// JSON Web Tokens (RFC 7519) that this service signs itself.
namespace roost::security {

/// With what a token is signed (RFC 7518, 3.1).
enum class jwt_algorithm {
  hs256, ///< HMAC-SHA-256
  es256, ///< ECDSA on P-256
};

/// A pair of keys on the curve P-256 (FIPS 186-4): the private scalar, and the public point's coordinates.
struct ec_key {
  sha256_digest d, x, y;
};

/// A key that signs and checks tokens, with the algorithm that it is for. Immutable; thread-safe.
class jwt_key {
public:
  explicit jwt_key(const signing_key& secret); ///< HS256
  explicit jwt_key(const ec_key& pair);        ///< ES256

  struct material; ///< keeps the library to the .cpp
  const material& operator*() const { return *material_; }

private:
  std::shared_ptr<const material> material_;
};

/// A token that is being made. Throws std::runtime_error when the library fails.
class jwt_writer {
public:
  /// `key_id` goes into the header when it is not empty.
  explicit jwt_writer(jwt_key key, std::string key_id = {});
  explicit jwt_writer(const signing_key& key, std::string key_id = {})
      : jwt_writer(jwt_key{key}, std::move(key_id)) {}

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

/// A token's claims, once its signature was checked.
class jwt_reader {
public:
  /// nullopt for what this key did not sign, or with another algorithm: the key determines it, not the token.
  static std::optional<jwt_reader> verified(std::string_view text, const jwt_key& key);
  static std::optional<jwt_reader> verified(std::string_view text, const signing_key& key) {
    return verified(text, jwt_key{key});
  }

  std::optional<std::string> text(const char* claim) const; ///< nullopt where it is empty, too
  std::optional<std::int64_t> number(const char* claim) const;
  std::optional<std::chrono::sys_seconds> time(const char* claim) const; ///< after 1970

private:
  struct document;
  explicit jwt_reader(std::shared_ptr<const document> claims) : claims_(std::move(claims)) {}

  std::shared_ptr<const document> claims_;
};

/// The key that a token names in its header; nullopt where the text is no token. Nothing else of an unchecked
/// token is ever read.
std::optional<std::string> key_id_of(std::string_view text);

} // namespace roost::security
