#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

/// Blocked nights through the office API.
namespace roost::testing::office_blocks_test {
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr const char* february = R"({"from":"2027-02-01","to":"2027-02-10","note":"Paint"})";

class OfficeBlocks : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeBlocks);
ROOST_FOR_SQLITE(OfficeBlocksOverHttp);

const std::string blocks_path = "/api/units/" + unit_id(1) + "/blocks";

std::string path_of(const raw_response& created) { return blocks_path + "/" + string_at(created, "/id"); }

header_fields if_match(const raw_response& seen) { return {{"If-Match", seen.headers.find("etag")->second}}; }

TEST_P(OfficeBlocks, AreInEveryReadAtOnceAndFreeAgainWhenTheyAreDeleted) {
  office_fixture office(GetParam());
  const auto created = office.send("POST", blocks_path, february);
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/note"), R"("Paint")");
  EXPECT_EQ(json_at(created.body, "/source"), R"("manual")");
  EXPECT_THAT(created.headers.find("location")->second, ::testing::EndsWith(path_of(created)));
  const auto listing = office.partner_of("marketplace-a").get("/listings/u1");
  EXPECT_THAT(listing.body, HasSubstr(R"("from":"2027-02-01","to":"2027-02-10")"));
  EXPECT_THAT(listing.body, Not(HasSubstr("Paint")));
  const auto deleted = office.send("DELETE", path_of(created), "", if_match(created));
  EXPECT_EQ(deleted.status, 204U) << deleted.body;
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, Not(HasSubstr("2027-02-10")));
  EXPECT_EQ(office.send("GET", path_of(created)).status, 404U);
}

TEST_P(OfficeBlocks, AreNeverBooked) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto blocked = edited(february, {{"/from", '"' + day_from_now(60) + '"'}, {"/to", "null"}});
  ASSERT_EQ(office.send("POST", blocks_path, blocked).status, 201U);
  const auto partner = office.partner_of("marketplace-a");
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 61)).status, 201U);
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] {
    return office.decisions() == std::vector<std::string>{"Failed", "Success"};
  }));
}

TEST_P(OfficeBlocks, DoNotCoverABookingAndNameIt) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto refused = office.send(
      "POST", blocks_path, R"({"from":")" + day_from_now(59) + R"(","to":")" + day_from_now(70) + R"("})");
  EXPECT_EQ(refused.status, 409U);
  EXPECT_EQ(json_at(refused.body, "/message"), R"("The nights are booked")");
  EXPECT_EQ(string_at(refused, "/bookings/0/from"), day_from_now(59));
  EXPECT_EQ(string_at(refused, "/bookings/0/to"), day_from_now(59));
  EXPECT_EQ(json_at(refused.body, "/bookings/0/bookingId").size(), 38U);
}

