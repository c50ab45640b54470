#include "service/office_support/stay_bodies.hpp"
#include "service/support/office.hpp"
#include "service/support/openapi.hpp"
#include "support/raw_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

/// Bookings by hand, their changes and their cancellation, through the office API.
namespace roost::testing::office_bookings_service_test {
using ::testing::HasSubstr;
using ::testing::Not;

class OfficeBookings : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeBookings);
ROOST_FOR_SQLITE(OfficeBookingsOverHttp);

std::string path_of(const raw_response& made) { return bookings_path + "/" + string_at(made, "/id"); }

header_fields if_match(const raw_response& seen) { return {{"If-Match", seen.headers.find("etag")->second}}; }

TEST_P(OfficeBookings, TakeTheirNightsInEveryReadAndFreeThemWhenTheyAreCancelled) {
  office_fixture office(GetParam(), {}, {{unit_pointer(0) + "/preparationDays", "2"}});
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  ASSERT_EQ(made.status, 201U) << made.body;
  EXPECT_THAT(made.headers.find("location")->second, ::testing::EndsWith(path_of(made)));
  EXPECT_EQ(json_at(made.body, "/platform"), "null");
  EXPECT_EQ(string_at(made, "/status"), "confirmed");
  EXPECT_EQ(string_at(made, "/tenant/email"), "ida@guests.example");
  EXPECT_EQ(string_at(made, "/preparation/to"), "2027-03-02");
  EXPECT_EQ(office.send("GET", path_of(made)).body, made.body);
  const auto partner = office.partner_of("marketplace-a");
  EXPECT_THAT(partner.get("/listings/u1").body, HasSubstr(R"("from":"2027-02-01","to":"2027-03-02")"));
  const auto shown = office.send("GET", "/api/calendar?from=2027-02-01&to=2027-02-28");
  EXPECT_EQ(json_at(shown.body, "/items/0/bookings/0/platform"), "null") << shown.body;

  const auto cancelled =
      office.send("POST", path_of(made) + "/cancel", R"({"reason":"Ill"})", if_match(made));
  ASSERT_EQ(cancelled.status, 200U) << cancelled.body;
  EXPECT_EQ(string_at(cancelled, "/status"), "cancelled");
  EXPECT_EQ(string_at(cancelled, "/cancellation/by"), "landlord");
  EXPECT_EQ(json_at(cancelled.body, "/plan"), json_at(made.body, "/plan"));
  EXPECT_THAT(partner.get("/listings/u1").body, Not(HasSubstr("2027-03-02")));
  EXPECT_EQ(office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01")).status, 201U);
}

TEST_P(OfficeBookings, AndPlatformsExcludeEachOther) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto partner = office.partner_of("marketplace-a");
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto in = day_from_now(59), out = day_from_now(70);
  const auto refused = office.send("POST", bookings_path, stay(in.c_str(), out.c_str()));
  EXPECT_EQ(refused.status, 409U);
  EXPECT_EQ(string_at(refused, "/reason"), "nights_taken");
  EXPECT_EQ(json_at(refused.body, "/takenNights"), R"([{"from":")" + in + R"(","to":")" + in + R"("}])");
  const auto free = day_from_now(60);
  ASSERT_EQ(office.send("POST", bookings_path, stay(free.c_str(), out.c_str())).status, 201U);
  ASSERT_EQ(partner.post("/bookings", booking("u1", 65, 80)).status, 201U);
  ASSERT_TRUE(eventually([&] {
    return office.decisions() == std::vector<std::string>{"Failed", "Success"};
  }));
}

TEST_P(OfficeBookings, ShareTheirTenantsWithPlatforms) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  const auto request = booking(
      "u1", 400, 430, {{"/tenant/email", R"("IDA@guests.example")"}, {"/tenant/firstName", R"("I")"}});
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", request).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto listed = office.send("GET", bookings_path + "?tenant=" + string_at(made, "/tenantId"));
  EXPECT_EQ(json_at(listed.body, "/total"), "2") << listed.body;
  EXPECT_EQ(string_at(listed, "/items/0/platform"), "marketplace-a");
  EXPECT_EQ(string_at(listed, "/items/0/tenant/firstName"), "Ida");
}

