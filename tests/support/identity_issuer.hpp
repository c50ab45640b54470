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

/// A key pair of an issuer of identity tokens, made for one test.
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

  /// The public half as an entry of a JWK Set; `more` are further members, each with its comma before it.
  std::string jwk(const std::string& more = "") const {
    const auto numbers = is_rsa_
                             ? R"("kty":"RSA","n":")" + number("n") + R"(","e":")" + number("e") + '"'
                             : R"("kty":"EC","crv":")" + curve() + R"(","x":")" + number("qx", field_size()) +
                                   R"(","y":")" + number("qy", field_size()) + '"';
    return R"({"kid":")" + id_ + R"(",)" + numbers + more + '}';
  }

  /// A token with this payload, signed.
  std::string token(std::string_view payload) const {
    return token(R"({"alg":")" + std::string(algorithm()) + R"(","kid":")" + id_ + R"("})", payload);
  }

  /// One with any header.
  std::string token(std::string_view header, std::string_view payload) const {
    const auto content = security::to_base64url(header) + '.' + security::to_base64url(payload);
    return content + '.' + security::to_base64url(signature_of(content));
  }

private:
  using big_number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;

  identity_issuer_key(std::string id, EVP_PKEY* key, bool is_rsa)
      : id_(std::move(id)), key_(key, &EVP_PKEY_free), is_rsa_(is_rsa) {
    if (!key) throw std::runtime_error("no key was made");
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

  /// A part of the public key in base64url, with zeros before it up to `size` bytes.
  std::string number(const char* name, std::size_t size = 0) const {
    BIGNUM* found = nullptr;
    if (EVP_PKEY_get_bn_param(key_.get(), name, &found) != 1)
      throw std::runtime_error("the key has no such part");
    const big_number owned(found, &BN_free);
    std::vector<unsigned char> bytes(std::max(size, static_cast<std::size_t>(BN_num_bytes(found))));
    BN_bn2binpad(found, bytes.data(), static_cast<int>(bytes.size()));
    return security::to_base64url(security::byte_view(bytes));
  }

  std::string signature_of(const std::string& content) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(content.data());
    std::size_t size = 0;
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    EVP_DigestSign(context.get(), nullptr, &size, bytes, content.size());
    std::string made(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size, bytes,
                   content.size());
    made.resize(size);
    return is_rsa_ ? made : as_two_numbers(made);
  }

  /// RFC 7518, 3.4: OpenSSL wraps the two numbers of the signature in ASN.1.
  std::string as_two_numbers(const std::string& wrapped) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(wrapped.data());
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> signature(
        d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(wrapped.size())), &ECDSA_SIG_free);
    const auto size = field_size();
    std::string both(2 * size, '\0');
    auto* const into = reinterpret_cast<unsigned char*>(both.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), into, static_cast<int>(size));
    BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), into + size, static_cast<int>(size));
    return both;
  }

  std::string id_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  bool is_rsa_;
};

/// A JWK Set of entries.
inline std::string jwk_set(const std::vector<std::string>& entries) {
  std::string text = R"({"keys":[)";
  for (const auto& entry : entries) text += (text.ends_with('[') ? "" : ",") + entry;
  return text + "]}";
}

} // namespace roost::testing
