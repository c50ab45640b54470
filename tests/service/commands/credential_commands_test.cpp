#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// roost token, key and webhook-key. For their effect on a running server see authentication_test.cpp.
namespace roost::testing::credential_commands_test {
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const std::string id = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                  moment = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z";

ROOST_FOR_EACH_STORE(TokenCommands);

TEST_P(TokenCommands, IssueListAndRevoke) {
  const workplace place(GetParam());
  EXPECT_THAT(place.run_or_throw({"token", "list"}), IsEmpty());
  const auto first = place.issue_token("marketplace-a"),
             second = place.issue_token("landlord-one", {"--ttl", "90d"});
  EXPECT_NE(first, second);
  EXPECT_THAT(first, MatchesRegex("[-_.A-Za-z0-9]+"));
  const auto list = place.run_or_throw({"token", "list"});
  EXPECT_THAT(lines_of(list),
              UnorderedElementsAre(MatchesRegex(id + "  marketplace-a  issued " + moment + "  expires " +
                                                moment + "  never used  live"),
                                   MatchesRegex(id + "  landlord-one  issued " + moment + "  expires " +
                                                moment + "  never used  live")));
  EXPECT_THAT(list, AllOf(Not(HasSubstr(first)), Not(HasSubstr(second)))); // tokens are shown only once

  const auto first_id = list.substr(0, 36);
  const auto revoked = place.run({"token", "revoke", first_id});
  EXPECT_EQ(revoked.status, 0);
  EXPECT_THAT(revoked.output + revoked.errors, IsEmpty());
  EXPECT_THAT(lines_of(place.run_or_throw({"token", "list"})),
              UnorderedElementsAre(MatchesRegex(first_id + ".*  ended " + moment), MatchesRegex(".*  live")));
  const auto again = place.run({"token", "revoke", first_id});
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.errors, "roost: there is no live token with the id " + first_id + "\n");
}

TEST_P(TokenCommands, ReplaceOnlyThePlatformsEarlierTokens) {
  const workplace place(GetParam());
  place.issue_token("marketplace-a");
  place.issue_token("marketplace-a");
  place.issue_token("marketplace-b");
  place.issue_token("marketplace-a", {"--replace"});
  const auto list = lines_of(place.run_or_throw({"token", "list"}));
  EXPECT_THAT(list, UnorderedElementsAre(
                        MatchesRegex(".*marketplace-a.*ended.*"), MatchesRegex(".*marketplace-a.*ended.*"),
                        MatchesRegex(".*marketplace-b.*live"), MatchesRegex(".*marketplace-a.*live")));
}

TEST_P(TokenCommands, KeepTheSecretsPrivate) {
  const workplace place(GetParam());
  place.issue_token("marketplace-a");
  const auto secrets = place.folder() / "secrets.toml";
  EXPECT_EQ(std::filesystem::status(secrets).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::permissions(secrets, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"token", "issue", "--platform", "marketplace-a"}, {"serve"}}) {
    const auto result = place.run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("secrets.toml"), HasSubstr("run: chmod 600 ")));
  }
}

ROOST_FOR_EACH_STORE(KeyCommands);

TEST_P(KeyCommands, IssueListAndRevokeAccountKeys) {
  const workplace place(GetParam());
  place.import(portfolio_of(0));
  auto key = place.run_or_throw({"key", "issue", "--account", account_id});
  key.pop_back();
  EXPECT_THAT(key, MatchesRegex("rk_[-_A-Za-z0-9]{43}"));
  const auto list = place.run_or_throw({"key", "list"});
  EXPECT_THAT(lines_of(list),
              ElementsAre(MatchesRegex(id + "  account " + account_id + "  …" + key.substr(key.size() - 4) +
                                       "  created " + moment + "  never used  live")));
  EXPECT_THAT(list, Not(HasSubstr(key)));
  place.run_or_throw({"key", "revoke", list.substr(0, 36)});
  EXPECT_THAT(place.run_or_throw({"key", "list"}), HasSubstr("  ended "));
  EXPECT_EQ(place.run({"key", "revoke", list.substr(0, 36)}).errors,
            "roost: there is no live account key with the id " + list.substr(0, 36) + "\n");
}

TEST_P(KeyCommands, RequireAnExistingAccount) {
  const workplace place(GetParam());
  const auto result = place.run({"key", "issue", "--account", account_id});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_EQ(result.errors, "roost: there is no account with the id " + account_id + "\n");
}

