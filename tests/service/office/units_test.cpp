#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Units, their links, exclusions and previews through the office API.
namespace roost::testing::office_units_test {
using ::testing::HasSubstr;
using ::testing::Not;

class OfficeUnits : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeUnits);
ROOST_FOR_SQLITE(OfficeUnitsOverHttp);

const std::string units_path = "/api/units", first_path = units_path + "/" + unit_id(1);

std::string tag_of(const raw_response& seen) { return seen.headers.find("etag")->second; }
header_fields if_match(const raw_response& seen) { return {{"If-Match", tag_of(seen)}}; }

/// Returns the body of a new unit in the property of the first one.
std::string new_unit(office_fixture& office, const std::string& name) {
  const auto property = string_at(office.send("GET", first_path), "/propertyId");
  return R"({"propertyId":")" + property + R"(","internalName":")" + name +
         R"(","kind":"room","rent":{"fixed":true,"amount":500}})";
}

TEST_P(OfficeUnits, ShowTheMembersOfPortfolioFiles) {
  office_fixture office(GetParam());
  const auto unit = office.send("GET", first_path);
  ASSERT_EQ(unit.status, 200U) << unit.body;
  EXPECT_EQ(string_at(unit, "/id"), unit_id(1));
  EXPECT_EQ(json_at(unit.body, "/rent/amount"), "650");
  EXPECT_THAT(json_at(unit.body, "/links"), HasSubstr("marketplace-a"));
  EXPECT_EQ(office.send("GET", first_path, "", {{"If-None-Match", tag_of(unit)}}).status, 304U);
}

TEST_P(OfficeUnits, AreInEveryReadOnceTheyChange) {
  office_fixture office(GetParam());
  const auto unit = office.send("GET", first_path);
  const auto changed = office.send(
      "PATCH", first_path, R"({"rent":{"fixed":true,"amount":700},"preparationDays":2})", if_match(unit));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/rent/amount"), "700");
  EXPECT_EQ(json_at(changed.body, "/preparationDays"), "2");
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(R"("rent":700,)"));
  const auto outdated = office.send("PATCH", first_path, R"({"capacity":3})", if_match(unit));
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["rent","preparationDays"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
  EXPECT_EQ(office.send("PATCH", first_path, R"({"capacity":3})").status, 428U);
}

TEST_P(OfficeUnitsOverHttp, AreInTheListsOfPartnersWithTheNextBuild) {
  office_fixture office(GetParam());
  const auto listed_rent = [partner = office.partner_of("marketplace-a")] {
    return json_at(partner.get("/listings").body, "/0/rent");
  };
  for (const auto* rent : {"700", "710", "720"}) {
    const auto edit = std::string{R"({"rent":{"fixed":true,"amount":)"} + rent + "}}";
    ASSERT_EQ(office.send("PATCH", first_path, edit, {{"If-Match", "*"}}).status, 200U);
    EXPECT_EQ(listed_rent(), "650") << "an edit of terms builds no list";
  }
  const auto exclusion = first_path + "/exclusions/marketplace-b";
  ASSERT_EQ(office.send("PUT", exclusion, "", {{"If-None-Match", "*"}}).status, 200U);
  EXPECT_TRUE(eventually([&] { return listed_rent() == "720"; })) << "an exclusion builds the lists";
}

