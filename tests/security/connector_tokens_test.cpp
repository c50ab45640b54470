#include "security/connector_tokens.hpp"
#include "security/random.hpp"

#include <gtest/gtest.h>

namespace roost::security::connector_tokens_test {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds noon{std::chrono::seconds{1'795'435'200}};
const std::string tools = "https://tools.example/mcp";

named_key random_key(const std::string& id) {
  named_key key;
  key.id = id;
  fill_random(key.key);
  return key;
}

access_claims some_claims() {
  access_claims claims;
  claims.issuer = "https://roost.example";
  claims.audience = tools;
  claims.user_id = random_uuid();
  claims.session_id = random_uuid();
  claims.issued = noon;
  claims.expires = noon + 15min;
  claims.source = connector_source;
  claims.client_id = "mcp-1";
  claims.scope = "bookings team";
  return claims;
}

class ConnectorTokens : public ::testing::TestWithParam<jwt_algorithm> {
protected:
  void use(std::vector<named_key> keys) {
    tokens.replace_keys(std::make_shared<const key_ring>(std::move(keys)));
  }

  connector_tokens tokens{"https://roost.example", GetParam()};
  const named_key first = random_key("first"), second = random_key("second");
};

TEST_P(ConnectorTokens, ReturnTheirClaims) {
  use({first});
  const auto claims = some_claims();
  EXPECT_EQ(tokens.claims_of(tokens.issue(claims), tools, noon), claims);
}

TEST_P(ConnectorTokens, AreValidOnlyForTheirAudienceAndLifetime) {
  use({first});
  const auto text = tokens.issue(some_claims());
  EXPECT_FALSE(tokens.claims_of(text, "https://other.example", noon));
  EXPECT_TRUE(tokens.claims_of(text, tools, noon + 15min - 1ms));
  EXPECT_FALSE(tokens.claims_of(text, tools, noon + 15min));
}

TEST_P(ConnectorTokens, AreNotSessionTokens) {
  use({first});
  auto claims = some_claims();
  claims.source.clear();
  EXPECT_FALSE(tokens.claims_of(tokens.issue(claims), tools, noon));
}

TEST_P(ConnectorTokens, SurviveKeyRotation) {
  use({first});
  const auto before = tokens.issue(some_claims());
  use({second, first});
  EXPECT_TRUE(tokens.claims_of(before, tools, noon));
  EXPECT_TRUE(tokens.claims_of(tokens.issue(some_claims()), tools, noon));
  use({second});
  EXPECT_FALSE(tokens.claims_of(before, tools, noon)) << "the key was dropped";
}

TEST_P(ConnectorTokens, AreRefusedIfACharacterChanges) {
  use({first});
  const auto text = tokens.issue(some_claims());
  for (std::size_t i = 0; i + 1 < text.size(); i += 7) { // the last character has unused bits
    auto changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(tokens.claims_of(changed, tools, noon)) << i;
  }
}

TEST_P(ConnectorTokens, AreRefusedWithTheOtherAlgorithm) {
  use({first});
  connector_tokens other("https://roost.example",
                         GetParam() == jwt_algorithm::hs256 ? jwt_algorithm::es256 : jwt_algorithm::hs256);
  other.replace_keys(std::make_shared<const key_ring>(std::vector{first}));
  EXPECT_FALSE(tokens.claims_of(other.issue(some_claims()), tools, noon));
}

INSTANTIATE_TEST_SUITE_P(WithEachAlgorithm, ConnectorTokens,
                         ::testing::Values(jwt_algorithm::hs256, jwt_algorithm::es256));

TEST(PublicKeys, AreDerivedFromTheSecret) {
  const auto key = random_key("one");
  const auto first = ec_key_from(key.key), again = ec_key_from(key.key),
             other = ec_key_from(random_key("two").key);
  EXPECT_EQ(first.d, again.d);
  EXPECT_EQ(first.x, again.x);
  EXPECT_EQ(first.y, again.y);
  EXPECT_NE(first.d, other.d);
  EXPECT_NE(first.x, other.x);
}

/// All servers of an installation share the secret, so the derivation must never change.
TEST(PublicKeys, NeverChangeForAKnownSecret) {
  signing_key secret;
  secret.fill(7);
  EXPECT_EQ(to_base64url(ec_key_from(secret).x), "tRRqMpABTk6y_yZtagKd6Rv2-PkOyYWT3AtSpx3unDk");
}

TEST(PublicKeys, AreListedNewestFirst) {
  connector_tokens tokens("https://roost.example", jwt_algorithm::es256);
  tokens.replace_keys(std::make_shared<const key_ring>(std::vector{random_key("new"), random_key("old")}));
  const auto listed = tokens.public_keys();
  EXPECT_LT(listed.find("\"kid\":\"new\""), listed.find("\"kid\":\"old\""));
  EXPECT_EQ(listed.find("\"d\""), std::string::npos) << "the private half";
}

} // namespace roost::security::connector_tokens_test
