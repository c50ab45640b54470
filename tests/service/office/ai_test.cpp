#include "service/support/assistant.hpp"
#include "service/support/office.hpp"
#include "support/smtp_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What assistants may do and the budget for AI calls, through the office API.
namespace roost::testing::office_ai_test {
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string path = "/api/ai";
const std::string ben_id = "22222222-0000-4000-8000-000000000002";

class OfficeAi : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeAi);
ROOST_FOR_SQLITE(OfficeAiOverHttp);

/// An office whose users may use tools, with keys of a tool server and of a service that records usage.
struct ai_fixture : office_fixture {
  explicit ai_fixture(store_kind kind, std::vector<edit> edits = {},
                      std::map<std::string, std::string> settings = {})
      : office_fixture(kind, with_tool_server(std::move(settings)), with_areas(std::move(edits))),
        usage_key(first_word(place.run_or_throw({"usage-key", "issue"}))) {}

  static std::map<std::string, std::string> with_tool_server(std::map<std::string, std::string> settings) {
    settings.emplace("connector.tool_server", R"("https://tools.example/mcp")");
    return settings;
  }
  static std::vector<edit> with_areas(std::vector<edit> edits) {
    edits.insert(edits.begin(), {account_pointer + "/aiAreas", R"({"bookings":"read-only"})"});
    return edits;
  }
  static std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" \n")); }

  /// Changes the settings that were just read.
  raw_response put(const std::string& body) {
    return send("PUT", path, body, {{"If-Match", send("GET", path).headers.find("etag")->second}});
  }

  /// Adds a record of now, and waits until it is in the ledger.
  void use(unsigned number, const std::string& cost) {
    const auto id = "44444444-0000-4000-8000-00000000000" + std::to_string(number);
    const auto record = R"({"id":")" + id + R"(","accountId":")" + account_id +
                        R"(","feature":"landlord_chat","provider":"vendor","model":"model-1","cost":)" +
                        cost + "}";
    const auto added = send_request(
        server->port(), "POST", "/ai-usage/records",
        {{"Authorization", "Bearer " + usage_key}, {"Content-Type", "application/json"}}, record);
    ASSERT_EQ(added.status, 202U) << added.body;
    ASSERT_TRUE(eventually([&] { return send("GET", "/ai-usage").body.find(id) != std::string::npos; }));
  }

  /// Returns the subjects of the mails about the budget.
  std::vector<std::string> warnings() {
    return store_rows(place.store().open(),
                      "select subject from outgoing_mail where subject like '%AI costs%' order by created_at",
                      1);
  }

  std::string usage_key;
};

TEST_P(OfficeAi, ShowAllAreasTheBudgetAndTheUsageOfTheMonth) {
  ai_fixture office(GetParam());
  const auto shown = office.send("GET", path);
  ASSERT_EQ(shown.status, 200U) << shown.body;
  EXPECT_EQ(json_at(shown.body, "/areas/bookings"), R"("read-only")");
  EXPECT_EQ(json_at(shown.body, "/areas/team"), R"("off")");
  EXPECT_EQ(json_at(shown.body, "/budget"), "null");
  EXPECT_EQ(json_at(shown.body, "/usage/cost"), "0");
  EXPECT_EQ(json_at(shown.body, "/usage/month").size(), 9U);
  office.use(1, "40.000000000000000001");
  const auto used = office.send("GET", path);
  EXPECT_THAT(used.body, HasSubstr(R"("cost": 40.000000000000000001,)"));
  EXPECT_EQ(json_at(used.body, "/usage/reached"), "[]");
  EXPECT_EQ(used.header("etag"), shown.header("etag")) << "usage does not change the settings";
  const auto changed = office.put(R"({"budget":{"monthly":50.00}})");
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/budget"), R"({"monthly":50,"warnAt":[0.5,0.8,1]})");
  EXPECT_EQ(json_at(changed.body, "/usage/reached"), "[0.5,0.8]");
  EXPECT_NE(changed.header("etag"), shown.header("etag"));
  EXPECT_EQ(office.send("GET", path).body, changed.body);
}

