#include "service/support/assistant.hpp"
#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// API keys and account keys of the booking engine, issued and revoked through the office API.
namespace roost::testing::office_keys_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string engine_keys = "/api/engine-keys", api_keys = "/api/api-keys";
const std::string ana_id = "22222222-0000-4000-8000-000000000001",
                  ben_id = "22222222-0000-4000-8000-000000000002",
                  chosen_id = "aaaaaaaa-0000-4000-8000-000000000001";

std::string user_json(const std::string& id, const std::string& email, const std::string& role) {
  return R"({"id":")" + id + R"(","email":")" + email + R"(","password":"ben-only-1","firstName":"Ben",)" +
         R"("lastName":"Sole","role":")" + role + R"("})";
}

header_fields if_match(const raw_response& seen) { return {{"If-Match", seen.headers.find("etag")->second}}; }

std::string path_of(const raw_response& issued, const std::string& keys) {
  return keys + "/" + string_at(issued, "/id");
}

class OfficeEngineKeys : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeEngineKeys);
class OfficeApiKeys : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeApiKeys);
ROOST_FOR_SQLITE(OfficeKeysOverHttp);

TEST_P(OfficeEngineKeys, OpenPropertyCreationUntilTheyAreRevoked) {
  office_fixture office(GetParam());
  const auto engine = office.partner_of("booking-engine");
  const auto create_with = [&](const std::string& key, const std::string& property) {
    return engine.post("/property-listing", engine_property(property, 1), {{"svc-api-key", key}}).status;
  };
  const auto issued = office.send("POST", engine_keys, R"({"name":"Channel manager"})");
  ASSERT_EQ(issued.status, 201U) << issued.body;
  EXPECT_EQ(issued.header("cache-control"), "no-store");
  EXPECT_THAT(issued.header("location"), HasSubstr(path_of(issued, engine_keys)));
  const auto key = string_at(issued, "/key");
  EXPECT_THAT(key, StartsWith("rk_"));
  EXPECT_EQ(string_at(issued, "/last4"), key.substr(key.size() - 4));
  EXPECT_EQ(create_with(key, "P1"), 201U);
  EXPECT_EQ(office.send("DELETE", path_of(issued, engine_keys)).status, 428U);
  EXPECT_EQ(create_with(key, "P2"), 201U) << "it is still valid";
  EXPECT_EQ(office.send("DELETE", path_of(issued, engine_keys), "", if_match(issued)).status, 204U);
  EXPECT_EQ(create_with(key, "P3"), 401U);
  EXPECT_EQ(office.send("DELETE", path_of(issued, engine_keys), "", if_match(issued)).status, 404U);
}

TEST_P(OfficeEngineKeys, AreShownOnce) {
  office_fixture office(GetParam());
  const auto issued = office.send("POST", engine_keys, R"({"name":"Engine"})");
  const auto key = string_at(issued, "/key");
  const auto list = office.send("GET", engine_keys);
  EXPECT_EQ(json_at(list.body, "/total"), "1");
  EXPECT_EQ(string_at(list, "/items/0/last4"), key.substr(key.size() - 4));
  EXPECT_EQ(json_at(list.body, "/items/0/lastUsedAt"), "null");
  const auto table = office.send("GET", engine_keys, "", {{"Accept", "text/csv"}});
  EXPECT_THAT(table.body, StartsWith("id,name,last4,createdAt,lastUsedAt,etag\r\n"));
  for (const auto& text : {list.body, table.body, office.place.run_or_throw({"audit", "list", "--json"}),
                           office.place.run_or_throw({"key", "list", "--json"})})
    EXPECT_THAT(text, AllOf(HasSubstr("Engine"), Not(HasSubstr(key)), Not(HasSubstr("hash"))));
  EXPECT_THAT(office.place.run_or_throw({"audit", "list"}), HasSubstr("engine key creation"));
}

