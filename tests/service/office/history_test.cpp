#include "service/support/office.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// The audit log of an account and the changelogs of its units through the office API.
namespace roost::testing::office_history_test {
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class OfficeHistory : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeHistory);
ROOST_FOR_SQLITE(OfficeHistoryOverHttp);

const std::string audit_path = "/api/audit", unit_path = "/api/units/" + unit_id(1),
                  changes_path = unit_path + "/changes", blocks_path = unit_path + "/blocks";
constexpr const char* february = R"({"from":"2027-02-01","to":"2027-02-10","note":"Paint"})";
const header_fields as_csv{{"Accept", "text/csv"}}, any_state{{"If-Match", "*"}};

/// Returns a member of all items of a list, in order.
std::vector<std::string> members(const raw_response& listed, const std::string& name) {
  std::vector<std::string> values;
  for (int i = 0;; ++i) {
    auto value = json_at(listed.body, "/items/" + std::to_string(i) + "/" + name);
    if (value.empty()) return values;
    values.push_back(std::move(value));
  }
}

/// Returns the body of a table, which is sent in parts: a client of HTTP/1.0 reads it until the end.
std::string table(office_fixture& office, const std::string& path) {
  raw_client client(office.server->port());
  client.send("GET " + path + " HTTP/1.0\r\nHost: a\r\nAccept: text/csv\r\nAuthorization: Bearer " +
              office.token + "\r\n\r\n");
  const auto text = client.receive_until_close();
  EXPECT_THAT(text, HasSubstr("Content-Type: text/csv; charset=utf-8\r\n"));
  return text.substr(text.find("\r\n\r\n") + 4);
}

TEST_P(OfficeHistory, OfTheAccountSaysWhoChangedWhatFromWhatToWhat) {
  office_fixture office(GetParam());
  EXPECT_EQ(office.send("GET", audit_path).body, R"({"items":[],"next":null,"total":0})")
      << "not the import, which may concern several accounts";
  const auto block = string_at(office.send("POST", blocks_path, february), "/id");
  office.send("PATCH", unit_path, R"({"rent":{"fixed":true,"amount":700}})", any_state);
  const auto log = office.send("GET", audit_path);
  ASSERT_EQ(log.status, 200U) << log.body;
  EXPECT_EQ(json_at(log.body, "/total"), "2");
  EXPECT_EQ(json_at(log.body, "/items/0/actor"), R"("user ana@casaverde.example")");
  EXPECT_EQ(json_at(log.body, "/items/0/action"), R"("unit change")");
  EXPECT_EQ(json_at(log.body, "/items/0/subject"), '"' + unit_id(1) + '"');
  EXPECT_THAT(json_at(log.body, "/items/0/detail"),
              AllOf(HasSubstr("rent: "), HasSubstr("650"), HasSubstr(" to "), HasSubstr("700")));
  EXPECT_THAT(json_at(log.body, "/items/0/at"), MatchesRegex("\"20.*Z\""));
  EXPECT_EQ(json_at(log.body, "/items/1/action"), R"("block creation")");
  EXPECT_EQ(json_at(log.body, "/items/1/subject"), '"' + block + '"');
  EXPECT_THAT(json_at(log.body, "/items/1/detail"),
              AllOf(HasSubstr(unit_id(1)), HasSubstr("from: null to "), HasSubstr("2027-02-01")));
  EXPECT_EQ(json_at(log.body, "/items/1/id").size(), 38U);
}