TEST_P(OfficeBookings, SurviveARestartAndARepetitionOfTheirRequest) {
  office_fixture office(GetParam());
  const auto body = stay("2027-02-01", "2027-03-01", {{"/id", R"("aaaaaaaa-0000-4000-8000-000000000001")"}});
  ASSERT_EQ(office.send("POST", bookings_path, body).status, 201U);
  office.restart();
  const auto again = office.send("POST", bookings_path, body);
  EXPECT_EQ(again.status, 200U) << again.body;
  EXPECT_EQ(json_at(office.send("GET", bookings_path).body, "/total"), "1");
  const auto other = office.send("POST", bookings_path, edited(body, {{"/tenant/phone", "null"}}));
  EXPECT_EQ(other.status, 409U);
  EXPECT_EQ(string_at(other, "/message"), "Another booking was created with this id");
}

TEST_P(OfficeBookings, MoveToOtherNightsAndAnotherUnit) {
  office_fixture office(GetParam());
  office.place.import(portfolio_of(2));
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  const auto path = path_of(made);
  EXPECT_EQ(office.send("PATCH", path, R"({"occupants":2})").status, 428U);
  const auto moved = office.send("PATCH", path, R"({"checkInDate":"2027-02-10","checkOutDate":"2027-03-10"})",
                                 if_match(made));
  ASSERT_EQ(moved.status, 200U) << moved.body;
  const auto partner = office.partner_of("marketplace-a");
  EXPECT_THAT(partner.get("/listings/u1").body, HasSubstr(R"("from":"2027-02-10","to":"2027-03-09")"));
  EXPECT_EQ(office.send("PATCH", path, R"({"occupants":2})", if_match(made)).status, 412U);
  const auto reversed = office.send("PATCH", path, R"({"checkOutDate":"2027-02-10"})", if_match(moved));
  EXPECT_EQ(reversed.status, 400U);
  EXPECT_EQ(string_at(reversed, "/message"), "checkOutDate must be after checkInDate");
  const auto elsewhere = office.send("PATCH", path, R"({"unitId":")" + unit_id(2) + R"("})", if_match(moved));
  ASSERT_EQ(elsewhere.status, 200U) << elsewhere.body;
  EXPECT_THAT(partner.get("/listings/u1").body, Not(HasSubstr("2027-03-09")));
  EXPECT_THAT(partner.get("/listings/u2").body, HasSubstr("2027-03-09"));
  ASSERT_EQ(office.send("POST", bookings_path, stay("2027-02-10", "2027-03-10")).status, 201U);
  const auto back = office.send("PATCH", path, R"({"unitId":")" + unit_id(1) + R"("})", if_match(elsewhere));
  EXPECT_EQ(back.status, 409U);
  EXPECT_EQ(string_at(back, "/reason"), "nights_taken");
  EXPECT_THAT(office.place.run_or_throw({"notification", "list"}), HasSubstr("was changed here"));
}

