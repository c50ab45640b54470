#include "security/identity_token.hpp"
#include "support/identity_issuer.hpp"
#include "support/signing.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::security::identity_token_test {

using roost::testing::identity_issuer_key;
using roost::testing::jwk_set;
using enum identity_refusal;

constexpr std::int64_t now = 1'800'000'000;

/// An issuer with a key for each algorithm.
class IdentityToken : public ::testing::Test {
protected:
  static const identity_issuer_key& rsa() {
    static const auto key = identity_issuer_key::rsa("first");
    return key;
  }
  static const identity_issuer_key& ec() {
    static const auto key = identity_issuer_key::ec("second");
    return key;
  }

  /// Returns valid claims in which `changes` replace the members of the same name; an empty value removes
  /// one.
  static std::string claims(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
    std::vector<std::pair<std::string, std::string>> members = {
        {"iss", R"("https://id.example")"},   {"aud", R"("roost-web")"},
        {"sub", R"("1029384756")"},           {"email", R"("ana@casaverde.example")"},
        {"email_verified", "true"},           {"iat", std::to_string(now - 10)},
        {"exp", std::to_string(now + 3'600)},
    };
    for (const auto& [name, value] : changes) {
      std::erase_if(members, [&changed = name](const auto& member) { return member.first == changed; });
      if (!value.empty()) members.emplace_back(name, value);
    }
    std::string text = "{";
    for (const auto& [name, value] : members) {
      if (text.size() > 1) text += ',';
      text.append("\"").append(name).append("\":").append(value);
    }
    return text + "}";
  }

  identity_verdict verdict(std::string_view token, std::int64_t at = now) const {
    return verify_identity_token(keys, {"https://id.example", "roost-web"}, token,
                                 std::chrono::system_clock::time_point{std::chrono::seconds{at}});
  }

  /// Returns why a properly signed token with these claims is refused, or nullopt if it is accepted.
  std::optional<identity_refusal> refusal(const std::vector<std::pair<std::string, std::string>>& changes,
                                          std::int64_t at = now) const {
    return refusal_of(rsa().token(claims(changes)), at);
  }

  std::optional<identity_refusal> refusal_of(std::string_view token, std::int64_t at = now) const {
    const auto result = verdict(token, at);
    if (const auto* reason = std::get_if<identity_refusal>(&result)) return *reason;
    return std::nullopt;
  }

  identity_key_set keys{jwk_set({rsa().jwk(), ec().jwk()})};
};

TEST_F(IdentityToken, IdentifiesThePersonWithEitherAlgorithm) {
  const identity_claims ana{"https://id.example", "1029384756", "ana@casaverde.example"};
  EXPECT_EQ(verdict(rsa().token(claims())), identity_verdict{ana});
  EXPECT_EQ(verdict(ec().token(claims())), identity_verdict{ana});
}

TEST_F(IdentityToken, IsRefusedIfModified) {
  const auto token = rsa().token(claims());
  const auto payload = token.find('.') + 1, signature = token.rfind('.') + 1;
  for (const auto at : {payload + 5, signature - 3, signature + 2, token.size() - 3}) {
    auto changed = token;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(refusal_of(changed), bad_signature) << at;
  }
}

TEST_F(IdentityToken, IsRefusedUnsigned) {
  const std::string header = R"({"alg":"none","kid":"first"})";
  const auto content = to_base64url(header) + '.' + to_base64url(claims());
  EXPECT_EQ(refusal_of(content + '.'), wrong_algorithm);
  EXPECT_EQ(refusal_of(content), malformed);
  const auto signed_token = rsa().token(claims());
  EXPECT_EQ(refusal_of(signed_token.substr(0, signed_token.rfind('.') + 1)), bad_signature);
}

TEST_F(IdentityToken, IsRefusedIfAnotherKeySignedIt) {
  EXPECT_EQ(refusal_of(identity_issuer_key::rsa("first").token(claims())), bad_signature);
  EXPECT_EQ(refusal_of(identity_issuer_key::ec("second").token(claims())), bad_signature);
}

TEST_F(IdentityToken, IsRefusedWithAnUnknownKeyOrNone) {
  EXPECT_EQ(refusal_of(identity_issuer_key::ec("third").token(claims())), unknown_key);
  EXPECT_EQ(refusal_of(rsa().token(R"({"alg":"RS256"})", claims())), unknown_key);
}

/// The classic attack: using the public key as an HMAC secret.
TEST_F(IdentityToken, IsRefusedIfThePublicKeyIsUsedAsASecret) {
  for (const auto& secret : {rsa().jwk(), rsa().id()}) {
    const byte_view bytes(reinterpret_cast<const unsigned char*>(secret.data()), secret.size());
    for (const auto* algorithm : {"HS256", "RS256"})
      EXPECT_EQ(refusal_of(hand_made_token(R"({"alg":")" + std::string(algorithm) + R"(","kid":"first"})",
                                           claims(), EVP_sha256(), bytes)),
                std::string_view(algorithm) == "HS256" ? wrong_algorithm : bad_signature);
  }
}

TEST_F(IdentityToken, IsRefusedWithTheAlgorithmOfAnotherKindOfKey) {
  EXPECT_EQ(refusal_of(rsa().token(R"({"alg":"ES256","kid":"first"})", claims())), wrong_algorithm);
  EXPECT_EQ(refusal_of(ec().token(R"({"alg":"RS256","kid":"second"})", claims())), wrong_algorithm);
  for (const auto* other : {"RS384", "RS512", "PS256", "ES384"})
    EXPECT_EQ(refusal_of(rsa().token(R"({"alg":")" + std::string(other) + R"(","kid":"first"})", claims())),
              wrong_algorithm)
        << other;
  for (const auto* unknown : {"rs256", "None", "NONE", "RS256 ", ""})
    EXPECT_EQ(refusal_of(rsa().token(R"({"alg":")" + std::string(unknown) + R"(","kid":"first"})", claims())),
              malformed)
        << unknown;
}

TEST_F(IdentityToken, CannotBringItsOwnKey) {
  const auto own = identity_issuer_key::rsa("first");
  EXPECT_EQ(refusal_of(own.token(R"({"alg":"RS256","kid":"first","jwk":)" + own.jwk() + "}", claims())),
            bad_signature);
}

TEST_F(IdentityToken, IsRefusedWithCriticalExtensions) {
  EXPECT_EQ(refusal_of(rsa().token(R"({"alg":"RS256","kid":"first","crit":["b64"],"b64":false})", claims())),
            malformed);
}

TEST_F(IdentityToken, MustBeForThisAudience) {
  EXPECT_EQ(refusal({{"aud", R"("other-app")"}}), wrong_audience);
  EXPECT_EQ(refusal({{"aud", R"(["other-app","roost-web"])"}}), std::nullopt);
  EXPECT_EQ(refusal({{"aud", R"(["other-app"])"}}), wrong_audience);
  for (const auto* aud :
       {"", "[]", "5", "null", R"({"roost-web":true})", R"("roost-web ")", R"([["roost-web"]])"})
    EXPECT_EQ(refusal({{"aud", aud}}), wrong_audience) << aud;
}

TEST_F(IdentityToken, MustBeFromThisIssuer) {
  for (const auto* issuer :
       {"", R"("https://id.example/")", R"("https://evil.example")", R"(["https://id.example"])"})
    EXPECT_EQ(refusal({{"iss", issuer}}), wrong_issuer) << issuer;
}

TEST_F(IdentityToken, ExpiresOnTheSecond) {
  EXPECT_EQ(refusal({{"exp", std::to_string(now + 1)}}), std::nullopt);
  EXPECT_EQ(refusal({{"exp", std::to_string(now)}}), expired);
  EXPECT_EQ(refusal({{"exp", std::to_string(now - 1)}}), expired);
  EXPECT_EQ(refusal({{"exp", std::to_string(now) + ".5"}}), std::nullopt);
  for (const auto* odd : {"", R"("1900000000")", "null", "[]"})
    EXPECT_EQ(refusal({{"exp", odd}}), malformed) << odd;
}

TEST_F(IdentityToken, MayBeIssuedByAClockAMinuteAhead) {
  for (const auto* name : {"nbf", "iat"}) {
    EXPECT_EQ(refusal({{name, std::to_string(now + 60)}}), std::nullopt) << name;
    EXPECT_EQ(refusal({{name, std::to_string(now + 61)}}), not_yet_valid) << name;
    EXPECT_EQ(refusal({{name, R"("soon")"}}), not_yet_valid) << name;
  }
}

TEST_F(IdentityToken, MustHaveAVerifiedEmailAddress) {
  EXPECT_EQ(refusal({{"email_verified", R"("true")"}}), std::nullopt);
  for (const auto* odd : {"", "false", R"("false")", "1", "null", R"("True")"})
    EXPECT_EQ(refusal({{"email_verified", odd}}), email_not_verified) << odd;
}

TEST_F(IdentityToken, MustConsistOfBase64urlWithoutPadding) {
  for (const auto* text :
       {"AAAAA=AA.e30.AAAA", "e30.AAAAA=AA.AAAA", "e30.e30.AAAAA=AA", "AAAAA.e30.AAAA", "e30=.e30.AAAA"})
    EXPECT_EQ(refusal_of(text), malformed) << text;
}

TEST_F(IdentityToken, MustHaveASubjectAndAnEmailAddress) {
  for (const auto* name : {"sub", "email"})
    for (const auto* odd : {"", R"("")", "5", "null", R"("a@b.example\u0000")"})
      EXPECT_EQ(refusal({{name, odd}}), malformed) << name << odd;
}

TEST_F(IdentityToken, MustNotHaveAZeroByteInItsSubjectOrEmailAddress) {
  EXPECT_EQ(refusal({{"sub", R"("10\u000029")"}}), malformed);
  EXPECT_EQ(refusal({{"email", R"("ana\u0000@casaverde.example")"}}), malformed);
  EXPECT_EQ(refusal({{"sub", R"("\udc00")"}}), malformed); // half of a surrogate pair: not UTF-8
  EXPECT_EQ(refusal({{"email", R"("\udc00@casaverde.example")"}}), malformed);
}

TEST_F(IdentityToken, IsRefusedIfMalformed) {
  EXPECT_EQ(refusal_of(""), malformed);
  EXPECT_EQ(refusal_of("."), malformed);
  EXPECT_EQ(refusal_of(".."), malformed);
  EXPECT_EQ(refusal_of("a.b.c.d"), malformed);
  EXPECT_EQ(refusal_of(std::string(20'000, 'a')), malformed);
  EXPECT_EQ(refusal_of(std::string("\0.\0.\0", 5)), malformed);
  EXPECT_EQ(refusal_of(rsa().token("[]")), malformed);
  EXPECT_EQ(refusal_of(rsa().token("no JSON")), malformed);
  EXPECT_EQ(refusal_of(rsa().token("\"text\"")), malformed);
}

TEST_F(IdentityToken, MayBeLong) {
  EXPECT_EQ(refusal({{"picture", '"' + std::string(4'000, 'x') + '"'}}), std::nullopt);
}

TEST(IdentityKeySet, UsesOnlyStrongSignatureKeys) {
  const auto good = identity_issuer_key::ec("good");
  const auto verdict_of = [&](const identity_issuer_key& key, const std::string& entry) {
    const identity_key_set keys(jwk_set({good.jwk(), entry}));
    return std::get<identity_refusal>(verify_identity_token(keys, {"i", "a"}, key.token("{}"), {}));
  };
  const auto rsa = identity_issuer_key::rsa("other"), weak = identity_issuer_key::rsa("other", 1024);
  const auto p384 = identity_issuer_key::ec("other", "P-384");
  EXPECT_EQ(verdict_of(rsa, rsa.jwk()), wrong_issuer); // checked only after the signature
  EXPECT_EQ(verdict_of(rsa, rsa.jwk(R"(,"use":"sig","alg":"RS256")")), wrong_issuer);
  EXPECT_EQ(verdict_of(rsa, rsa.jwk(R"(,"use":"enc")")), unknown_key);
  EXPECT_EQ(verdict_of(rsa, rsa.jwk(R"(,"alg":"PS256")")), unknown_key);
  EXPECT_EQ(verdict_of(weak, weak.jwk()), unknown_key);
  EXPECT_EQ(verdict_of(p384, p384.jwk()), unknown_key);
  EXPECT_EQ(verdict_of(rsa, R"({"kid":"other","kty":"oct","k":"c2VjcmV0"})"), unknown_key);
  EXPECT_EQ(verdict_of(rsa, R"({"kid":"other","kty":"RSA","n":"!","e":"AQAB"})"), unknown_key);
  EXPECT_EQ(verdict_of(rsa, "5"), unknown_key);
}

TEST(IdentityKeySet, MayHaveAByteOrderMark) {
  EXPECT_NO_THROW(identity_key_set("\xef\xbb\xbf" + jwk_set({identity_issuer_key::ec("first").jwk()})));
}

TEST(IdentityKeySet, IgnoresKeysThatTheLibraryCannotDecode) {
  const std::string key = R"({"kid":"k","kty":"EC","crv":"P-256","y":"AAAA","x":"AAAA")";
  for (const auto* more : {R"(,"y":"AAAAA=AA"})", R"(,"x":"AAAAA=AA"})", R"(,"d":"AAAAA=AA"})"})
    EXPECT_NO_THROW(identity_key_set(jwk_set({key + more, identity_issuer_key::ec("first").jwk()}))) << more;
}

TEST(IdentityKeySet, MustContainAUsableKey) {
  for (const auto* text : {"", "no JSON", "[]", "{}", R"({"keys":{}})", R"({"keys":[]})",
                           R"({"keys":[{"kid":"a","kty":"oct","k":"c2VjcmV0"}]})"})
    EXPECT_THROW(identity_key_set{text}, std::runtime_error) << text;
}

TEST(IdentityTokenHash, IsTheSameWithAnotherSignature) {
  EXPECT_EQ(identity_token_hash("head.claims.signature"), identity_token_hash("head.claims.other"));
  EXPECT_NE(identity_token_hash("head.claims.signature"), identity_token_hash("head.claimz.signature"));
}

} // namespace roost::security::identity_token_test