TEST_P(OfficeBlocks, ChangeOnlyInTheStateThatTheClientHasRead) {
  office_fixture office(GetParam());
  const auto created = office.send("POST", blocks_path, february);
  const auto path = path_of(created);
  EXPECT_EQ(office.send("PATCH", path, R"({"note":"Roof"})").status, 428U);
  const auto changed = office.send("PATCH", path, R"({"note":"Roof"})", if_match(created));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/note"), R"("Roof")");
  EXPECT_EQ(json_at(changed.body, "/from"), R"("2027-02-01")");
  const auto outdated = office.send("PATCH", path, R"({"to":"2027-02-20"})", if_match(created));
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/error"), R"("PreconditionFailedException")");
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["note"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
  EXPECT_EQ(json_at(outdated.body, "/changedAt"), json_at(changed.body, "/updatedAt"));
  const auto longer = office.send("PATCH", path, R"({"to":null})", if_match(changed));
  EXPECT_EQ(longer.status, 200U);
  EXPECT_EQ(json_at(longer.body, "/to"), "null");
  EXPECT_EQ(office.send("DELETE", path, "", if_match(changed)).status, 412U);
  EXPECT_EQ(office.send("DELETE", path).status, 428U);
  EXPECT_EQ(office.send("DELETE", path, "", {{"If-Match", "*"}}).status, 204U);
}

TEST_P(OfficeBlocks, SurviveARestartAndARepetitionOfTheirRequest) {
  office_fixture office(GetParam());
  const auto body = edited(february, {{"/id", R"("aaaaaaaa-0000-4000-8000-000000000001")"}});
  ASSERT_EQ(office.send("POST", blocks_path, body).status, 201U);
  office.restart();
  const auto again = office.send("POST", blocks_path, body);
  EXPECT_EQ(again.status, 200U) << again.body;
  EXPECT_EQ(json_at(office.send("GET", blocks_path).body, "/total"), "1");
  const auto other = office.send("POST", blocks_path, edited(body, {{"/note", R"("Roof")"}}));
  EXPECT_EQ(other.status, 409U);
  EXPECT_EQ(json_at(other.body, "/message"), R"("Another block was created with this id")");
}

TEST_P(OfficeBlocks, SurviveAnImportWhichDoesNotBringDeletedOnesBack) {
  const std::vector<edit> imported{
      {unit_pointer(0) + "/blocks", R"([{"from":"2027-05-01","to":"2027-05-31"}])"}};
  office_fixture office(GetParam(), {}, imported);
  ASSERT_EQ(office.send("POST", blocks_path, february).status, 201U);
  const auto listed = office.send("GET", blocks_path);
  ASSERT_EQ(json_at(listed.body, "/total"), "2");
  const auto id = string_at(listed, "/items/1/id");
  ASSERT_EQ(
      office.send("DELETE", blocks_path + "/" + id, "", {{"If-Match", item_tag(listed, "/items/1")}}).status,
      204U);
  office.place.import(portfolio_of(1, imported));
  const auto left = office.send("GET", blocks_path);
  EXPECT_EQ(json_at(left.body, "/total"), "1") << left.body;
  EXPECT_EQ(json_at(left.body, "/items/0/note"), R"("Paint")");
}

TEST_P(OfficeBlocks, ThatChangedRequireAnImportThatSaysSo) {
  const std::vector<edit> imported{
      {unit_pointer(0) + "/blocks", R"([{"from":"2027-05-01","to":"2027-05-31"}])"}};
  office_fixture office(GetParam(), {}, imported);
  const auto id = string_at(office.send("GET", blocks_path), "/items/0/id");
  ASSERT_EQ(
      office.send("PATCH", blocks_path + "/" + id, R"({"to":"2027-05-20"})", {{"If-Match", "*"}}).status,
      200U);
  const auto file = (office.place.folder() / "again.json").string();
  std::ofstream(file) << portfolio_of(1, imported);
  const auto refused = office.place.run({"import", file});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("would set back 1 block that the office has changed"));
  EXPECT_THAT(
      office.place.run_or_throw({"import", "--plan", file}),
      HasSubstr("sets back 1 block that the office has changed: the import requires --overwrite-office"));
  office.place.run_or_throw({"import", "--overwrite-office", file});
  EXPECT_EQ(json_at(office.send("GET", blocks_path).body, "/items/0/to"), R"("2027-05-31")");
}

TEST_P(OfficeBlocks, AreInTheAuditLog) {
  office_fixture office(GetParam());
  const auto created = office.send("POST", blocks_path, february);
  const auto log = office.place.run_or_throw({"audit", "list"});
  EXPECT_THAT(log, HasSubstr("user ana@casaverde.example"));
  EXPECT_THAT(log, HasSubstr("block creation"));
  EXPECT_THAT(log, HasSubstr(string_at(created, "/id")));
}