TEST_P(OfficeEngineKeys, AreNotIssuedAgainByARepeatedRequest) {
  office_fixture office(GetParam());
  const std::string body = R"({"id":")" + chosen_id + R"(","name":"Engine"})";
  const auto issued = office.send("POST", engine_keys, body);
  ASSERT_EQ(issued.status, 201U) << issued.body;
  const auto repeated = office.send("POST", engine_keys, body);
  EXPECT_EQ(repeated.status, 200U);
  EXPECT_THAT(repeated.body, Not(HasSubstr(R"("key")")));
  EXPECT_EQ(string_at(repeated, "/last4"), string_at(issued, "/last4"));
  EXPECT_EQ(office.send("POST", engine_keys, R"({"id":")" + chosen_id + R"(","name":"Other"})").status, 409U);
  EXPECT_EQ(json_at(office.send("GET", engine_keys).body, "/total"), "1");
  ASSERT_EQ(office.send("DELETE", engine_keys + "/" + chosen_id, "", if_match(repeated)).status, 204U);
  EXPECT_EQ(office.send("POST", engine_keys, body).status, 409U) << "the id of a revoked key stays taken";
}

TEST_P(OfficeEngineKeys, AreThoseOfTheCommand) {
  office_fixture office(GetParam());
  const auto key = office.place.issue_account_key(account_id);
  const auto list = office.send("GET", engine_keys);
  ASSERT_EQ(json_at(list.body, "/total"), "1");
  EXPECT_EQ(string_at(list, "/items/0/last4"), key.substr(key.size() - 4));
  const auto path = engine_keys + "/" + string_at(list, "/items/0/id");
  const auto outdated = office.send("DELETE", path, "", {{"If-Match", "\"other\""}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(string_at(outdated, "/error"), "PreconditionFailedException");
  EXPECT_EQ(string_at(outdated, "/changedBy"),
            string_at({.body = office.place.run_or_throw({"audit", "list", "--json"})}, "/0/actor"))
      << "the author of the command";
  EXPECT_EQ(office.send("DELETE", path, "", {{"If-Match", "*"}}).status, 204U);
  EXPECT_THAT(office.place.run_or_throw({"key", "list"}), HasSubstr("ended"));
}

/// An office whose users may use tools, and a tool server's key.
struct tool_fixture : office_fixture {
  explicit tool_fixture(store_kind kind, const std::vector<edit>& edits = {})
      : office_fixture(kind, {{"connector.tool_server", R"("https://tools.example/mcp")"}},
                       with_tools(edits)) {
    const auto printed = place.run_or_throw({"tool-server-key", "issue"});
    tool_server_key = printed.substr(0, printed.find_first_of(" \n"));
  }

  static std::vector<edit> with_tools(std::vector<edit> edits) {
    edits.push_back({account_pointer + "/aiAreas", R"({"bookings":"read-only"})"});
    return edits;
  }

  raw_response introspected(const raw_response& issued) const {
    return introspect(*this, tool_server_key, string_at(issued, "/key"));
  }

  std::string tool_server_key;
};

TEST_P(OfficeApiKeys, ActForTheCallerUntilTheyAreRevoked) {
  tool_fixture office(GetParam());
  const auto issued = office.send("POST", api_keys, R"({"name":"CRM"})");
  ASSERT_EQ(issued.status, 201U) << issued.body;
  EXPECT_THAT(string_at(issued, "/key"), StartsWith("ak_"));
  EXPECT_EQ(string_at(issued, "/userId"), ana_id);
  EXPECT_EQ(string_at(issued, "/user"), "ana@casaverde.example");
  EXPECT_EQ(string_at(issued, "/resource"), "https://tools.example/mcp");
  const auto live = office.introspected(issued);
  EXPECT_EQ(string_at(live, "/username"), "ana@casaverde.example");
  EXPECT_EQ(string_at(live, "/tokenSource"), "api_key");
  const auto listed = office.send("GET", api_keys);
  EXPECT_THAT(listed.body, AllOf(HasSubstr("CRM"), Not(HasSubstr(string_at(issued, "/key")))));
  EXPECT_THAT(office.place.run_or_throw({"api-key", "list"}), HasSubstr("CRM"));
  EXPECT_EQ(office.send("DELETE", path_of(issued, api_keys), "", if_match(issued)).status, 204U);
  EXPECT_EQ(office.introspected(issued).body, R"({"active":false})");
  EXPECT_EQ(json_at(office.send("GET", api_keys).body, "/total"), "0");
}

TEST_P(OfficeApiKeys, ActForOtherUsersOnlyIfTheCallerHasTheirPermissions) {
  const std::vector<edit> with_ben{
      {account_pointer + "/users/1", user_json(ben_id, "ben@casaverde.example", "Super Admin")}};
  tool_fixture office(GetParam(), with_ben);
  const auto for_ben = R"({"name":"CRM","userId":")" + ben_id + R"("})";
  const auto refused = office.send("POST", api_keys, for_ben);
  EXPECT_EQ(refused.status, 403U) << refused.body;
  EXPECT_EQ(string_at(refused, "/message"), "This user has permissions that you do not have");
  const auto edits =
      std::vector<edit>{{account_pointer + "/users/1", user_json(ben_id, "ben@casaverde.example", "Admin")}};
  office.place.import(portfolio_of(1, tool_fixture::with_tools(edits)));
  const auto issued = office.send("POST", api_keys, for_ben);
  ASSERT_EQ(issued.status, 201U) << issued.body;
  EXPECT_EQ(string_at(office.introspected(issued), "/username"), "ben@casaverde.example");
}

TEST_P(OfficeKeysOverHttp, AreRefusedWithAllProblems) {
  tool_fixture office(GetParam());
  const auto message_of = [&](const std::string& path, const std::string& body) {
    const auto response = office.send("POST", path, body);
    EXPECT_EQ(response.status, 400U) << body;
    return json_at(response.body, "/message");
  };
  EXPECT_THAT(message_of(engine_keys, "{}"), HasSubstr("name is required"));
  EXPECT_THAT(message_of(engine_keys, R"({"name":"a\nb","last4":"abcd"})"),
              AllOf(HasSubstr("name "), HasSubstr("last4 is read-only")));
  EXPECT_THAT(message_of(engine_keys, R"({"name":")" + std::string(201, 'x') + R"("})"), HasSubstr("name "));
  EXPECT_THAT(message_of(api_keys, R"({"name":"a","resource":"tools"})"),
              HasSubstr("resource must be an http or https URL without a fragment"));
  EXPECT_THAT(message_of(api_keys, R"({"name":"a","resource":"http://tools.example"})"),
              HasSubstr("resource must be an https URL, or a URL on this server's machine"));
  EXPECT_THAT(message_of(api_keys, R"({"name":"a","userId":")" + chosen_id + R"("})"),
              HasSubstr("userId must be an active user of the account"));
  EXPECT_EQ(json_at(office.send("GET", api_keys).body, "/total"), "0");
  EXPECT_EQ(office.send("GET", api_keys + "?limit=0").status, 400U);
}

TEST_P(OfficeKeysOverHttp, BelongToTheAccount) {
  const std::string other_account = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002";
  office_fixture office(
      GetParam(), {},
      {{"/accounts/1", R"({"id":")" + other_account +
                           R"(","companyName":"Other","currency":"EUR","landlordKey":"other","users":[)" +
                           user_json(ben_id, "ben@other.example", "Admin") + "]}"}});
  office.place.issue_account_key(other_account);
  office.place.run_or_throw({"api-key", "issue", "ben@other.example"});
  for (const auto& keys : {engine_keys, api_keys})
    EXPECT_EQ(json_at(office.send("GET", keys).body, "/total"), "0") << keys;
  const auto ids = store_rows(office.place.store().open(), "select id from account_keys", 1);
  EXPECT_EQ(office.send("DELETE", engine_keys + "/" + ids.at(0), "", {{"If-Match", "*"}}).status, 404U);
}

TEST_P(OfficeKeysOverHttp, AreNotForOwners) {
  office_fixture office(GetParam(), {{"roles.Owner", R"(["account_settings.module"])"}},
                        {{account_pointer + "/users/0/role", R"("Owner")"},
                         {account_pointer + "/users/0/ownerId", '"' + chosen_id + '"'}});
  for (const auto& keys : {engine_keys, api_keys}) {
    EXPECT_EQ(office.send("GET", keys).status, 403U) << keys;
    EXPECT_EQ(office.send("POST", keys, R"({"name":"Engine"})").status, 403U) << keys;
    EXPECT_EQ(office.send("DELETE", keys + "/" + chosen_id, "", {{"If-Match", "*"}}).status, 403U) << keys;
  }
}

} // namespace roost::testing::office_keys_test