TEST_P(OfficeBookingsOverHttp, ReportAllProblemsOfABodyTogether) {
  office_fixture office(GetParam());
  const auto refusal = [&](const std::string& body) {
    const auto refused = office.send("POST", bookings_path, body);
    EXPECT_EQ(refused.status, 400U) << refused.body;
    return string_at(refused, "/message");
  };
  EXPECT_EQ(refusal(stay("2027-02-30", "x", {{"/unitId", "1"}, {"/platform", R"("nowhere")"}})),
            "unitId must be a UUID, checkInDate must be a real date written YYYY-MM-DD, checkOutDate must be "
            "a real date written YYYY-MM-DD, platform must be a configured platform");
  EXPECT_EQ(refusal(stay("2027-02-02", "2027-02-02")), "checkOutDate must be after checkInDate");
  EXPECT_EQ(refusal(stay("2027-02-01", "2027-02-02", {{"/platformProviderPaymentValue", "650"}})),
            "platformProviderPaymentValue must be left out without a platform");
  EXPECT_EQ(refusal(stay("2027-02-01", "2027-02-02", {{"/tenant", "{}"}})),
            "tenant must be a non-empty object");
  EXPECT_EQ(refusal(stay("2027-02-01", "2027-02-02", {{"/tenant/email", R"("")"}})),
            "tenant.email is required");
  EXPECT_EQ(
      refusal(stay("2027-02-30", "2027-03-02",
                   {{"/platform", R"("marketplace-a")"},
                    {"/platformProviderPaymentValue", "100000000"},
                    {"/tenant/firstName", '"' + std::string(129, 'a') + '"'},
                    {"/tenant/nationality", R"("Spain")"}})),
      "checkInDate must be a real date written YYYY-MM-DD, tenant.firstName must not be longer than 128 "
      "characters, tenant.nationality must not be longer than 2 characters, "
      "platformProviderPaymentValue must be below 100000000");
  EXPECT_EQ(refusal(stay("2027-02-01", "2027-02-02", {{"/unitId", '"' + unit_id(9) + '"'}})),
            "unitId must be a unit of the account");
  EXPECT_THAT(refusal(stay("2027-02-01", "2027-02-02", {{"/color", "1"}})), HasSubstr("color"));
  EXPECT_EQ(string_at(office.send("POST", quotes_path,
                                  quote("2027-02-01", "2027-02-02", {{"/unitId", '"' + unit_id(9) + '"'}})),
                      "/message"),
            "unitId must be a unit of the account");
}

TEST_P(OfficeBookingsOverHttp, AreCancelledInTheStateThatTheClientHasReadAndOnce) {
  office_fixture office(GetParam());
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  const auto path = path_of(made) + "/cancel";
  constexpr const char* reason = R"({"reason":"Ill"})";
  EXPECT_EQ(office.send("POST", path, R"({"reason":" "})", if_match(made)).status, 400U);
  EXPECT_EQ(
      string_at(office.send("POST", path, R"({"reason":")" + std::string(501, 'a') + R"(","note":"Ill"})",
                            if_match(made)),
                "/message"),
      "property note should not exist, reason must not be longer than 500 characters");
  EXPECT_EQ(office.send("POST", path, reason).status, 428U);
  EXPECT_EQ(office.send("POST", bookings_path + "/" + unit_id(1) + "/cancel", reason, if_match(made)).status,
            404U);
  const auto cancelled = office.send("POST", path, reason, if_match(made));
  ASSERT_EQ(cancelled.status, 200U) << cancelled.body;
  const auto outdated = office.send("POST", path, reason, if_match(made));
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["status","cancellation"])");
  EXPECT_EQ(string_at(outdated, "/changedBy"), "ana@casaverde.example");
  const auto again = office.send("POST", path, reason, if_match(cancelled));
  EXPECT_EQ(again.status, 409U);
  EXPECT_EQ(string_at(again, "/message"), "The booking is already cancelled");
  EXPECT_THAT(office.place.run_or_throw({"audit", "list"}), HasSubstr("reason: Ill"));
  EXPECT_THAT(office.place.run_or_throw({"notification", "list"}), HasSubstr("Reason: Ill"));
  EXPECT_THAT(office.place.run_or_throw({"booking", "show", string_at(made, "/id")}),
              HasSubstr("user ana@casaverde.example"));
}