TEST_P(OfficeHistory, OfTheAccountHasEverythingThatConcernsOnlyThisAccount) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  auto& place = office.place;
  place.run_or_throw({"ai-area", "set", account_id, "bookings", "off"});
  place.issue_account_key(account_id);
  const auto listed = place.run_or_throw({"key", "list", "--json"});
  const auto key = listed.substr(listed.find("\"id\":\"") + 6, 36);
  place.run_or_throw({"key", "revoke", key, "--by", "Ben"});
  place.issue_token("marketplace-b");
  const auto engine = office.partner_of("booking-engine");
  ASSERT_EQ(engine.put("/listing", listing_update("u1", {{"/rent", "701"}})).status, 200U);
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto id = store_rows(place.store().open(), "select cast(id as text) from bookings", 1).at(0);
  place.run_or_throw({"booking", "cancel", id, "--by", "Ben"});
  EXPECT_THAT(members(office.send("GET", audit_path), "action"),
              ElementsAre(R"("booking cancel")", R"("listing update")", R"("key revoke")", R"("key issue")",
                          R"("ai-area set")"))
      << "neither the token nor the import";
  EXPECT_THAT(members(office.send("GET", audit_path + "?actor=Ben"), "action"),
              ElementsAre(R"("booking cancel")", R"("key revoke")"));
  const auto changes = office.send("GET", changes_path);
  EXPECT_EQ(json_at(changes.body, "/items/0/by"), R"("Ben")");
  EXPECT_EQ(json_at(changes.body, "/items/0/subject"), '"' + id + '"');
  EXPECT_EQ(json_at(changes.body, "/items/0/changes/0/member"), R"("status")");
  EXPECT_THAT(members(office.send("GET", audit_path + "?q=LISTING"), "subject"),
              ElementsAre('"' + unit_id(1) + '"'));
}

TEST_P(OfficeHistory, OfAUnitHasEditsOfTheBookingEngineAndOfTheOffice) {
  office_fixture office(GetParam());
  const auto engine = office.partner_of("booking-engine");
  ASSERT_EQ(engine.put("/listing", listing_update("u1", {{"/rent", "701"}})).status, 200U);
  const auto block = string_at(office.send("POST", blocks_path, february), "/id");
  office.send("PATCH", unit_path, R"({"internalName":"Attic","preparationDays":2})", any_state);
  const auto changes = office.send("GET", changes_path);
  ASSERT_EQ(changes.status, 200U) << changes.body;
  EXPECT_EQ(json_at(changes.body, "/total"), "3");
  EXPECT_THAT(members(changes, "by"),
              ElementsAre(R"("ana@casaverde.example")", R"("ana@casaverde.example")", R"("booking-engine")"));
  EXPECT_THAT(members(changes, "subject"),
              ElementsAre('"' + unit_id(1) + '"', '"' + block + '"', '"' + unit_id(1) + '"'));
  EXPECT_EQ(json_at(changes.body, "/items/0/changes/0/member"), R"("internalName")");
  EXPECT_EQ(json_at(changes.body, "/items/0/changes/0/to"), R"("Attic")");
  EXPECT_EQ(json_at(changes.body, "/items/0/changes/1/to"), "2");
  EXPECT_EQ(json_at(changes.body, "/items/1/changes/0/from"), "null");
  EXPECT_THAT(json_at(changes.body, "/items/2/changes"),
              HasSubstr(R"({"member":"rent","from":650,"to":701})"));
}

