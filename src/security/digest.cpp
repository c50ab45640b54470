#include "security/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

namespace roost::security {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

byte_view view_of(std::string_view bytes) {
  return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

/// Fetched once, because looking up an algorithm costs more than a short digest.
const EVP_MD* sha256_algorithm() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

} // namespace

sha256_digest sha256(std::string_view bytes) {
  sha256_digest digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, sha256_algorithm(), nullptr) != 1 ||
      size != digest.size())
    throw std::runtime_error("OpenSSL cannot compute a SHA-256 digest");
  return digest;
}

sha256_digest hmac_sha256(byte_view key, std::string_view bytes) {
  sha256_digest digest;
  unsigned size = 0;
  const auto text = view_of(bytes);
  if (HMAC(sha256_algorithm(), key.data(), static_cast<int>(key.size()), text.data(), text.size(),
           digest.data(), &size) == nullptr ||
      size != digest.size())
    throw std::runtime_error("OpenSSL cannot compute an HMAC");
  return digest;
}

std::string to_hex(byte_view bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) {
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 0x0f];
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = OPENSSL_hexchar2int(static_cast<unsigned char>(text[i]));
    const int low = OPENSSL_hexchar2int(static_cast<unsigned char>(text[i + 1]));
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

std::string to_base64url(byte_view bytes) {
  // EVP_EncodeBlock writes whole groups of four, and a terminating zero, which std::string has as well.
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                  static_cast<int>(bytes.size()));
  text.resize(text.find_last_not_of('=') + 1);
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

std::string to_base64url(std::string_view bytes) { return to_base64url(view_of(bytes)); }

bool equal_in_constant_time(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

} // namespace roost::security