TEST_P(OfficeAi, ChangeOnlyWhatTheRequestNames) {
  ai_fixture office(GetParam());
  ASSERT_EQ(office.put(R"({"budget":{"monthly":50.5,"warnAt":[0.5,1.25]},"areas":{"team":"edit"}})").status,
            200U);
  const auto areas = office.put(R"({"areas":{"bookings":"off","payments":"read-only"}})");
  ASSERT_EQ(areas.status, 200U) << areas.body;
  EXPECT_EQ(json_at(areas.body, "/areas/bookings"), R"("off")");
  EXPECT_EQ(json_at(areas.body, "/areas/payments"), R"("read-only")");
  EXPECT_EQ(json_at(areas.body, "/areas/team"), R"("edit")");
  EXPECT_EQ(json_at(areas.body, "/budget"), R"({"monthly":50.5,"warnAt":[0.5,1.25]})");
  EXPECT_EQ(office.put("{}").body, areas.body);
  const auto without = office.put(R"({"budget":null})");
  EXPECT_EQ(json_at(without.body, "/budget"), "null");
  EXPECT_EQ(json_at(without.body, "/areas/team"), R"("edit")");
  EXPECT_THAT(office.place.run_or_throw({"ai-area", "list", account_id}),
              AllOf(HasSubstr("team"), HasSubstr("edit")));
  EXPECT_THAT(office.send("GET", "/api/audit?q=AI%20settings").body,
              AllOf(HasSubstr(R"(areas.bookings: \"read-only\" to \"off\"; areas.payments: \"off\" to)"),
                    HasSubstr("budget: "), Not(HasSubstr("areas.team: \\\"edit\\\" to"))));
}

