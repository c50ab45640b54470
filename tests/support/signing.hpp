#pragma once

#include "security/digest.hpp"
#include "security/token.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <string>
#include <string_view>

namespace roost::security {

/// Returns a test key, distinct for each number.
inline signing_key test_key(unsigned char number) {
  signing_key key;
  key.fill(number);
  return key;
}

/// Returns a correctly signed token with any header and payload, as an attacker or another program with the
/// key could create.
inline std::string hand_made_token(std::string_view header, std::string_view payload, const EVP_MD* digest,
                                   byte_view key) {
  const auto content = to_base64url(header) + '.' + to_base64url(payload);
  unsigned char mac[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(digest, key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(content.data()), content.size(), mac, &size);
  return content + '.' + to_base64url(byte_view(mac, size));
}

} // namespace roost::security