TEST_P(OfficeBlocksOverHttp, AreListedPageByPage) {
  office_fixture office(GetParam());
  for (const auto* day : {"2027-02-03", "2027-02-01", "2027-02-02"})
    office.send("POST", blocks_path, std::string(R"({"from":")") + day + R"(","to":")" + day + R"("})");
  const auto first = office.send("GET", blocks_path + "?limit=2");
  EXPECT_EQ(json_at(first.body, "/total"), "3");
  EXPECT_EQ(json_at(first.body, "/items/1/from"), R"("2027-02-02")");
  const auto second = office.send("GET", blocks_path + "?limit=2&after=" + string_at(first, "/next"));
  EXPECT_EQ(json_at(second.body, "/items/0/from"), R"("2027-02-03")");
  EXPECT_EQ(json_at(second.body, "/next"), "null");
}

TEST_P(OfficeBlocksOverHttp, AreListedAsATable) {
  office_fixture office(GetParam());
  office.send("POST", blocks_path, R"({"from":"2027-02-01","to":null,"note":"=2+2, \"paint\""})");
  const auto table = office.send("GET", blocks_path, "", {{"Accept", "text/csv"}});
  EXPECT_EQ(table.status, 200U);
  EXPECT_EQ(table.headers.find("content-type")->second, "text/csv; charset=utf-8");
  EXPECT_THAT(table.body, MatchesRegex("id,from,to,note,source,host,calendarId,createdAt,updatedAt,etag\r\n"
                                       "[0-9a-f-]+,2027-02-01,,\"'=2\\+2, \"\"paint\"\"\",manual,,.*\r\n"));
}

TEST_P(OfficeBlocksOverHttp, ReportAllProblemsAtOnce) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& body) {
    const auto refused = office.send("POST", blocks_path, body);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(message("{}"), "from is required, to is required");
  EXPECT_EQ(
      message(R"({"from":"2027-02-30","to":7,"colour":1})"),
      "from must be a real date written YYYY-MM-DD, to must be a real date written YYYY-MM-DD, colour is "
      "not a known field");
  EXPECT_EQ(message(R"({"from":"2027-02-10","to":"2027-02-01"})"), "from must not be after to");
  EXPECT_EQ(message(R"({"from":"2027-02-10","to":null,"source":"channel"})"), "source is read-only");
  EXPECT_THAT(message(R"({"from":)"), HasSubstr("Body is not valid JSON"));
  EXPECT_EQ(message("[]"), "The body must be an object");
  EXPECT_EQ(json_at(office.send("GET", blocks_path).body, "/total"), "0");
}

TEST_P(OfficeBlocksOverHttp, RefuseAChangeThatContradictsWhatIsStored) {
  office_fixture office(GetParam());
  const auto created = office.send("POST", blocks_path, february);
  const auto refused = office.send("PATCH", path_of(created), R"({"from":"2027-03-01"})", if_match(created));
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(string_at(refused, "/message"), "from must not be after to");
  const auto renamed = office.send("PATCH", path_of(created),
                                   R"({"id":"aaaaaaaa-0000-4000-8000-000000000001"})", if_match(created));
  EXPECT_EQ(string_at(renamed, "/message"), "id cannot change");
}

TEST_P(OfficeBlocksOverHttp, AreNotSentAgainUnchanged) {
  office_fixture office(GetParam());
  const auto created = office.send("POST", blocks_path, february);
  EXPECT_EQ(created.headers.find("cache-control")->second, "no-store");
  const auto tag = created.headers.find("etag")->second;
  const auto same = office.send("GET", path_of(created), "", {{"If-None-Match", tag}});
  EXPECT_EQ(same.status, 304U);
  EXPECT_EQ(same.headers.find("etag")->second, tag);
  EXPECT_EQ(office.send("GET", path_of(created), "", {{"If-None-Match", "\"other\""}}).status, 200U);
}

TEST_P(OfficeBlocksOverHttp, RefuseQueriesThatMeanNothing) {
  office_fixture office(GetParam());
  const auto message = [&](const std::string& query) {
    return string_at(office.send("GET", blocks_path + "?" + query), "/message");
  };
  EXPECT_EQ(message("limit=0"), "limit must not be less than 1");
  EXPECT_EQ(message("limit=201&page=2"),
            "property page should not exist, limit must not be greater than 200");
  EXPECT_EQ(message("after=zz"), "after must be the next of a page of this list");
}