TEST_P(OfficeUnits, HaveRentsByMonthAndBookingWindows) {
  office_fixture office(GetParam());
  const auto unit = office.send("GET", first_path);
  const auto varying =
      office.send("PATCH", first_path,
                  R"({"rent":{"fixed":false,"perMonth":[{"month":7,"rent":900},{"month":1,"rent":600}]},)"
                  R"("bookingWindows":[{"minStartDate":"2027-01-01","maxStartDate":"2027-03-01",)"
                  R"("minEndDate":"2027-04-01","maxEndDate":"2027-09-01"}]})",
                  if_match(unit));
  ASSERT_EQ(varying.status, 200U) << varying.body;
  EXPECT_EQ(json_at(varying.body, "/rent/perMonth/0/month"), "1");
  EXPECT_EQ(json_at(varying.body, "/bookingWindows/0/maxEndDate"), R"("2027-09-01")");
  const auto fixed =
      office.send("PATCH", first_path, R"({"rent":{"fixed":true,"amount":1}})", if_match(varying));
  ASSERT_EQ(fixed.status, 200U) << fixed.body;
  EXPECT_EQ(json_at(fixed.body, "/rent"), R"({"fixed":true,"amount":1})") << "replaced as a whole";
  EXPECT_EQ(json_at(fixed.body, "/bookingWindows/0/maxEndDate"), R"("2027-09-01")");
}

TEST_P(OfficeUnits, CanBeCreatedLinkedReadAndBooked) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto created = office.send("POST", units_path, new_unit(office, "New room"));
  ASSERT_EQ(created.status, 201U) << created.body;
  const auto path = units_path + "/" + string_at(created, "/id");
  EXPECT_THAT(created.headers.find("location")->second, ::testing::EndsWith(path));
  const auto linked =
      office.send("PUT", path + "/links/marketplace-a",
                  R"({"url":"https://www.marketplace-a.example/rooms/new-1"})", {{"If-None-Match", "*"}});
  ASSERT_EQ(linked.status, 200U) << linked.body;
  const auto partner = office.partner_of("marketplace-a");
  EXPECT_THAT(partner.get("/listings/new-1").body, HasSubstr(R"("rent":500,)"));
  ASSERT_EQ(partner.post("/bookings", booking("new-1", 30, 60)).status, 201U);
  EXPECT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
}

TEST_P(OfficeUnits, AreCreatedOnceByARepeatedRequest) {
  office_fixture office(GetParam());
  const auto body =
      edited(new_unit(office, "New room"), {{"/id", R"("aaaaaaaa-0000-4000-8000-000000000001")"}});
  ASSERT_EQ(office.send("POST", units_path, body).status, 201U);
  EXPECT_EQ(office.send("POST", units_path, body).status, 200U);
  const auto other = office.send("POST", units_path, edited(body, {{"/internalName", R"("Other")"}}));
  EXPECT_EQ(other.status, 409U);
  EXPECT_EQ(string_at(other, "/message"), "Another unit was created with this id");
  const auto named_alike =
      office.send("POST", units_path, edited(body, {{"/id", R"("aaaaaaaa-0000-4000-8000-000000000002")"}}));
  EXPECT_EQ(named_alike.status, 409U);
  EXPECT_EQ(string_at(named_alike, "/message"), "internalName is the name of another unit");
}

TEST_P(OfficeUnits, AreDeletedUnlessTheyHaveBookings) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto created = office.send("POST", units_path, new_unit(office, "New room"));
  const auto path = units_path + "/" + string_at(created, "/id");
  EXPECT_EQ(office.send("DELETE", path, "", if_match(created)).status, 204U);
  EXPECT_EQ(office.send("GET", path).status, 404U);
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto archived = office.send("DELETE", first_path, "", {{"If-Match", "*"}});
  ASSERT_EQ(archived.status, 200U) << archived.body;
  EXPECT_EQ(json_at(archived.body, "/archived"), "true");
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 404U);
  const auto restored = office.send("PATCH", first_path, R"({"archived":false})", if_match(archived));
  EXPECT_EQ(restored.status, 200U) << restored.body;
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 200U);
}