TEST_P(OfficeBookingsOverHttp, AreListedWithFiltersAndAsATable) {
  office_fixture office(GetParam());
  ASSERT_EQ(office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01")).status, 201U);
  ASSERT_EQ(office.send("POST", bookings_path, stay("2027-03-01", "2027-04-01")).status, 201U);
  const auto total = [&](const std::string& query) {
    return json_at(office.send("GET", bookings_path + query).body, "/total");
  };
  EXPECT_EQ(total("?arriving=2027-03-01"), "1");
  EXPECT_EQ(total("?arrivingFrom=2027-02-01&arrivingTo=2027-03-01"), "2");
  EXPECT_EQ(total("?leaving=2027-03-01"), "1");
  EXPECT_EQ(total("?status=cancelled"), "0");
  EXPECT_EQ(total("?q=berg"), "2");
  EXPECT_EQ(total("?unit=" + unit_id(1) + "&platform=marketplace-a"), "0");
  const auto first = office.send("GET", bookings_path + "?limit=1");
  EXPECT_EQ(string_at(first, "/items/0/checkInDate"), "2027-03-01") << "newest first";
  const auto second = office.send("GET", bookings_path + "?limit=1&after=" + string_at(first, "/next"));
  EXPECT_EQ(string_at(second, "/items/0/checkInDate"), "2027-02-01");
  EXPECT_EQ(json_at(second.body, "/next"), "null");
  EXPECT_EQ(office.send("GET", bookings_path + "?status=x&arriving=y").status, 400U);
  for (const auto& path : {bookings_path + "?platform=%00", std::string("/api/units?platform=%00"),
                           std::string("/api/users?role=%00")})
    EXPECT_EQ(office.send("GET", path).status, 400U) << path;
  EXPECT_EQ(office.send("GET", bookings_path + "?arriving=2027-01-01&arrivingTo=2027-01-01").status, 400U);
  raw_client client(office.server->port()); // of HTTP/1.0: the table is sent in parts
  client.send("GET " + bookings_path + " HTTP/1.0\r\nHost: a\r\nAccept: text/csv\r\nAuthorization: Bearer " +
              office.token + "\r\n\r\n");
  const auto table = client.receive_until_close();
  EXPECT_THAT(table, HasSubstr("id,unitId,unitName"));
  EXPECT_THAT(table, HasSubstr("tenant.email"));
  EXPECT_THAT(table, HasSubstr("ida@guests.example"));
}

TEST_P(OfficeBookingsOverHttp, ShowOwnersOnlyThoseOfTheirProperties) {
  const std::string owner = R"("33333333-0000-4000-8000-000000000001")";
  for (const bool is_theirs : {false, true}) {
    std::vector<edit> edits{{account_pointer + "/users/0/role", R"("Owner")"},
                            {account_pointer + "/users/0/ownerId", owner}};
    if (is_theirs) edits.push_back({property_pointer + "/ownerId", owner});
    office_fixture office(
        GetParam(), {{"bookings.cycle", "\"1s\""}, {"roles.Owner", R"(["bookings.view","bookings.create"])"}},
        edits);
    ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
    ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
    EXPECT_EQ(json_at(office.send("GET", bookings_path).body, "/total"), is_theirs ? "1" : "0");
    EXPECT_EQ(office.send("POST", bookings_path, stay("2027-12-01", "2027-12-05")).status,
              is_theirs ? 201U : 400U);
    EXPECT_EQ(json_at(office.send("GET", "/api/notifications").body, "/total"), is_theirs ? "2" : "0");
    EXPECT_EQ(office.send("POST", quotes_path, quote("2027-11-01", "2027-11-05")).status,
              is_theirs ? 200U : 400U);
  }
}

TEST_P(OfficeBookingsOverHttp, HideTheGuestFromRolesThatMayNotSeeTenants) {
  office_fixture office(GetParam(), {{"roles.Single", R"(["bookings.view","bookings.create"])"}},
                        {{account_pointer + "/users/0/role", R"("Single")"}});
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  ASSERT_EQ(made.status, 201U) << made.body;
  EXPECT_EQ(json_at(made.body, "/tenant"), "null");
  EXPECT_THAT(office.send("GET", bookings_path).body, Not(HasSubstr("ida@guests.example")));
  EXPECT_EQ(json_at(office.send("GET", bookings_path + "?q=berg").body, "/total"), "0");
}

TEST_P(OfficeBookingsOverHttp, AreReturnedAlsoIfTheClientHasTheirState) {
  office_fixture office(GetParam());
  const auto made = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  const auto shown =
      office.send("GET", path_of(made), "", {{"If-None-Match", made.headers.find("etag")->second}});
  EXPECT_EQ(shown.status, 200U) << "the ETag does not cover the guest, who may have been erased";
  EXPECT_EQ(shown.body, made.body);
}

TEST_P(OfficeBookingsOverHttp, AreRefusedInAnArchivedUnit) {
  office_fixture office(GetParam(), {}, {{unit_pointer(0) + "/archived", "true"}});
  const auto refused = office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01"));
  EXPECT_EQ(refused.status, 409U) << refused.body;
  EXPECT_EQ(string_at(refused, "/message"), "The unit or its property is archived");
  const auto on_platform =
      office.send("POST", bookings_path,
                  stay("2027-02-01", "2027-03-01",
                       {{"/platform", R"("marketplace-a")"}, {"/platformProviderPaymentValue", "650"}}));
  EXPECT_THAT(string_at(on_platform, "/message"), HasSubstr("not linked"));
}

TEST_P(OfficeBookingsOverHttp, AreInTheChangelogOnlyForRolesThatMayViewThem) {
  const auto changelog = [&](const char* permissions) {
    office_fixture office(GetParam(), {{"roles.Single", permissions}},
                          {{account_pointer + "/users/0/role", R"("Single")"}});
    EXPECT_EQ(office.send("POST", bookings_path, stay("2027-02-01", "2027-03-01")).status, 201U);
    const auto shown = office.send("GET", "/api/units/" + unit_id(1) + "/changes");
    EXPECT_EQ(shown.status, 200U) << shown.body;
    return shown.body;
  };
  EXPECT_THAT(changelog(R"(["listings.view","bookings.create","bookings.view"])"), HasSubstr("2027-02-01"));
  const auto without = changelog(R"(["listings.view","bookings.create"])");
  EXPECT_THAT(without, Not(HasSubstr("2027-02-01")));
  EXPECT_EQ(json_at(without, "/total"), "0");
}

TEST_P(OfficeBookings, OfAPlatformAreCancelledByItOrHere) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto partner = office.partner_of("marketplace-a");
  const auto send = [&](const char* event) {
    return partner.post("/webhook",
                        std::string(R"({"event":")") + event +
                            R"(","offer_api_reference":"u1","booking_id":90210,"move_in_date":"2099-03-01",)"
                            R"("move_out_date":"2099-06-01","contract_price_amount":68300})");
  };
  ASSERT_EQ(send("booking-paid").status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  ASSERT_EQ(send("booking-cancelled").status, 201U);
  const auto cancelled = office.send("GET", bookings_path + "?status=cancelled");
  EXPECT_EQ(string_at(cancelled, "/items/0/cancellation/by"), "partner") << cancelled.body;
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions().size() == 2; }));
  const auto sold = office.send("GET", bookings_path + "?status=confirmed");
  const auto path = bookings_path + "/" + string_at(sold, "/items/0/id");
  const auto done = office.send("POST", path + "/cancel", R"({"reason":"Fire"})",
                                {{"If-Match", item_tag(sold, "/items/0")}});
  ASSERT_EQ(done.status, 200U) << done.body;
  EXPECT_EQ(string_at(done, "/cancellation/by"), "landlord");
  EXPECT_THAT(partner.get("/listings/u1").body, Not(HasSubstr(day_from_now(59))));
}

} // namespace roost::testing::office_bookings_service_test
