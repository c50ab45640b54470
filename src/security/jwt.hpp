#pragma once

#include "security/secrets.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct jwt;

/// JSON Web Tokens (RFC 7519) that this service signs itself.
namespace roost::security {

/// With what a token is signed (RFC 7518, 3.1).
enum class jwt_algorithm {
  hs256, ///< HMAC-SHA-256; the key is bytes
  es256, ///< ECDSA on P-256; the key is PEM: the private one signs, the public one checks
};

struct jwt_key {
  jwt_algorithm algorithm = jwt_algorithm::hs256;
  byte_view bytes;
};

struct jwt_deleter {
  void operator()(jwt* token) const;
};

/// A token that is being made. Throws std::runtime_error when the library fails.
class jwt_writer {
public:
  /// `key_id` goes into the header when it is not empty.
  explicit jwt_writer(const jwt_key& key, const std::string& key_id = {});
  explicit jwt_writer(const signing_key& key, const std::string& key_id = {})
      : jwt_writer(jwt_key{jwt_algorithm::hs256, key}, key_id) {}

  jwt_writer& add(const char* claim, const std::string& value);
  jwt_writer& add(const char* claim, std::int64_t value);
  jwt_writer& add(const char* claim, std::chrono::sys_seconds time);

  std::string text() const;

private:
  std::unique_ptr<jwt, jwt_deleter> token_;
};

/// A token's claims, once its signature was checked.
class jwt_reader {
public:
  /// Nothing for what this key did not sign, or with another algorithm: that is ours to choose.
  static std::optional<jwt_reader> verified(std::string_view text, const jwt_key& key);
  static std::optional<jwt_reader> verified(std::string_view text, const signing_key& key) {
    return verified(text, jwt_key{jwt_algorithm::hs256, key});
  }

  std::optional<std::string> text(const char* claim) const; ///< nothing where it is empty, too
  std::optional<std::int64_t> number(const char* claim) const;
  std::optional<std::chrono::sys_seconds> time(const char* claim) const; ///< after 1970

private:
  explicit jwt_reader(jwt* token) : token_(token) {}

  std::unique_ptr<jwt, jwt_deleter> token_;
};

/// The key that a token says it was signed with; nothing where the text is no token. Nothing else that an
/// unchecked token says is ever looked at.
std::optional<std::string> key_id_of(std::string_view text);

} // namespace roost::security
