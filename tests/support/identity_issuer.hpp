#pragma once

#include "security/digest.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::testing {

/// A generated key pair of an issuer of identity tokens.
class identity_issuer_key {
public:
  static identity_issuer_key rsa(std::string id, unsigned bits = 2048) {
    return {std::move(id), EVP_RSA_gen(bits), true};
  }
  static identity_issuer_key ec(std::string id, const char* curve = "P-256") {
    return {std::move(id), EVP_EC_gen(curve), false};
  }

  const std::string& id() const { return id_; }
  std::string_view algorithm() const { return is_rsa_ ? "RS256" : "ES256"; }

  /// Returns the public key as an entry of a JWK Set; `extra_members` start with a comma each.
  std::string jwk(const std::string& extra_members = "") const {
    const auto numbers = is_rsa_
                             ? R"("kty":"RSA","n":")" + number("n") + R"(","e":")" + number("e") + '"'
                             : R"("kty":"EC","crv":")" + curve() + R"(","x":")" + number("qx", field_size()) +
                                   R"(","y":")" + number("qy", field_size()) + '"';
    return R"({"kid":")" + id_ + R"(",)" + numbers + extra_members + '}';
  }

  /// Returns a signed token with this payload.
  std::string token(std::string_view payload) const {
    return token(R"({"alg":")" + std::string(algorithm()) + R"(","kid":")" + id_ + R"("})", payload);
  }

  /// Returns a signed token with any header.
  std::string token(std::string_view header, std::string_view payload) const {
    const auto content = security::to_base64url(header) + '.' + security::to_base64url(payload);
    return content + '.' + security::to_base64url(signature_of(content));
  }

private:
  using big_number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;

  identity_issuer_key(std::string id, EVP_PKEY* key, bool is_rsa)
      : id_(std::move(id)), key_(key, &EVP_PKEY_free), is_rsa_(is_rsa) {
    if (!key) throw std::runtime_error("key generation failed");
  }

  std::size_t field_size() const { return (static_cast<std::size_t>(EVP_PKEY_get_bits(key_.get())) + 7) / 8; }

  std::string curve() const {
    switch (EVP_PKEY_get_bits(key_.get())) {
    case 256:
      return "P-256";
    case 384:
      return "P-384";
    default:
      return "P-521";
    }
  }

  /// Returns a parameter of the public key in base64url, left-padded with zeros to `size` bytes.
  std::string number(const char* name, std::size_t size = 0) const {
    BIGNUM* value = nullptr;
    if (EVP_PKEY_get_bn_param(key_.get(), name, &value) != 1)
      throw std::runtime_error("the key has no such parameter");
    const big_number owned(value, &BN_free);
    std::vector<unsigned char> bytes(std::max(size, static_cast<std::size_t>(BN_num_bytes(value))));
    BN_bn2binpad(value, bytes.data(), static_cast<int>(bytes.size()));
    return security::to_base64url(security::byte_view(bytes));
  }

  std::string signature_of(const std::string& content) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(content.data());
    std::size_t size = 0;
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    EVP_DigestSign(context.get(), nullptr, &size, bytes, content.size());
    std::string signature(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   content.size());
    signature.resize(size);
    return is_rsa_ ? signature : as_two_numbers(signature);
  }

  /// Unwraps the two numbers of the signature (RFC 7518, 3.4), which OpenSSL encodes in ASN.1.
  std::string as_two_numbers(const std::string& wrapped) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(wrapped.data());
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> signature(
        d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(wrapped.size())), &ECDSA_SIG_free);
    const auto size = field_size();
    std::string numbers(2 * size, '\0');
    auto* const into = reinterpret_cast<unsigned char*>(numbers.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), into, static_cast<int>(size));
    BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), into + size, static_cast<int>(size));
    return numbers;
  }

  std::string id_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  bool is_rsa_;
};

/// Returns a JWK Set with these entries.
inline std::string jwk_set(const std::vector<std::string>& entries) {
  std::string text = R"({"keys":[)";
  for (const auto& entry : entries) text += (text.ends_with('[') ? "" : ",") + entry;
  return text + "]}";
}

} // namespace roost::testing