TEST_P(OfficeUnits, ExportTheirCalendarUnderAnAddressThatCanBeRenewed) {
  office_fixture office(GetParam());
  const auto path = first_path + "/export-address";
  const auto status_of = [&](const std::string& address) {
    const auto calendar = "/ical-integration/listings/" + address + "/iCal.ics";
    return send_request(office.server->port(), "GET", calendar).status;
  };
  const auto first = office.send("GET", path);
  ASSERT_EQ(first.status, 200U) << first.body;
  EXPECT_EQ(string_at(first, "/address"), unit_id(1));
  EXPECT_THAT(string_at(first, "/url"),
              ::testing::EndsWith("/ical-integration/listings/" + unit_id(1) + "/iCal.ics"));
  EXPECT_EQ(tag_of(first), tag_of(office.send("GET", first_path)));

  EXPECT_EQ(office.send("POST", path).status, 428U);
  const auto renewed = office.send("POST", path, "", if_match(first));
  ASSERT_EQ(renewed.status, 200U) << renewed.body;
  const auto address = string_at(renewed, "/address");
  EXPECT_EQ(status_of(address), 200U);
  EXPECT_EQ(status_of(unit_id(1)), 404U) << "the old address";
  EXPECT_EQ(office.send("GET", path).body, renewed.body);
  const auto repeated = office.send("POST", path, "", if_match(first));
  EXPECT_EQ(repeated.status, 412U) << "a second renewal would end the new address";
  EXPECT_EQ(json_at(repeated.body, "/changed"), R"(["exportAddressEnd"])");

  const auto unit = office.send("GET", first_path);
  EXPECT_EQ(string_at(unit, "/exportAddressEnd"), "…" + address.substr(24));
  for (const auto* place : {"", "/changes"})
    EXPECT_THAT(office.send("GET", first_path + place).body, Not(HasSubstr(address)));
  EXPECT_THAT(office.send("GET", "/api/audit").body, Not(HasSubstr(address)));

  const auto copy = office.send("POST", first_path + "/copy",
                                R"({"internalName":"Copy","id":"aaaaaaaa-0000-4000-8000-000000000009"})");
  ASSERT_EQ(copy.status, 201U) << copy.body;
  EXPECT_EQ(json_at(copy.body, "/exportAddressEnd"), "null");
  office.restart();
  EXPECT_EQ(status_of(address), 200U);
  EXPECT_EQ(status_of(unit_id(1)), 404U);
}

TEST_P(OfficeUnits, EndTheirLinksAndExclusions) {
  office_fixture office(GetParam());
  const auto link = first_path + "/links/marketplace-a", exclusion = first_path + "/exclusions/marketplace-a";
  const auto excluded = office.send("PUT", exclusion, "", {{"If-None-Match", "*"}});
  ASSERT_EQ(excluded.status, 200U) << excluded.body;
  EXPECT_EQ(json_at(excluded.body, "/excludedFrom"), R"(["marketplace-a"])");
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 404U);
  EXPECT_EQ(office.send("PUT", exclusion, "", {{"If-None-Match", "*"}}).status, 412U) << "it exists";
  const auto included = office.send("DELETE", exclusion, "", if_match(excluded));
  EXPECT_EQ(json_at(included.body, "/excludedFrom"), "[]");
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 200U);
  const auto unlinked = office.send("DELETE", link, "", if_match(included));
  EXPECT_THAT(json_at(unlinked.body, "/links"), Not(HasSubstr("marketplace-a"))) << unlinked.body;
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 404U);
}