TEST_P(OfficeHistory, IsListedPageByPage) {
  office_fixture office(GetParam());
  for (const auto* day : {"2027-02-01", "2027-02-02", "2027-02-03"})
    office.send("POST", blocks_path, std::string(R"({"from":")") + day + R"(","to":")" + day + R"("})");
  for (const auto& path : {audit_path, changes_path}) {
    const auto all = members(office.send("GET", path), "id");
    ASSERT_EQ(all.size(), 3U);
    const auto first = office.send("GET", path + "?limit=2");
    EXPECT_EQ(json_at(first.body, "/total"), "3");
    EXPECT_THAT(members(first, "id"), ElementsAre(all[0], all[1]));
    const auto second = office.send("GET", path + "?limit=2&after=" + string_at(first, "/next"));
    EXPECT_THAT(members(second, "id"), ElementsAre(all[2]));
    EXPECT_EQ(json_at(second.body, "/next"), "null");
  }
}

TEST_P(OfficeHistory, IsListedAsATableOfAnyLength) {
  office_fixture office(GetParam());
  office.send("POST", blocks_path, february);
  EXPECT_THAT(table(office, changes_path),
              MatchesRegex("id,at,by,subject,changes\r\n[0-9a-f-]+,.*,ana@casaverde.example,[0-9a-f-]+,"
                           "\".*\"\"member\"\": \"\"note\"\".*\"\r\n"));
  constexpr int entries = 450; // three pages
  std::string rows_to_add;
  for (int i = 0; i < entries; ++i)
    rows_to_add += (i == 0 ? "('" : ", ('") + std::string("01000000-0000-4000-8000-000000000") +
                   std::to_string(100 + i) + "', '2026-11-20T09:30:00.000Z', 'me@host', 'test', '" +
                   std::to_string(i) + "', '', '" + account_id + "')";
  office.place.store().open().internals().script(
      "test_entries",
      "insert into audit (id, made_at, actor, action, subject, detail, account_id) values " + rows_to_add);
  const auto rows = table(office, audit_path);
  EXPECT_THAT(rows, StartsWith("id,at,actor,action,subject,detail\r\n"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), entries + 2);
  EXPECT_THAT(rows, EndsWith(",me@host,test,0,\r\n"));
  const auto filtered = table(office, audit_path + "?actor=me@host&q=test");
  EXPECT_EQ(std::count(filtered.begin(), filtered.end(), '\n'), entries + 1);
}

TEST_P(OfficeHistory, IsFilteredByTime) {
  office_fixture office(GetParam());
  office.send("POST", blocks_path, february);
  const auto log = office.send("GET", audit_path);
  const auto at = string_at(log, "/items/0/at");
  const auto total = [&](const std::string& query) {
    return json_at(office.send("GET", audit_path + "?" + query).body, "/total");
  };
  EXPECT_EQ(total("since=" + at + "&until=" + at), "1");
  EXPECT_EQ(total("since=2000-01-01"), "1");
  EXPECT_EQ(total("since=9999-12-31"), "0");
  EXPECT_EQ(total("until=2000-01-01T00:00:00Z"), "0");
}

TEST_P(OfficeHistoryOverHttp, RefusesQueriesThatMeanNothing) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& path) {
    return string_at(office.send("GET", path), "/message");
  };
  EXPECT_EQ(
      message(audit_path + "?limit=0&since=today&until=&page=1"),
      "property page should not exist, limit must not be less than 1, since must be a valid ISO 8601 date "
      "string, until must be a valid ISO 8601 date string");
  EXPECT_EQ(message(audit_path + "?q=a%00b"), "q must be given once, without NUL characters");
  EXPECT_EQ(message(audit_path + "?actor=a&actor=b"), "actor must be given once, without NUL characters");
  const std::string no_cursor = "after must be the next of a page of this list";
  EXPECT_EQ(message(audit_path + "?after=zz"), no_cursor);
  EXPECT_EQ(message(audit_path + "?after=610a62"), no_cursor);
  for (const auto* cursor : {"zz", "61", "3161", "39393939393939393939393939393939393939393939"})
    EXPECT_EQ(message(changes_path + "?after=" + cursor), no_cursor) << cursor;
  EXPECT_EQ(message(changes_path + "?q=a"), "property q should not exist");
}

TEST_P(OfficeHistoryOverHttp, OfAnUnknownUnitDoesNotExist) {
  office_fixture office(GetParam());
  for (const auto& unit : {unit_id(2), std::string("first")}) {
    const auto path = "/api/units/" + unit + "/changes";
    EXPECT_EQ(office.send("GET", path).body,
              R"({"statusCode":404,"message":"There is no such unit","error":"NotFoundException"})");
    EXPECT_EQ(office.send("GET", path, "", as_csv).status, 404U);
    EXPECT_EQ(office.send("GET", path + "?limit=0").status, 400U) << "the form comes first";
  }
}

TEST_P(OfficeHistoryOverHttp, ShowsOwnersOnlyTheUnitsOfTheirProperties) {
  const std::string owner = R"("33333333-0000-4000-8000-000000000001")";
  for (const bool is_theirs : {false, true}) {
    std::vector<edit> edits{{account_pointer + "/users/0/role", R"("Owner")"},
                            {account_pointer + "/users/0/ownerId", owner}};
    if (is_theirs) edits.push_back({property_pointer + "/ownerId", owner});
    office_fixture office(GetParam(), {{"roles.Owner", R"(["account_settings.module", "listings.view"])"}},
                          edits);
    EXPECT_EQ(office.send("GET", changes_path).status, is_theirs ? 200U : 404U);
    EXPECT_EQ(office.send("GET", audit_path).status, 403U);
    EXPECT_EQ(office.send("GET", audit_path + "?limit=0").status, 403U);
  }
}

} // namespace roost::testing::office_history_test
