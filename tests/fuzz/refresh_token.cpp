#include "fuzz/support/target.hpp"
#include "http/access/access.hpp"
#include "security/digest.hpp"
#include "security/live_keys.hpp"
#include "security/secrets.hpp"
#include "security/session_tokens.hpp"

#include <string>

/// Refresh tokens, keys and the credentials in Authorization.
namespace roost::fuzz::refresh_token {
namespace {

const security::signing_key key{1, 2, 3};
const security::key_ring ring{{{"k1", key, {}}}};

/// Returns the text of a token with the first two parts of the input.
std::string hashed(std::string_view plain) {
  return std::string{plain} + ".k1." +
         security::to_base64url(security::keyed_hash(key, "refresh token", plain));
}

void check_token(std::string_view text) {
  using security::refresh_kind;
  for (const auto kind : {refresh_kind::session, refresh_kind::connection})
    require(!security::parse_refresh_token(ring, kind, text), "a text without a hash is no refresh token");
  const auto whole = hashed(text);
  require(!security::parse_refresh_token(ring, refresh_kind::connection, whole),
          "a token of a session refreshes no connection");
  const auto token = security::parse_refresh_token(ring, refresh_kind::session, whole);
  if (!token) return;
  require(token->generation >= 1, "generations start at 1");
  const auto again = security::refresh_token_text(ring, refresh_kind::session, *token);
  require(security::parse_refresh_token(ring, refresh_kind::session, again) == token,
          "a written token is read as the same");
}

void check_bearer(std::string_view credentials) {
  http::request req;
  req.fields.push_back({"Authorization", credentials});
  try {
    const auto token = http::bearer_token(req, {"missing", "repeated", "malformed", "empty"});
    require(credentials == "Bearer " + std::string{token}, "a token is everything after the scheme");
    require(!token.empty() && token.front() != ' ', "a token is not empty");
    req.fields.push_back({"authorization", "Bearer other"});
    http::bearer_token(req, {"missing", "repeated", "malformed", "empty"});
    require(false, "a repeated field is refused");
  } catch (const http::error& refusal) {
    require(refusal.status == 401, "credentials are refused with 401");
  }
}

void check(std::string_view input) {
  check_token(input);
  check_bearer(input);
  security::live_keys keys;
  keys.add(input, {});
  keys.add(security::key_hash("uk_known"), {security::key_kind::usage});
  require(keys.find(security::key_kind::usage, input) == nullptr || input == "uk_known",
          "only the key itself is found");
  require(keys.find(security::key_kind::usage, "uk_known") != nullptr, "a key is found");
  require(keys.find(security::key_kind::api, "uk_known") == nullptr, "a key of another kind is not found");
}

const target registered{"refresh_token", "OnlyHashedRefreshTokensAreAccepted", check};

} // namespace
} // namespace roost::fuzz::refresh_token