TEST_P(OfficeAi, RequireTheStateThatTheClientHasSeen) {
  ai_fixture office(GetParam());
  EXPECT_EQ(office.send("PUT", path, R"({"budget":null})").status, 428U);
  const auto seen = office.send("GET", path).header("etag");
  office.place.run_or_throw({"ai-area", "set", account_id, "team", "edit", "--by", "Otto"});
  const auto outdated = office.send("PUT", path, R"({"areas":{"team":"off"}})", {{"If-Match", seen}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(string_at(outdated, "/changedBy"), "Otto");
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["areas"])");
  const auto changed = office.put(R"({"budget":{"monthly":1}})");
  const auto again = office.send("PUT", path, R"({"areas":{"team":"off"}})", {{"If-Match", seen}});
  EXPECT_EQ(string_at(again, "/changedBy"), "ana@casaverde.example");
  EXPECT_EQ(json_at(again.body, "/changed"), R"(["areas","budget"])");
  EXPECT_EQ(
      office.send("PUT", path, R"({"areas":{"team":"off"}})", {{"If-Match", changed.header("etag")}}).status,
      200U);
}

TEST_P(OfficeAi, ApplyToConnectionsOnceTheResponseIsSent) {
  ai_fixture office(GetParam());
  const auto tool_server = ai_fixture::first_word(office.place.run_or_throw({"tool-server-key", "issue"}));
  const auto key = string_at(office.send("POST", "/api/api-keys", R"({"name":"CRM"})"), "/key");
  EXPECT_EQ(string_at(introspect(office, tool_server, key), "/scope"), "bookings");
  ASSERT_EQ(office.put(R"({"areas":{"bookings":"off"}})").status, 200U);
  EXPECT_EQ(introspect(office, tool_server, key).body, R"({"active":false})");
  ASSERT_EQ(office.put(R"({"areas":{"team":"edit"}})").status, 200U);
  EXPECT_EQ(string_at(introspect(office, tool_server, key), "/scope"), "team");
}

TEST_P(OfficeAi, MailWhatTheBudgetReachesOnceAlsoAfterARestart) {
  const support::smtp_server mail_server;
  const auto ben =
      R"({"id":")" + ben_id + R"(","email":"ben@casaverde.example","firstName":"Ben","role":"Viewer"})";
  ai_fixture office(GetParam(), {{account_pointer + "/users/1", ben}});
  ASSERT_EQ(office.put(R"({"budget":{"monthly":50,"warnAt":[0.5,0.8,1]}})").status, 200U);
  office.use(1, "45");
  office.place.set("mail.transport", "\"smtp://127.0.0.1:" + std::to_string(mail_server.port()) + "\"");
  office.place.set("mail.from", "\"roost@landlords.example\"");
  office.restart();
  ASSERT_TRUE(eventually([&] { return mail_server.mails().size() == 1; }));
  const auto received = mail_server.mails().at(0);
  EXPECT_EQ(received.recipient, "ana@casaverde.example") << "Ben's role lacks account_settings.module";
  const auto mail = mail::decode(received.content);
  EXPECT_THAT(mail.subject, HasSubstr("AI costs have reached 80% of the budget for"));
  EXPECT_THAT(mail.parts.at("text/plain; charset=utf-8"),
              AllOf(HasSubstr("45.00 USD"), HasSubstr("/account/ai-usage")));
  office.use(2, "5");
  ASSERT_TRUE(eventually([&] { return mail_server.mails().size() == 2; }));
  EXPECT_THAT(mail::decode(mail_server.mails().at(1).content).subject, HasSubstr("reached 100%"));
  EXPECT_EQ(office.warnings().size(), 2U);
}

TEST_P(OfficeAi, MailOnceWhenAnotherServerTakesOver) {
  ai_fixture office(GetParam(), {{account_pointer + "/aiBudget", R"({"monthly":10})"}});
  running_roost second(office.place, started::listening);
  second.wait_for_event("standing_by");
  office.use(1, "9");
  office.server->kill();
  ASSERT_TRUE(eventually([&] { return !office.warnings().empty(); })) << second.log();
  second.wait_for_event("mail_sent");
  EXPECT_THAT(office.warnings(), ElementsAre(HasSubstr("reached 80%")));
}

TEST_P(OfficeAiOverHttp, AreRefusedWithAllProblems) {
  ai_fixture office(GetParam());
  const auto message_of = [&](const std::string& body) {
    const auto response = office.send("PUT", path, body);
    EXPECT_EQ(response.status, 400U) << body << response.body;
    return json_at(response.body, "/message");
  };
  EXPECT_THAT(
      message_of(R"({"areas":{"teem":"edit","team":"write"},"budget":{"monthly":0,"warnAt":[1,0.5]}})"),
      AllOf(HasSubstr("areas.teem is not a known area; did you mean \\\"team\\\"?"),
            HasSubstr("areas.team must be one of off, read-only, edit"),
            HasSubstr("budget.monthly must be greater than 0"),
            HasSubstr("budget.warnAt[1] must be greater than the one before")));
  EXPECT_THAT(message_of(R"({"budget":{}})"), HasSubstr("budget.monthly is required"));
  EXPECT_THAT(message_of(R"({"areas":null})"), HasSubstr("areas must be an object"));
  EXPECT_THAT(message_of(office.send("GET", path).body), HasSubstr("usage is read-only"));
  EXPECT_THAT(message_of("[]"), HasSubstr("must be an object"));
  EXPECT_EQ(office.put(R"({"aiAreas":{}})").status, 400U);
  EXPECT_EQ(office.send("PATCH", "/api/account", R"({"aiBudget":null})", {{"If-Match", "*"}}).status, 400U);
}

TEST_P(OfficeAiOverHttp, AreNotForOwners) {
  ai_fixture office(GetParam(),
                    {{account_pointer + "/users/0/role", R"("Owner")"},
                     {account_pointer + "/users/0/ownerId", '"' + ben_id + '"'}},
                    {{"roles.Owner", R"(["account_settings.module"])"}});
  EXPECT_EQ(office.send("GET", path).status, 403U);
  EXPECT_EQ(office.send("PUT", path, R"({"budget":null})", {{"If-Match", "*"}}).status, 403U);
}

TEST_P(OfficeAiOverHttp, AreReportedToEventStreams) {
  ai_fixture office(GetParam());
  ASSERT_EQ(office.put(R"({"areas":{"team":"edit"}})").status, 200U);
  office.place.run_or_throw({"ai-area", "set", account_id, "team", "off"});
  EXPECT_THAT(
      store_rows(office.place.store().open(), "select kind from changes order by position desc limit 2", 1),
      ElementsAre("account", "account"));
}

} // namespace roost::testing::office_ai_test