TEST_P(KeyCommands, IssueListAndRevokeWebhookKeys) {
  const workplace place(GetParam());
  auto key = place.run_or_throw({"webhook-key", "issue"});
  key.pop_back();
  EXPECT_THAT(key, MatchesRegex("wk_[-_A-Za-z0-9]{43}"));
  const auto list = place.run_or_throw({"webhook-key", "list"});
  EXPECT_THAT(lines_of(list), ElementsAre(MatchesRegex(id + "  …" + key.substr(key.size() - 4) +
                                                       "  created " + moment + "  never used  live")));
  EXPECT_THAT(list, Not(HasSubstr(key)));
  place.run_or_throw({"webhook-key", "revoke", list.substr(0, 36)});
  EXPECT_THAT(place.run_or_throw({"webhook-key", "list"}), HasSubstr("  ended "));
  EXPECT_EQ(place.run({"webhook-key", "revoke", list.substr(0, 36)}).status, 1);
}

TEST_P(KeyCommands, ShowTheLabelOfACredential) {
  const workplace place(GetParam());
  place.import(portfolio_of(0));
  const auto is_listed = [&](const std::string& kind, std::vector<std::string> issue) {
    issue.insert(issue.begin(), {kind, "issue"});
    issue.insert(issue.end(), {"--label", "Ana's, since May"});
    place.run_or_throw(issue);
    return place.run_or_throw({kind, "list"}).find("  Ana's, since May  ") != std::string::npos;
  };
  EXPECT_TRUE(is_listed("token", {"--platform", "marketplace-a"}));
  EXPECT_TRUE(is_listed("key", {"--account", account_id}));
  EXPECT_TRUE(is_listed("webhook-key", {}));
  EXPECT_TRUE(is_listed("usage-key", {}));
  EXPECT_TRUE(is_listed("tool-server-key", {}));
  EXPECT_TRUE(is_listed("api-key", {"ana@casaverde.example"}));
  EXPECT_THAT(place.run_or_throw({"audit", "list"}), HasSubstr("marketplace-a, Ana's, since May"));
}

TEST_P(KeyCommands, RefuseLabelsOfSeveralLinesOrExcessiveLength) {
  const workplace place(GetParam());
  for (const auto& label : {std::string("two\nlines"), std::string(201, 'a')}) {
    const auto refused = place.run({"webhook-key", "issue", "--label", label});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors, HasSubstr("--label must be one line of at most 200 bytes"));
  }
  EXPECT_THAT(place.run_or_throw({"webhook-key", "list"}), IsEmpty());
}

ROOST_FOR_EACH_STORE(LastUses);

TEST_P(LastUses, AreShownToTheMinute) {
  const workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto key = place.issue_account_key(account_id);
  const header_fields with_key{{"svc-api-key", key}};
  place.issue_token("marketplace-a");
  running_roost server(place);
  EXPECT_EQ(server.partner_of("booking-engine").get("/listings/u1", with_key).status, 200U);
  EXPECT_EQ(server.stop(), 0);
  const std::string to_the_minute = "  last used [0-9-]{10}T[0-9]{2}:[0-9]{2}:00\\.000Z  live";
  EXPECT_THAT(lines_of(place.run_or_throw({"token", "list"})),
              ::testing::IsSupersetOf(std::vector<::testing::Matcher<std::string>>{
                  MatchesRegex(id + "  marketplace-a  .*  never used  live"),
                  MatchesRegex(id + "  booking-engine  .*" + to_the_minute)}));
  EXPECT_THAT(lines_of(place.run_or_throw({"key", "list"})),
              ElementsAre(MatchesRegex(id + ".*" + to_the_minute)));
}

TEST_P(KeyCommands, RotateTheKeyOfPartnerTokensGradually) {
  const workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto before = place.issue_token("marketplace-a");
  running_roost server(place);
  const auto status_of = [&](const std::string& token) {
    return send_request(server.port(), "GET", "/marketplace-a/listings",
                        {{"Authorization", "Bearer " + token}})
        .status;
  };
  EXPECT_EQ(status_of(before), 200U);
  place.run_or_throw({"secrets", "rotate", "--partner-tokens"});
  const auto after = place.issue_token("marketplace-a");
  EXPECT_EQ(status_of(before), 200U);
  EXPECT_EQ(status_of(after), 200U);
  EXPECT_EQ(place.run({"secrets", "retire"}).status, 2);
  EXPECT_EQ(status_of(before), 200U) << "not confirmed";
  place.run_or_throw({"secrets", "retire", "--confirm"});
  EXPECT_EQ(status_of(before), 401U);
  EXPECT_EQ(status_of(after), 200U);
  EXPECT_EQ(server.stop(), 0);
  const running_roost next(place);
  EXPECT_EQ(
      send_request(next.port(), "GET", "/marketplace-a/listings", {{"Authorization", "Bearer " + after}})
          .status,
      200U)
      << "the store accepts the file";
  EXPECT_THAT(place.run_or_throw({"audit", "list"}), HasSubstr("secrets retire"));
}

} // namespace roost::testing::credential_commands_test
