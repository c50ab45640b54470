#include "domain/storable_text.hpp"
#include "domain/uuid.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "security/digest.hpp"
#include "security/identity_token.hpp"
#include "security/jwt.hpp"
#include "security/session_tokens.hpp"
#include "security/token.hpp"
#include "support/identity_issuer.hpp"

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

/// Requires that an issuer's claims that were accepted are meant for this service, complete and valid.
void check_identity(std::string_view claims) {
  static const auto issuer = testing::identity_issuer_key::ec("a");
  static const security::identity_key_set keys{testing::jwk_set({issuer.jwk()})};
  const auto token = issuer.token(claims);
  const auto verdict_at = [&](const std::string& issuer_name, const std::string& audience,
                              std::chrono::sys_seconds moment) {
    return security::verify_identity_token(keys, {issuer_name, audience}, token, moment);
  };
  const auto verdict = verdict_at("https://id.example", "roost", now);
  const auto* identity = std::get_if<security::identity_claims>(&verdict);
  if (!identity) return;
  require(identity->issuer == "https://id.example", "an identity has its issuer");
  for (const auto* text : {&identity->subject, &identity->email})
    require(!text->empty() && domain::is_storable(*text), "the store can hold an identity");
  require(identity->expires > now, "an identity token has not expired");
  using security::identity_refusal;
  require(verdict_at("https://other.example", "roost", now) ==
              security::identity_verdict{identity_refusal::wrong_issuer},
          "an identity token has one issuer");
  require(verdict_at("https://id.example", "roost", identity->expires) ==
              security::identity_verdict{identity_refusal::expired},
          "an identity token expires");
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
  check_identity(input);
  check_keys(input);
  require(!security::verify_access_token(ring, signed_token(input, R"({"typ":"access"})")),
          "a header replaces no claims");
}

const target registered{"access_token", "OnlySignedTokensAreAccepted", check};

} // namespace
} // namespace roost::fuzz::access_token
