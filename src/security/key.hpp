#pragma once

#include <string>
#include <string_view>

namespace roost::security {

/// A key that was just made. Only hash and last4 are ever stored; the plaintext is shown once.
struct issued_key {
  std::string plaintext; ///< a prefix that tells its use, and 256 random bits in base64url
  std::string hash;      ///< as key_hash()
  std::string last4;     ///< its last four characters, for people to tell keys apart
};

/// `rk_…`: a landlord account's key for a booking engine, the header `svc-api-key` (Partner API,
/// Authentication, rule 4).
issued_key issue_account_key();

/// `wk_…`: marketplace A's key, the header `x-api-key` (Partner API, Authentication, rule 3).
issued_key issue_webhook_key();

/// `uk_…`: the key of a service that adds to the AI usage ledger.
issued_key issue_usage_key();

/// `tk_…`: the key of a tool server that asks about tokens.
issued_key issue_tool_server_key();

/// `ak_…`: a client's key for the tool server, in a user's name.
issued_key issue_api_key();

/// 256 random bits in base64url, without a prefix: a challenge, a remembered browser, a link.
std::string random_secret();

/// SHA-256 in hex. A key has 256 random bits, so that nothing slower is needed against guessing.
std::string key_hash(std::string_view plaintext);

/// Whether `presented` is the key of `hash`, in constant time.
bool key_matches(std::string_view presented, std::string_view hash);

} // namespace roost::security