TEST_P(OfficeUnitsOverHttp, ExplainWhyAUrlIsNoLink) {
  office_fixture office(GetParam());
  const auto link = first_path + "/links/marketplace-a";
  const auto refusal = [&](const std::string& url) {
    const auto refused = office.send("PUT", link, R"({"url":")" + url + R"("})", {{"If-Match", "*"}});
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_THAT(refusal("12345"), HasSubstr("url "));
  EXPECT_THAT(refusal("https://other.example/rooms/1"), HasSubstr("url "));
  const auto created = office.send("POST", units_path, new_unit(office, "New room"));
  const auto taken =
      office.send("PUT", units_path + "/" + string_at(created, "/id") + "/links/marketplace-a",
                  R"({"url":"https://www.marketplace-a.example/rooms/u1"})", if_match(created));
  EXPECT_EQ(taken.status, 409U) << taken.body;
  EXPECT_EQ(string_at(taken, "/message"), "Another unit is linked to marketplace-a under the ID u1");
  EXPECT_EQ(office.send("PUT", first_path + "/links/nowhere", R"({"url":"x"})", {{"If-Match", "*"}}).body,
            R"({"statusCode":404,"message":"There is no such platform","error":"NotFoundException"})");
}

TEST_P(OfficeUnits, ShowWhatAPlatformReadsOrEveryReasonWhyNot) {
  office_fixture office(GetParam());
  const auto preview = first_path + "/preview/marketplace-a";
  const auto shown = office.send("GET", preview);
  ASSERT_EQ(shown.status, 200U) << shown.body;
  EXPECT_EQ(json_at(shown.body, "/published"), "true");
  EXPECT_EQ(json_at(shown.body, "/reasons"), "[]");
  EXPECT_EQ(json_at(shown.body, "/partial"), office.partner_of("marketplace-a").get("/listings/u1").body);
  EXPECT_THAT(json_at(shown.body, "/full"), Not("null"));
  office.send("PUT", first_path + "/exclusions/marketplace-a", "", {{"If-Match", "*"}});
  office.send("PATCH", first_path, R"({"archived":true,"rent":{"fixed":true,"amount":0}})",
              {{"If-Match", "*"}});
  const auto hidden = office.send("GET", preview);
  EXPECT_EQ(json_at(hidden.body, "/published"), "false");
  EXPECT_EQ(json_at(hidden.body, "/partial"), "null");
  std::vector<std::string> codes;
  for (int i = 0; i < 3; ++i) codes.push_back(string_at(hidden, "/reasons/" + std::to_string(i) + "/code"));
  EXPECT_THAT(codes, ::testing::ElementsAre("excluded", "archived", "no_usable_rent"));
}

TEST_P(OfficeUnits, ArePublishedByTheRentThatTheBookingEngineWroteLast) {
  office_fixture office(GetParam());
  const auto engine = office.partner_of("booking-engine");
  const auto expect_published = [&](bool is_published) {
    const auto preview = office.send("GET", first_path + "/preview/marketplace-a");
    EXPECT_EQ(json_at(preview.body, "/published"), is_published ? "true" : "false") << preview.body;
    EXPECT_EQ(json_at(preview.body, "/reasons/0/code"), is_published ? "" : R"("no_usable_rent")")
        << preview.body;
    const auto listed = office.send("GET", units_path + "?platform=marketplace-a&published=true");
    EXPECT_EQ(json_at(listed.body, "/total"), is_published ? "1" : "0");
    const auto other = office.send("GET", units_path + "?published=false");
    EXPECT_EQ(json_at(other.body, "/total"), is_published ? "0" : "1");
    const auto platforms = office.send("GET", "/api/platforms");
    EXPECT_EQ(json_at(platforms.body, "/items/0/published"), is_published ? "1" : "0") << platforms.body;
    EXPECT_EQ(json_at(platforms.body, "/items/0/withheld"), is_published ? "0" : "1");
  };
  for (const auto* rent : {"0", "700"}) {
    ASSERT_EQ(
        engine.put("/listing", listing_update("u1", {{"/isRentFixed", "true"}, {"/rent", rent}})).status,
        200U);
    expect_published(std::string_view(rent) != "0");
  }
  // A month without a rent takes `rent`.
  const std::vector<edit> varying{{"/isRentFixed", "false"},
                                  {"/rentsPerMonth", R"([{"month":1,"rent":600}])"}};
  for (const auto* rent : {"0", "700"}) {
    auto edits = varying;
    edits.push_back({"/rent", rent});
    ASSERT_EQ(engine.put("/listing", listing_update("u1", edits)).status, 200U);
    expect_published(std::string_view(rent) != "0");
  }
}

TEST_P(OfficeUnits, ShowTheirNewestTermsInPreviewsAndMappingProblems) {
  office_fixture office(GetParam());
  const auto changed =
      office.send("PATCH", first_path, R"({"internalName":"Attic","rent":{"fixed":true,"amount":0}})",
                  {{"If-Match", "*"}});
  ASSERT_EQ(changed.status, 200U) << changed.body;
  const auto preview = office.send("GET", first_path + "/preview/marketplace-a");
  EXPECT_EQ(string_at(preview, "/reasons/0/code"), "no_usable_rent") << preview.body;
  EXPECT_THAT(office.send("GET", units_path + "?platform=marketplace-a&published=true").body,
              Not(HasSubstr("Attic")));
  office.send("PATCH", first_path, R"({"rent":{"fixed":true,"amount":750}})", {{"If-Match", "*"}});
  EXPECT_THAT(office.send("GET", units_path + "?platform=marketplace-a&published=true").body,
              HasSubstr("Attic"));
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(R"("rent":750,)"));
}

TEST_P(OfficeUnits, CanBeCopied) {
  office_fixture office(GetParam());
  const auto copy = office.send("POST", first_path + "/copy", R"({"internalName":"Twin"})");
  ASSERT_EQ(copy.status, 201U) << copy.body;
  EXPECT_EQ(string_at(copy, "/internalName"), "Twin");
  EXPECT_EQ(json_at(copy.body, "/rent"), json_at(office.send("GET", first_path).body, "/rent"));
  EXPECT_EQ(json_at(copy.body, "/links"), "[]");
}

TEST_P(OfficeUnitsOverHttp, AreListedByNameWithFilters) {
  office_fixture office(GetParam());
  for (const auto* name : {"Ático", "Zoo", "attic"})
    ASSERT_EQ(office.send("POST", units_path, new_unit(office, name)).status, 201U);
  const auto total = [&](const std::string& query) {
    return json_at(office.send("GET", units_path + "?" + query).body, "/total");
  };
  EXPECT_EQ(total(""), "4");
  EXPECT_EQ(total("q=atic"), "1");
  EXPECT_EQ(total("q=ATTIC"), "1");
  EXPECT_EQ(total("platform=marketplace-a"), "1");
  EXPECT_EQ(total("published=true&platform=marketplace-a"), "1");
  EXPECT_EQ(total("published=true"), "4") << "single-landlord platforms read units without links";
  EXPECT_EQ(total("published=false&platform=marketplace-a"), "0");
  EXPECT_EQ(total("archived=true"), "0");
  EXPECT_EQ(total("property=aaaaaaaa-0000-4000-8000-000000000001"), "0");
  const auto first = office.send("GET", units_path + "?limit=3");
  EXPECT_EQ(string_at(first, "/items/0/internalName"), "Ático");
  EXPECT_EQ(string_at(first, "/items/1/internalName"), "attic");
  const auto second = office.send("GET", units_path + "?limit=3&after=" + string_at(first, "/next"));
  EXPECT_EQ(string_at(second, "/items/0/internalName"), "Zoo");
  EXPECT_EQ(json_at(second.body, "/next"), "null");
  const auto table = office.send("GET", units_path, "", {{"Accept", "text/csv"}});
  EXPECT_THAT(table.body, HasSubstr("id,propertyId,internalName,"));
  EXPECT_THAT(table.body, HasSubstr("Zoo"));
  EXPECT_EQ(string_at(office.send("GET", units_path + "?archived=yes&colour=red"), "/message"),
            "property colour should not exist, archived must be true or false");
}

TEST_P(OfficeUnitsOverHttp, ReportAllProblemsWithTheirPaths) {
  office_fixture office(GetParam());
  const auto refused = office.send("POST", units_path, R"({"rent":{"fixed":true,"amount":-1},"capacity":0})");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(string_at(refused, "/message"),
            "rent.amount must not be less than 0, capacity must be a whole number from 1 to 1000, "
            "propertyId is required, internalName is required");
  EXPECT_EQ(office.send("PATCH", first_path, R"({"links":[]})", {{"If-Match", "*"}}).status, 400U);
}

} // namespace roost::testing::office_units_test
