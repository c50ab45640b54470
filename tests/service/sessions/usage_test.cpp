#include "service/support/web_browser.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

/// The ledger of AI model calls (Management API, AI usage).
namespace roost::testing::usage_test {
using ::testing::HasSubstr;

constexpr const char* other_account = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002";

std::string usage_id(unsigned n) {
  char text[40];
  std::snprintf(text, sizeof text, "44444444-0000-4000-8000-%012x", n);
  return text;
}

/// Returns a record of a service, with edits.
std::string record(unsigned n, const std::vector<edit>& edits = {}) {
  return edited(R"({"id":")" + usage_id(n) + R"(","accountId":")" + account_id +
                    R"(","feature":"landlord_chat","provider":"vendor","model":"model-1","inputTokens":10,)"
                    R"("outputTokens":5,"cost":0.1,"pricingSnapshot":{"currency":"USD","perMTok":{"input":3,)"
                    R"("output":15}},"createdAt":"2026-11-20T10:00:00.000Z"})",
                edits);
}

/// A server with a usage key, and Ana, an Admin, signed in.
struct usage_fixture : management_fixture {
  explicit usage_fixture(store_kind kind) : management_fixture(kind), ana(browser()) {
    key = place.run_or_throw({"usage-key", "issue"});
    key.resize(key.find('\n'));
    token = string_at(sign_in(ana), "/token");
  }

  raw_response add(const std::string& json) { return add(json, key); }
  raw_response add(const std::string& json, const std::string& bearer) {
    return send_request(server->port(), "POST", "/ai-usage/records",
                        {{"Authorization", "Bearer " + bearer}, {"Content-Type", "application/json"}}, json);
  }
  raw_response get(const std::string& path) { return ana.get(path, token); }

  /// Waits until the ledger has this many records.
  void wait_for(unsigned records) {
    ASSERT_TRUE(
        eventually([&] { return json_at(get("/ai-usage").body, "/total") == std::to_string(records); }));
  }

  web_browser ana;
  std::string key, token;
};

class Usage : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(Usage);
ROOST_FOR_SQLITE(UsageOverHttp);

TEST_P(Usage, IsAnEmptyPageForAnUnusedAccount) {
  usage_fixture fixture(GetParam());
  const auto page = fixture.get("/ai-usage");
  EXPECT_EQ(page.status, 200U);
  EXPECT_EQ(page.body, R"({"items":[],"total":0,"page":1,"limit":50})");
  EXPECT_EQ(fixture.get("/ai-usage?page=0x10").body, R"({"items":[],"total":0,"page":16,"limit":50})");
  EXPECT_EQ(fixture.get("/ai-usage/summary").status, 200U);
  EXPECT_EQ(json_at(fixture.get("/ai-usage/summary").body, "/totals/cost"), "0");
}

TEST_P(Usage, AddedByAServiceIsListedAndSummedUp) {
  usage_fixture fixture(GetParam());
  const auto added = fixture.add("[" + record(1) + "," +
                                 record(2, {{"/cost", "0.2"},
                                            {"/feature", R"("faq_generation")"},
                                            {"/createdAt", R"("2026-11-21T10:00:00.000Z")"}}) +
                                 "]");
  EXPECT_EQ(added.status, 202U);
  EXPECT_EQ(added.body, R"({"received":2,"accepted":2})");
  fixture.wait_for(2);
  const auto page = fixture.get("/ai-usage?limit=1");
  EXPECT_EQ(json_at(page.body, "/total"), "2");
  EXPECT_EQ(json_at(page.body, "/items/0/id"), '"' + usage_id(2) + '"');
  EXPECT_EQ(json_at(fixture.get("/ai-usage?limit=1&page=2").body, "/items/0/id"), '"' + usage_id(1) + '"');
  EXPECT_EQ(json_at(fixture.get("/ai-usage?feature=faq_generation").body, "/total"), "1");
  const auto summary = fixture.get("/ai-usage/summary").body;
  EXPECT_THAT(
      summary,
      HasSubstr(R"("totals":{"calls":2,"inputTokens":20,"outputTokens":10,)"
                R"("cacheCreationInputTokens":0,"cacheReadInputTokens":0,"totalTokens":30,"cost":0.3})"));
  EXPECT_EQ(json_at(summary, "/breakdown/0/pricePerMTok"), R"({"input":3,"output":15})");
  EXPECT_EQ(json_at(fixture.get("/ai-usage/summary?from=2026-11-21").body, "/totals/calls"), "1");
}

