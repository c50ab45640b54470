#include "security/key.hpp"

#include "security/digest.hpp"
#include "security/random.hpp"

#include <array>

namespace roost::security {

namespace {

issued_key issue(std::string_view prefix) {
  auto plaintext = std::string(prefix) + random_secret();
  auto hash = key_hash(plaintext);
  auto last4 = plaintext.substr(plaintext.size() - 4);
  return {std::move(plaintext), std::move(hash), std::move(last4)};
}

} // namespace

issued_key issue_account_key() { return issue("rk_"); }

issued_key issue_webhook_key() { return issue("wk_"); }

issued_key issue_usage_key() { return issue("uk_"); }

issued_key issue_tool_server_key() { return issue("tk_"); }

issued_key issue_api_key() { return issue("ak_"); }

std::string random_secret() {
  std::array<unsigned char, 32> bytes;
  fill_random(bytes);
  return to_base64url(bytes);
}

std::string key_hash(std::string_view plaintext) { return to_hex(sha256(plaintext)); }

bool key_matches(std::string_view presented, std::string_view hash) {
  return equal_in_constant_time(key_hash(presented), hash);
}

} // namespace roost::security
