#include "http/access/access.hpp"
#include "security/live_keys.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace roost::http::testing::access_test {

using namespace std::chrono_literals;

constexpr bearer_messages messages{"missing", "repeated", "malformed", "empty", "invalid"};

request request_with(std::vector<header_field> fields) {
  request req;
  req.fields = std::move(fields);
  return req;
}

std::string refusal_of(std::vector<header_field> fields) {
  try {
    bearer_token(request_with(std::move(fields)), messages);
  } catch (const error& refused) {
    EXPECT_EQ(refused.status, 401U);
    return refused.message;
  }
  return "none";
}

TEST(BearerToken, FollowsBearerAndOneSpace) {
  const auto req = request_with({{"authorization", "Bearer a b"}});
  EXPECT_EQ(bearer_token(req, messages), "a b");
}

TEST(BearerToken, IsRefusedWithTheAudiencesTexts) {
  EXPECT_EQ(refusal_of({}), "missing");
  EXPECT_EQ(refusal_of({{"Authorization", "Bearer a"}, {"Authorization", "Bearer a"}}), "repeated");
  for (const auto* value : {"", "a", "bearer a", "Bearer  a", "Basic a"})
    EXPECT_EQ(refusal_of({{"Authorization", value}}), "malformed") << value;
  for (const auto* value : {"Bearer", "Bearer "})
    EXPECT_EQ(refusal_of({{"Authorization", value}}), "empty") << value;
}

class BearerKey : public ::testing::Test {
protected:
  BearerKey() {
    auto live = std::make_shared<security::live_keys>();
    live->add(key.hash, {security::key_kind::usage, {}, {}, {}, use});
    keys.set(std::move(live));
  }

  bool is_accepted(std::vector<header_field> fields, security::key_kind kind = security::key_kind::usage) {
    try {
      require_bearer_key(keys, kind, request_with(std::move(fields)), now);
    } catch (const error& refused) {
      EXPECT_EQ(refused.status, 401U);
      EXPECT_EQ(refused.message, "Unauthorized");
      return false;
    }
    return true;
  }

  const domain::timestamp now = domain::timestamp{1h};
  const security::issued_key key = security::issue_key(security::key_kind::usage);
  const std::string good = "Bearer " + key.plaintext;
  std::shared_ptr<security::last_use> use = std::make_shared<security::last_use>();
  published_keys keys;
};

TEST_F(BearerKey, IsAcceptedAndNotesItsUse) {
  EXPECT_TRUE(is_accepted({{"authorization", good}}));
  EXPECT_EQ(use->minute(), 60);
}

TEST_F(BearerKey, IsFoundWithoutNotingItsUse) {
  EXPECT_TRUE(find_key(keys, security::key_kind::usage, key.plaintext));
  EXPECT_FALSE(find_key(keys, security::key_kind::api, key.plaintext));
  EXPECT_EQ(use->minute(), 0);
}

TEST_F(BearerKey, IsRefusedWithOneTextForEveryReason) {
  EXPECT_FALSE(is_accepted({}));
  EXPECT_FALSE(is_accepted({{"authorization", "Bearer uk_other"}}));
  EXPECT_FALSE(is_accepted({{"authorization", key.plaintext}}));
  EXPECT_FALSE(is_accepted({{"authorization", good}, {"authorization", good}}));
  EXPECT_FALSE(is_accepted({{"authorization", good}}, security::key_kind::tool_server));
  keys.set(nullptr);
  EXPECT_FALSE(is_accepted({{"authorization", good}}));
  EXPECT_EQ(use->minute(), 0);
}

TEST(Serving, RequiresTheSnapshotAndTheLease) {
  actors::published<int> snapshot;
  actors::held_lease lease;
  lease.hold({}, actors::held_lease::clock::time_point::max());
  EXPECT_THROW(require_serving(snapshot, lease), error);
  snapshot.set(std::make_shared<const int>(5));
  EXPECT_EQ(*require_serving(snapshot, lease), 5);
  lease.give_up();
  EXPECT_THROW(require_serving(snapshot, lease), error);
}

TEST(Permissions, FollowTheRole) {
  const role_permissions roles{{"owner", {"*"}}, {"staff", {"a", "b"}}};
  EXPECT_TRUE(has_permission(roles, "owner", "anything"));
  EXPECT_TRUE(has_permission(roles, "staff", "b"));
  EXPECT_FALSE(has_permission(roles, "staff", "c"));
  EXPECT_FALSE(has_permission(roles, "unknown", "a"));
}

TEST(Permissions, OfARoleIncludeThoseOfALesserOne) {
  const role_permissions roles{{"owner", {"*"}}, {"staff", {"a", "b"}}, {"guest", {"b"}}, {"none", {}}};
  EXPECT_TRUE(includes_role(roles, "owner", "owner"));
  EXPECT_TRUE(includes_role(roles, "owner", "staff"));
  EXPECT_FALSE(includes_role(roles, "staff", "owner"));
  EXPECT_TRUE(includes_role(roles, "staff", "staff"));
  EXPECT_TRUE(includes_role(roles, "staff", "guest"));
  EXPECT_FALSE(includes_role(roles, "guest", "staff"));
  EXPECT_TRUE(includes_role(roles, "none", "unknown")) << "neither has any";
}

TEST(UsableTools, RequireThePermissionAiAccessAndAnActiveUser) {
  const role_permissions roles{{"owner", {"Mcp"}}, {"staff", {}}};
  actors::known_user user;
  user.role = "owner";
  user.ai_access = true;
  user.tools.set(0, domain::tool_level::edit);
  EXPECT_EQ(usable_tools(roles, user), user.tools);
  auto other = user;
  other.role = "staff";
  EXPECT_FALSE(usable_tools(roles, other).any());
  other = user;
  other.ai_access = false;
  EXPECT_FALSE(usable_tools(roles, other).any());
  other = user;
  other.deactivated = true;
  EXPECT_FALSE(usable_tools(roles, other).any());
}

} // namespace roost::http::testing::access_test
