#pragma once

#include "security/digest.hpp"
#include "security/token.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <string>
#include <string_view>

namespace roost::security {

/// A key of a test; every number gives another one.
inline signing_key test_key(unsigned char number) {
  signing_key key;
  key.fill(number);
  return key;
}

/// What an attacker, or another program with the key, could make: any header and payload, signed properly.
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
