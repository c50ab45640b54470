#include "service/support/store_rows.hpp"
#include "service/support/web_browser.hpp"

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

/// A record of a service, then changed.
std::string record(unsigned n, const std::vector<edit>& edits = {}) {
  return edited(R"({"id":")" + usage_id(n) + R"(","accountId":")" + account_id +
                    R"(","feature":"landlord_chat","provider":"vendor","model":"model-1","inputTokens":10,)"
                    R"("outputTokens":5,"cost":0.1,"pricingSnapshot":{"currency":"USD","perMTok":{"input":3,)"
                    R"("output":15}},"createdAt":"2026-11-20T10:00:00.000Z"})",
                edits);
}

/// A landlord's office whose ledger other services add to. Ana is an Admin.
struct usage_scene : management_scene {
  explicit usage_scene(store_kind kind) : management_scene(kind), ana(browser()) {
    key = place.run_well({"usage-key", "issue"});
    key.resize(key.find('\n'));
    token = text_at(sign_in(ana), "/token");
  }

  raw_response add(const std::string& json) { return add(json, key); }
  raw_response add(const std::string& json, const std::string& with) {
    return ask(server->port(), "POST", "/ai-usage/records",
               {{"Authorization", "Bearer " + with}, {"Content-Type", "application/json"}}, json);
  }
  raw_response get(const std::string& path) { return ana.get(path, token); }

  /// Waits until so many records are in the ledger.
  void wait_for(unsigned records) {
    ASSERT_TRUE(
        eventually([&] { return json_at(get("/ai-usage").body, "/total") == std::to_string(records); }));
  }

  web_browser ana;
  std::string key, token;
};

class Usage : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(Usage);

TEST_P(Usage, OfNobodyIsAnEmptyPage) {
  usage_scene scene(GetParam());
  const auto page = scene.get("/ai-usage");
  EXPECT_EQ(page.status, 200U);
  EXPECT_EQ(page.body, R"({"items":[],"total":0,"page":1,"limit":50})");
  EXPECT_EQ(scene.get("/ai-usage?page=0x10").body, R"({"items":[],"total":0,"page":16,"limit":50})");
  EXPECT_EQ(scene.get("/ai-usage/summary").status, 200U);
  EXPECT_EQ(json_at(scene.get("/ai-usage/summary").body, "/totals/cost"), "0");
}

TEST_P(Usage, ThatAServiceAddsIsListedAndSummedUp) {
  usage_scene scene(GetParam());
  const auto taken = scene.add("[" + record(1) + "," +
                               record(2, {{"/cost", "0.2"},
                                          {"/feature", R"("faq_generation")"},
                                          {"/createdAt", R"("2026-11-21T10:00:00.000Z")"}}) +
                               "]");
  EXPECT_EQ(taken.status, 202U);
  EXPECT_EQ(taken.body, R"({"received":2,"accepted":2})");
  scene.wait_for(2);
  const auto page = scene.get("/ai-usage?limit=1");
  EXPECT_EQ(json_at(page.body, "/total"), "2");
  EXPECT_EQ(json_at(page.body, "/items/0/id"), '"' + usage_id(2) + '"');
  EXPECT_EQ(json_at(scene.get("/ai-usage?limit=1&page=2").body, "/items/0/id"), '"' + usage_id(1) + '"');
  EXPECT_EQ(json_at(scene.get("/ai-usage?feature=faq_generation").body, "/total"), "1");
  const auto summary = scene.get("/ai-usage/summary").body;
  EXPECT_THAT(
      summary,
      HasSubstr(R"("totals":{"calls":2,"inputTokens":20,"outputTokens":10,)"
                R"("cacheCreationInputTokens":0,"cacheReadInputTokens":0,"totalTokens":30,"cost":0.3})"));
  EXPECT_EQ(json_at(summary, "/breakdown/0/pricePerMTok"), R"({"input":3,"output":15})");
  EXPECT_EQ(json_at(scene.get("/ai-usage/summary?from=2026-11-21").body, "/totals/calls"), "1");
}

TEST_P(Usage, IsCountedOnceHoweverOftenItIsSent) {
  usage_scene scene(GetParam());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(scene.add(record(1, {{"/cost", std::to_string(i + 1)}})).status, 202U);
  scene.add(record(2));
  scene.wait_for(2);
  EXPECT_EQ(json_at(scene.get("/ai-usage/summary").body, "/totals/cost"), "1.1");
}

TEST_P(Usage, OfOthersAndOfNobodyIsNotShown) {
  usage_scene scene(GetParam());
  scene.place.import(portfolio_of(0, {{the_account + "/id", '"' + std::string(other_account) + '"'},
                                      {the_account + "/landlordKey", R"("other")"},
                                      {the_account + "/users", "[]"},
                                      {the_account + "/properties", "[]"}}));
  scene.add("[" + record(1, {{"/accountId", '"' + std::string(other_account) + '"'}}) + "," +
            record(2, {{"/accountId", "null"}}) + "," + record(3) + "]");
  scene.wait_for(1);
  EXPECT_EQ(json_at(scene.get("/ai-usage").body, "/items/0/id"), '"' + usage_id(3) + '"');
  EXPECT_EQ(json_at(scene.get("/ai-usage/summary").body, "/totals/calls"), "1");
}

