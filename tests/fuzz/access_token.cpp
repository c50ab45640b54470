#include "domain/uuid.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "security/digest.hpp"
#include "security/identity_token.hpp"
#include "security/jwt.hpp"
#include "security/session_tokens.hpp"
#include "security/token.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <variant>

/// Tokens that requests carry: access tokens, partner tokens and identity tokens. An input is a token, claims
/// that a token is signed with, or the keys of an issuer.
namespace roost::fuzz::access_token {
namespace {

using namespace std::chrono_literals;

const security::signing_key key{1, 2, 3};
const security::key_ring ring{{{"k1", key, {}}}};
const std::chrono::sys_seconds now{1'800'000'000s};

/// Returns `header.claims.signature` with a valid signature.
std::string signed_token(std::string_view header, std::string_view claims) {
  const auto text = security::to_base64url(header) + '.' + security::to_base64url(claims);
  return text + '.' + security::to_base64url(security::hmac_sha256(key, text));
}

/// Requires that text of a caller without a key is never accepted.
void check_unsigned(std::string_view text) {
  require(!security::verify_access_token(ring, text), "a text without a signature is no access token");
  require(!security::verify_token(key, text), "a text without a signature is no partner token");
  static const security::identity_key_set no_matching_keys{
      R"({"keys":[{"kty":"EC","crv":"P-256","kid":"a","use":"sig",)"
      R"("x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})"};
  const auto verdict =
      security::verify_identity_token(no_matching_keys, {"https://id.example", "roost"}, text, now);
  const auto* refusal = std::get_if<security::identity_refusal>(&verdict);
  require(refusal != nullptr, "a text without a signature is no identity token");
  require(!security::to_string(*refusal).empty(), "a refusal has a name");
  require(security::identity_token_hash(text).size() >= 32, "every text has a hash");
}

/// Requires that claims that were accepted are complete.
void check_signed(std::string_view claims) {
  const auto text = signed_token(R"({"alg":"HS256","typ":"JWT","kid":"k1"})", claims);
  if (const auto accepted = security::verify_access_token(ring, text)) {
    require(!accepted->issuer.empty() && !accepted->audience.empty(),
            "a token has an issuer and an audience");
    require(accepted->issued < accepted->expires, "a token expires after it was issued");
    const auto again = security::verify_access_token(ring, security::issue_access_token(ring, *accepted));
    require(again == accepted, "issued claims are read as the same");
  }
  if (const auto accepted = security::verify_token(key, text))
    require(!accepted->platform.empty() && accepted->issued < accepted->expires,
            "a partner token is complete");
  require(!security::verify_access_token(ring, signed_token(R"({"alg":"none","kid":"k1"})", claims)),
          "a token chooses no algorithm");
  require(!security::verify_access_token(ring, signed_token(R"({"alg":"HS256","kid":"k2"})", claims)),
          "a token has a known key");
}

void check_keys(std::string_view text) {
  try {
    const security::identity_key_set keys{text};
  } catch (const std::runtime_error& error) {
    require_one_line(error.what());
  }
}

void check(std::string_view input) {
  check_unsigned(input);
  check_signed(input);
  check_keys(input);
  require(!security::verify_access_token(ring, signed_token(input, R"({"typ":"access"})")),
          "a header replaces no claims");
}

const target registered{"access_token", "OnlySignedTokensAreAccepted", check};

} // namespace
} // namespace roost::fuzz::access_token