TEST_P(Usage, IsGroupedByUserOrDayOnRequest) {
  usage_fixture fixture(GetParam());
  fixture.add("[" + record(1, {{"/userId", R"("u1")"}}) + "," +
              record(2, {{"/cost", "0.2"}, {"/createdAt", R"("2026-11-21T10:00:00.000Z")"}}) + "]");
  fixture.wait_for(2);
  const auto summary = fixture.get("/ai-usage/summary").body;
  EXPECT_EQ(json_at(summary, "/groups"), "");
  const auto by_day = fixture.get("/ai-usage/summary?groupBy=day").body;
  EXPECT_THAT(by_day, ::testing::StartsWith(summary.substr(0, summary.size() - 1) + R"(,"groups":[{"day":)"));
  EXPECT_EQ(json_at(by_day, "/groups/0/day"), R"("2026-11-20")");
  EXPECT_EQ(json_at(by_day, "/groups/1/cost"), "0.2");
  const auto by_user = fixture.get("/ai-usage/summary?groupBy=user&from=2026-11-20").body;
  EXPECT_EQ(json_at(by_user, "/groups/0/userId"), R"("u1")");
  EXPECT_EQ(json_at(by_user, "/groups/1/userId"), "null");
  EXPECT_EQ(fixture.get("/ai-usage/summary?groupBy=model").status, 400U);
}

TEST_P(Usage, IsCountedOnceWhenSentRepeatedly) {
  usage_fixture fixture(GetParam());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(fixture.add(record(1, {{"/cost", std::to_string(i + 1)}})).status, 202U);
  fixture.add(record(2));
  fixture.wait_for(2);
  EXPECT_EQ(json_at(fixture.get("/ai-usage/summary").body, "/totals/cost"), "1.1");
}

TEST_P(Usage, IsNotShownForOtherAccountsOrWithoutAnAccount) {
  usage_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(0, {{account_pointer + "/id", '"' + std::string(other_account) + '"'},
                                        {account_pointer + "/landlordKey", R"("other")"},
                                        {account_pointer + "/users", "[]"},
                                        {account_pointer + "/properties", "[]"}}));
  fixture.add("[" + record(1, {{"/accountId", '"' + std::string(other_account) + '"'}}) + "," +
              record(2, {{"/accountId", "null"}}) + "," + record(3) + "]");
  fixture.wait_for(1);
  EXPECT_EQ(json_at(fixture.get("/ai-usage").body, "/items/0/id"), '"' + usage_id(3) + '"');
  EXPECT_EQ(json_at(fixture.get("/ai-usage/summary").body, "/totals/calls"), "1");
}

TEST_P(UsageOverHttp, RequiresAnAccessTokenAndPermissionToRead) {
  usage_fixture fixture(GetParam());
  const auto port = fixture.server->port();
  for (const auto* path : {"/ai-usage", "/ai-usage/summary"}) {
    EXPECT_EQ(send_request(port, "GET", std::string(path) + "?page=0").body,
              unauthorized("Missing Authorization header"));
    for (const auto& token : {fixture.place.issue_token("marketplace-a"), fixture.key})
      EXPECT_EQ(fixture.ana.get(path, token).body, unauthorized("Unauthorized"));
  }
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", R"("Viewer")"}}));
  const auto viewer = string_at(fixture.sign_in(fixture.ana), "/token");
  const auto refused = fixture.ana.get("/ai-usage?page=0", viewer);
  EXPECT_EQ(refused.status, 403U);
  EXPECT_EQ(refused.body, error_body(403, "Forbidden resource", "ForbiddenException"));
}

TEST_P(UsageOverHttp, ReportsTheErrorsOfAQuery) {
  usage_fixture fixture(GetParam());
  EXPECT_EQ(fixture.get("/ai-usage?foo=1&page=0").body,
            bad_request("property foo should not exist, page must not be less than 1"));
  EXPECT_EQ(fixture.get("/ai-usage/summary?page=1").body, bad_request("property page should not exist"));
  EXPECT_EQ(send_request(fixture.server->port(), "POST", "/ai-usage").body,
            not_found("Cannot POST /ai-usage"));
}