TEST_P(OfficeBlocksOverHttp, AreUnknownUnderOtherIds) {
  office_fixture office(GetParam());
  const auto other_unit = "/api/units/" + unit_id(2) + "/blocks";
  for (const auto& path : {other_unit, std::string("/api/units/first/blocks")}) {
    EXPECT_EQ(office.send("GET", path).status, 404U);
    const auto refused = office.send("POST", path, february);
    EXPECT_EQ(refused.body,
              R"({"statusCode":404,"message":"There is no such unit","error":"NotFoundException"})");
  }
  for (const auto* id : {"/aaaaaaaa-0000-4000-8000-000000000001", "/first"}) {
    EXPECT_EQ(office.send("GET", blocks_path + id).status, 404U);
    EXPECT_EQ(office.send("PATCH", blocks_path + id, R"({"note":""})").status, 404U)
        << "before the precondition";
    EXPECT_EQ(office.send("DELETE", blocks_path + id).status, 404U);
    EXPECT_EQ(office.send("PATCH", blocks_path + id, R"({"from":1})").status, 400U) << "after the form";
  }
}

TEST_P(OfficeBlocksOverHttp, RequireTheirPermissions) {
  const std::vector<std::pair<std::string, std::string>> routes{{"GET", blocks_path},
                                                                {"POST", blocks_path},
                                                                {"GET", blocks_path + "/x"},
                                                                {"PATCH", blocks_path + "/x"},
                                                                {"DELETE", blocks_path + "/x"}};
  for (const auto* role : {"Viewer", "Accountant"}) {
    office_fixture office(GetParam(), {},
                          {{account_pointer + "/users/0/role", '"' + std::string(role) + '"'}});
    for (const auto& [method, path] : routes) {
      const bool may = method == "GET" && std::string(role) == "Viewer";
      const auto response = office.send(method, path, method == "GET" || method == "DELETE" ? "" : february);
      EXPECT_EQ(response.status == 403, !may) << role << ' ' << method << ' ' << response.body;
    }
  }
  const office_fixture office(GetParam());
  for (const auto& [method, path] : routes)
    EXPECT_EQ(send_request(office.server->port(), method, path).status, 401U) << method << ' ' << path;
}

TEST_P(OfficeBlocksOverHttp, AcceptTheSessionsCookieFromPagesOfTheSameOrigin) {
  office_fixture office(GetParam());
  const header_fields cookie{{"Cookie", session_cookie + "=" + office.ana.cookie(session_cookie)}};
  const auto send = [&](const std::string& method, const std::string& body, header_fields fields) {
    fields.insert(fields.end(), cookie.begin(), cookie.end());
    if (!body.empty()) fields.emplace_back("Content-Type", "application/json");
    return send_request(office.server->port(), method, blocks_path, fields, body);
  };
  EXPECT_EQ(send("GET", "", {}).status, 200U);
  EXPECT_EQ(send("GET", "", {{"Origin", "https://elsewhere.example"}}).status, 403U);
  EXPECT_EQ(send("POST", february, {}).status, 403U) << "a form of another site could send it";
  EXPECT_EQ(send("POST", february, {{"X-Roost-Request", "1"}}).status, 201U);
  EXPECT_EQ(
      send("POST", february, {{"X-Roost-Request", "1"}, {"Origin", "https://elsewhere.example"}}).status,
      403U);
  EXPECT_EQ(send("GET", "", {{"Authorization", "Bearer invented"}}).status, 401U)
      << "a token takes precedence";
  office.ana.post("/auth/logout");
  EXPECT_EQ(send("GET", "", {}).status, 401U);
}

TEST_P(OfficeBlocksOverHttp, RequireThePermissionAlsoWithACookie) {
  office_fixture office(GetParam(), {}, {{account_pointer + "/users/0/role", R"("Accountant")"}});
  const auto response = send_request(office.server->port(), "GET", blocks_path,
                                     {{"Cookie", session_cookie + "=" + office.ana.cookie(session_cookie)}});
  EXPECT_EQ(response.status, 403U);
}

TEST_P(OfficeBlocksOverHttp, AreDocumented) {
  const office_fixture office(GetParam());
  const auto document = send_request(office.server->port(), "GET", "/office-json");
  EXPECT_EQ(document.status, 200U);
  EXPECT_THAT(document.body, HasSubstr("/api/units/{unitId}/blocks/{blockId}"));
}

} // namespace roost::testing::office_blocks_test