TEST_P(Usage, IsReadWithAnAccessTokenAndThePermissionOnly) {
  usage_scene scene(GetParam());
  const auto port = scene.server->port();
  for (const auto* path : {"/ai-usage", "/ai-usage/summary"}) {
    EXPECT_EQ(ask(port, "GET", std::string(path) + "?page=0").body,
              unauthorized("Missing Authorization header"));
    for (const auto& token : {scene.place.issue_token("marketplace-a"), scene.key})
      EXPECT_EQ(scene.ana.get(path, token).body, unauthorized("Unauthorized"));
  }
  scene.place.import(portfolio_of(1, {{the_account + "/users/0/role", R"("Viewer")"}}));
  const auto viewer = text_at(scene.sign_in(scene.ana), "/token");
  const auto refused = scene.ana.get("/ai-usage?page=0", viewer);
  EXPECT_EQ(refused.status, 403U);
  EXPECT_EQ(refused.body, error_body(403, "Forbidden resource", "ForbiddenException"));
}

TEST_P(Usage, SaysWhatIsWrongWithAQuery) {
  usage_scene scene(GetParam());
  EXPECT_EQ(scene.get("/ai-usage?foo=1&page=0").body,
            bad_request("property foo should not exist, page must not be less than 1"));
  EXPECT_EQ(scene.get("/ai-usage/summary?page=1").body, bad_request("property page should not exist"));
  EXPECT_EQ(ask(scene.server->port(), "POST", "/ai-usage").body, not_found("Cannot POST /ai-usage"));
}

TEST_P(Usage, IsAddedWithAUsageKeyOnly) {
  usage_scene scene(GetParam());
  const auto port = scene.server->port();
  const std::string refusal = unauthorized("Unauthorized");
  EXPECT_EQ(ask(port, "POST", "/ai-usage/records", {{"Content-Type", "application/json"}}, record(1)).body,
            refusal);
  for (const auto& other :
       {scene.token, scene.place.issue_token("marketplace-a"), scene.key + "x", std::string("uk_")}) {
    const auto refused = scene.add("no JSON", other);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.body, refusal);
  }
  auto listed = scene.place.run_well({"usage-key", "list"});
  scene.place.run_well({"usage-key", "revoke", listed.substr(0, listed.find(' '))});
  EXPECT_EQ(scene.add(record(1)).body, refusal);
  EXPECT_EQ(json_at(scene.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, SaysWhatIsWrongWithARecordAndTakesNoneOfThem) {
  usage_scene scene(GetParam());
  EXPECT_EQ(scene.add("[" + record(1) + "," + record(2, {{"/cost", "-1"}}) + "]").body,
            bad_request("1.cost must not be less than 0"));
  EXPECT_EQ(scene.add(record(1, {{"/accountId", '"' + std::string(other_account) + '"'}})).body,
            bad_request("accountId is not the id of an account"));
  EXPECT_EQ(ask(scene.server->port(), "POST", "/ai-usage/records",
                {{"Authorization", "Bearer " + scene.key}, {"Content-Type", "text/plain"}}, record(1))
                .status,
            415U);
  EXPECT_EQ(json_at(scene.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, ThatWasTakenIsWrittenBeforeTheServerEnds) {
  usage_scene scene(GetParam());
  std::string many = "[" + record(1);
  for (unsigned n = 2; n <= 1000; ++n) many += "," + record(n);
  EXPECT_EQ(scene.add(many + "]").status, 202U);
  EXPECT_EQ(scene.server->stop(), 0);
  EXPECT_EQ(store_rows(scene.place.store().open(), "select cast(count(*) as text) from ai_usage", 1),
            std::vector<std::string>{"1000"});
}

TEST_P(Usage, OfAFileIsImportedOnce) {
  usage_scene scene(GetParam());
  const auto file = (scene.place.folder() / "usage.jsonl").string();
  std::ofstream(file) << record(1) << "\n\n" << record(2) << "\r\n" << record(1) << "\n";
  EXPECT_THAT(scene.place.run_well({"usage", "import", file}),
              HasSubstr("3 records: 2 new, 1 already known"));
  EXPECT_THAT(scene.place.run_well({"usage", "import", file}),
              HasSubstr("3 records: 0 new, 3 already known"));
  EXPECT_EQ(json_at(scene.get("/ai-usage/summary").body, "/totals/cost"), "0.2");
}

TEST_P(Usage, OfAFileIsNotImportedWhereALineIsWrong) {
  usage_scene scene(GetParam());
  const auto file = (scene.place.folder() / "usage.jsonl").string();
  std::ofstream(file) << record(1) << "\n" << record(2, {{"/cost", "-1"}}) << "\n{]\n";
  auto refused = scene.place.run({"usage", "import", file});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.errors, file + ": line 2: /cost: must not be less than 0\n" + file +
                                ": line 3: column 2: is not JSON: Missing a name for object member\n");
  std::ofstream(file) << record(1) << "\n"
                      << record(2, {{"/accountId", '"' + std::string(other_account) + '"'}});
  refused = scene.place.run({"usage", "import", file});
  EXPECT_EQ(refused.errors, file + ": line 2: /accountId: is not the id of an account\n");
  EXPECT_EQ(json_at(scene.get("/ai-usage").body, "/total"), "0");
}

TEST_P(Usage, OfAFileWithVeryManyProblemsShowsAHundred) {
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