TEST_P(UsageOverHttp, RequiresAUsageKeyToAdd) {
  usage_fixture fixture(GetParam());
  const auto port = fixture.server->port();
  const std::string refusal = unauthorized("Unauthorized");
  EXPECT_EQ(
      send_request(port, "POST", "/ai-usage/records", {{"Content-Type", "application/json"}}, record(1)).body,
      refusal);
  for (const auto& other :
       {fixture.token, fixture.place.issue_token("marketplace-a"), fixture.key + "x", std::string("uk_")}) {
    const auto refused = fixture.add("no JSON", other);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.body, refusal);
  }
  auto listed = fixture.place.run_or_throw({"usage-key", "list"});
  fixture.place.run_or_throw({"usage-key", "revoke", listed.substr(0, listed.find(' '))});
  EXPECT_EQ(fixture.add(record(1)).body, refusal);
  EXPECT_EQ(json_at(fixture.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, ReportsAnInvalidRecordAndStoresNone) {
  usage_fixture fixture(GetParam());
  EXPECT_EQ(fixture.add("[" + record(1) + "," + record(2, {{"/cost", "-1"}}) + "]").body,
            bad_request("1.cost must not be less than 0"));
  EXPECT_EQ(fixture.add(record(1, {{"/accountId", '"' + std::string(other_account) + '"'}})).body,
            bad_request("accountId is not the id of an account"));
  EXPECT_EQ(send_request(fixture.server->port(), "POST", "/ai-usage/records",
                         {{"Authorization", "Bearer " + fixture.key}, {"Content-Type", "text/plain"}},
                         record(1))
                .status,
            415U);
  EXPECT_EQ(json_at(fixture.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, AcceptedByTheServerIsWrittenBeforeItStops) {
  usage_fixture fixture(GetParam());
  std::string many = "[" + record(1);
  for (unsigned n = 2; n <= 1000; ++n) many += "," + record(n);
  EXPECT_EQ(fixture.add(many + "]").status, 202U);
  EXPECT_EQ(fixture.server->stop(), 0);
  EXPECT_EQ(store_rows(fixture.place.store().open(), "select cast(count(*) as text) from ai_usage", 1),
            std::vector<std::string>{"1000"});
}

TEST_P(Usage, FromAFileIsImportedOnce) {
  usage_fixture fixture(GetParam());
  const auto file = (fixture.place.folder() / "usage.jsonl").string();
  std::ofstream(file) << record(1) << "\n\n" << record(2) << "\r\n" << record(1) << "\n";
  EXPECT_THAT(fixture.place.run_or_throw({"usage", "import", file}),
              HasSubstr("3 records: 2 new, 1 already known"));
  EXPECT_THAT(fixture.place.run_or_throw({"usage", "import", file}),
              HasSubstr("3 records: 0 new, 3 already known"));
  EXPECT_EQ(json_at(fixture.get("/ai-usage/summary").body, "/totals/cost"), "0.2");
}

TEST_P(Usage, FromAFileWithAnInvalidLineIsNotImported) {
  usage_fixture fixture(GetParam());
  const auto file = (fixture.place.folder() / "usage.jsonl").string();
  std::ofstream(file) << record(1) << "\n" << record(2, {{"/cost", "-1"}}) << "\n{]\n";
  auto refused = fixture.place.run({"usage", "import", file});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.errors, file + ": line 2: /cost: must not be less than 0\n" + file +
                                ": line 3: column 2: is not JSON: Missing a name for object member\n");
  std::ofstream(file) << record(1) << "\n"
                      << record(2, {{"/accountId", '"' + std::string(other_account) + '"'}});
  refused = fixture.place.run({"usage", "import", file});
  EXPECT_EQ(refused.errors, file + ": line 2: /accountId: is not the id of an account\n");
  EXPECT_EQ(json_at(fixture.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, FromAFileWithManyProblemsReportsAHundred) {
  const workplace place(GetParam());
  const auto file = (place.folder() / "usage.jsonl").string();
  std::ofstream lines(file);
  for (int i = 0; i < 103; ++i) lines << "[]\n";
  lines.close();
  const auto refused = place.run({"usage", "import", file});
  EXPECT_THAT(refused.errors, HasSubstr(": line 100: must be an object\n"));
  EXPECT_THAT(refused.errors, HasSubstr(": and 3 more problems\n"));
}

} // namespace roost::testing::usage_test
