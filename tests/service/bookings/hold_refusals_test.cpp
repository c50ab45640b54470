#include "service/office_support/stay_bodies.hpp"
#include "service/support/holds.hpp"
#include "service/support/openapi.hpp"

#include <gmock/gmock.h>

#include <cstdio>

/// Holds that are refused, and what holds prevent in the office.
namespace roost::testing::hold_refusals_test {
using ::testing::HasSubstr;
using ::testing::Not;

class HoldRefusals : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(HoldRefusals);
ROOST_FOR_SQLITE(HoldRefusalsOverHttp);

std::string conflict(const std::string& message) { return error_body(409, message, "ConflictException"); }

/// Returns the 409 for a hold because these nights are taken.
std::string nights_taken(int from, int to) {
  const auto error = conflict("Some nights of the stay are taken");
  return error.substr(0, error.size() - 1) + R"(,"takenNights":[{"from":")" + day_from_now(from) +
         R"(","to":")" + day_from_now(to) + R"("}]})";
}

void expect_refused(const raw_response& refused, unsigned status, const std::string& body) {
  EXPECT_EQ(refused.status, status);
  EXPECT_EQ(refused.body, body);
}

TEST_P(HoldRefusals, NameTheNightsThatAreTaken) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  ASSERT_EQ(fixture.hold(hold_of(70, 80), second_hold).status, 201U);
  const auto block = R"({"from":")" + day_from_now(90) + R"(","to":")" + day_from_now(95) + R"("})";
  ASSERT_EQ(fixture.send("POST", "/api/units/" + unit_id(1) + "/blocks", block).status, 201U);
  expect_refused(fixture.hold(hold_of(20, 31)), 409, nights_taken(30, 30));
  expect_refused(fixture.hold(hold_of(79, 90)), 409, nights_taken(79, 79));
  expect_refused(fixture.hold(hold_of(94, 100)), 409, nights_taken(94, 95));
  EXPECT_EQ(fixture.server->metric(R"(roost_holds_total{event="refused"})"), 3);
  EXPECT_EQ(fixture.release().body, not_found("Hold not found with holdId " + first_hold))
      << "nothing is stored";
  EXPECT_EQ(fixture.hold(hold_of(60, 70)).status, 201U) << "the holdId is free";
}

TEST_P(HoldRefusals, FollowTheLandlordsCard) {
  hold_fixture fixture(GetParam());
  const std::string card = "/api/platforms/channel-manager/card";
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  const auto forbidden = fixture.send("PUT", card, R"({"allowHolds":false})", {{"If-None-Match", "*"}});
  ASSERT_EQ(forbidden.status, 201U) << forbidden.body;
  EXPECT_EQ(json_at(forbidden.body, "/allowHolds"), "false");
  expect_refused(fixture.hold(hold_of(70, 80), second_hold), 409,
                 conflict("The landlord does not allow holds by your platform"));
  EXPECT_EQ(fixture.hold(hold_of(30, 60)).status, 200U) << "a repeat";
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed") << "the hold was placed before";
  EXPECT_EQ(fixture.partner_of("room-sharing").put(path_of_hold(), hold_of(90, 95)).status, 201U)
      << "another platform";
  ASSERT_EQ(fixture.send("PUT", card, "{}", {{"If-Match", "*"}}).status, 200U);
  EXPECT_EQ(json_at(fixture.send("GET", card).body, "/allowHolds"), "true") << "the default";
  EXPECT_EQ(fixture.hold(hold_of(70, 80), second_hold).status, 201U);
}

TEST_P(HoldRefusals, AreOfTheFiftyFirstHoldWithALandlord) {
  hold_fixture fixture(GetParam(), "1h");
  const auto id_of = [](int number) {
    char text[40];
    std::snprintf(text, sizeof text, "3f0c9e55-7f0b-4a3e-9a55-%012d", number);
    return std::string(text);
  };
  for (int i = 0; i < 50; ++i) ASSERT_EQ(fixture.hold(hold_of(30 + i, 31 + i), id_of(i)).status, 201U) << i;
  const auto too_many =
      conflict("Your platform has 50 holds with this landlord: release one, or wait until one expires");
  expect_refused(fixture.hold(hold_of(100, 101)), 409, too_many);
  EXPECT_EQ(fixture.hold(hold_of(30, 31), id_of(0)).status, 200U) << "a repeat";
  EXPECT_EQ(fixture.partner_of("room-sharing").put(path_of_hold(), hold_of(100, 101)).status, 201U)
      << "another platform";
  ASSERT_EQ(fixture.release(id_of(0)).status, 204U);
  EXPECT_EQ(fixture.hold(hold_of(110, 111), second_hold).status, 201U);
  expect_refused(fixture.hold(hold_of(120, 121), third_hold), 409, too_many);
  ASSERT_EQ(fixture.claim_hold(31, 32, changed_reference, {claim(id_of(1))}).status, 201U);
  EXPECT_EQ(fixture.hold(hold_of(120, 121), third_hold).status, 201U) << "claimed holds do not count";
}

TEST_P(HoldRefusals, AreOfListingsThatHaveChanged) {
  hold_fixture fixture(GetParam());
  const auto read = fixture.client.get("/listings/u1").header("etag");
  const auto hold = [&](const std::string& id, const std::string& body, const std::string& tag) {
    return fixture.client.put(path_of_hold(id), body, {{"If-Match", tag}});
  };
  ASSERT_EQ(hold(first_hold, hold_of(30, 60), read).status, 201U);
  const auto refused = hold(second_hold, hold_of(70, 80), read);
  expect_refused(refused, 412,
                 error_body(412, "The listing has changed since it was read", "PreconditionFailedException"));
  EXPECT_EQ(refused.header("etag"), fixture.client.get("/listings/u1").header("etag"));
  fixture.expect_taken({nights(30, 59)});
  EXPECT_EQ(fixture.release(second_hold).status, 404U) << "nothing is stored";
  EXPECT_EQ(hold(first_hold, hold_of(30, 60), read).status, 200U) << "a repeat";
  EXPECT_EQ(hold(first_hold, hold_of(30, 61), read).status, 409U) << "another body";
  EXPECT_EQ(hold(second_hold, hold_of(70, 80), refused.header("etag")).status, 201U);
}

TEST_P(HoldRefusals, AreOfListingsThatCannotBeBooked) {
  hold_fixture fixture(GetParam());
  const auto refused_as_read = [&](const std::string& unit) {
    const auto refused = fixture.hold(hold_of(30, 60, {}, unit));
    const auto read = fixture.client.get("/listings/" + unit);
    EXPECT_EQ(read.status, 404U);
    expect_refused(refused, 404, read.body);
  };
  refused_as_read("unknown");
  fixture.place.import(portfolio_of(2, {{unit_pointer(1) + "/rent/amount", "0"}}));
  EXPECT_TRUE(eventually(
      [&] { return fixture.client.get("/listings/u2").body == not_found("Listing not available"); }));
  refused_as_read("u2");
  EXPECT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
}

TEST_P(HoldRefusals, KeepTheOfficeFromBlockingAndBooking) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  const std::string blocks = "/api/units/" + unit_id(1) + "/blocks",
                    range = R"({"from":")" + day_from_now(59) + R"(","to":")" + day_from_now(70) + R"("})";
  expect_refused(fixture.send("POST", blocks, range), 409,
                 conflict("channel-manager holds nights for a guest who is about to book, from " +
                          day_from_now(30) + " to " + day_from_now(60) + ": try again in some minutes"));
  const auto check_in = day_from_now(20), check_out = day_from_now(31);
  const auto booked = fixture.send("POST", bookings_path, stay(check_in.c_str(), check_out.c_str()));
  EXPECT_EQ(booked.status, 409U);
  EXPECT_EQ(string_at(booked, "/reason"), "nights_held");
  EXPECT_EQ(
      string_at(booked, "/message"),
      "A platform holds nights of the stay for a guest who is about to book; this takes at most 30 minutes");
  EXPECT_EQ(json_at(booked.body, "/takenNights"),
            R"([{"from":")" + day_from_now(30) + R"(","to":")" + day_from_now(30) + R"("}])");
  const auto quoted = fixture.send("POST", quotes_path, quote(check_in.c_str(), check_out.c_str()));
  EXPECT_EQ(json_at(quoted.body, "/available"), "false") << quoted.body;
  EXPECT_THAT(quoted.body, HasSubstr("nights_held"));
  ASSERT_EQ(fixture.release().status, 204U);
  EXPECT_EQ(fixture.send("POST", bookings_path, stay(check_in.c_str(), check_out.c_str())).status, 201U);
  EXPECT_EQ(fixture.send("POST", blocks, range).status, 201U);
}

TEST_P(HoldRefusals, DoNotKeepAnImportFromSellingOrRemovingTheUnit) {
  hold_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(2));
  EXPECT_TRUE(eventually([&] { return fixture.client.get("/listings/u2").status == 200; }));
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.hold(hold_of(30, 60, {}, "u2"), second_hold).status, 201U);
  fixture.place.import(portfolio_of(
      1,
      {{unit_pointer(0) + "/blocks", R"([{"from":")" + day_from_now(40) + R"(","to":")" + day_from_now(45) +
                                         R"(","source":"channel","host":"host-one"}])"}}));
  EXPECT_TRUE(eventually([&] { return fixture.client.get("/listings/u2").status == 404; }));
  EXPECT_EQ(fixture.release(second_hold).status, 404U) << "it went with its unit";
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  const auto outcome = fixture.decided_booking();
  EXPECT_EQ(json_at(outcome.body, "/refusal/reason"), R"("nights_taken")") << outcome.body;
  EXPECT_EQ(json_at(outcome.body, "/refusal/takenNights"),
            R"([{"from":")" + day_from_now(40) + R"(","to":")" + day_from_now(45) + R"("}])");
  fixture.expect_taken({nights(40, 45)});
}

TEST_P(HoldRefusals, AreOfUnknownHoldsAndOfThoseOfOtherPlatforms) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  const auto unknown = not_found("Hold not found with holdId " + first_hold);
  expect_refused(fixture.partner_of("room-sharing").erase(path_of_hold()), 404, unknown);
  expect_refused(fixture.release("no-uuid"), 404, not_found("Hold not found with holdId no-uuid"));
  fixture.expect_taken({nights(30, 59)});
  const auto in_capitals = fixture.release("3F0C9E55-7F0B-4A3E-9A55-0A3B6F6A7D01");
  EXPECT_EQ(in_capitals.status, 204U);
  fixture.expect_taken({});
}

TEST_P(HoldRefusalsOverHttp, AreOfOtherIdsThanUuids) {
  hold_fixture fixture(GetParam());
  for (const auto* id : {"7", "3f0c9e55", "3f0c9e55-7f0b-4a3e-c955-0a3b6f6a7d01"})
    expect_refused(fixture.hold(hold_of(30, 60), id), 400, bad_request("holdId must be a UUID"));
  for (const auto* id : {"%00", "%ff%fe", "a%2Fb"}) {
    const auto status = fixture.release(id).status;
    EXPECT_TRUE(status == 400 || status == 404) << id << ' ' << status;
  }
  EXPECT_EQ(fixture.claim_hold(30, 60, changed_reference, {{"/holdId", R"("7")"}}).body,
            bad_request("holdId must be a UUID"));
  EXPECT_EQ(fixture.claim_hold(30, 60, changed_reference, {{"/holdId", "null"}}).status, 201U);
}

TEST_P(HoldRefusalsOverHttp, AreOfInvalidBodies) {
  hold_fixture fixture(GetParam());
  const std::string date_in = "checkInDate must be a valid ISO 8601 date string",
                    date_out = "checkOutDate must be a valid ISO 8601 date string",
                    too_long = "minutes must not be greater than 30",
                    too_short = "minutes must not be less than 1",
                    no_integer = "minutes must be an integer number",
                    missing = too_long + ", " + too_short + ", " + no_integer;
  const std::vector<std::pair<edit, std::string>> rules{
      {{"/externalId", ""}, "externalId must be a string"},
      {{"/externalId", R"("")"}, "externalId must be a string"},
      {{"/checkInDate", ""}, date_in},
      {{"/checkInDate", R"("2027-02-29")"}, date_in},
      {{"/checkOutDate", "null"}, date_out},
      {{"/checkOutDate", '"' + day_from_now(30) + '"'}, "checkOutDate must be after checkInDate"},
      {{"/checkOutDate", '"' + day_from_now(29) + '"'}, "checkOutDate must be after checkInDate"},
      {{"/checkOutDate", '"' + day_from_now(30 + 36'526) + '"'},
       "checkOutDate must be at most 36525 days after checkInDate"},
      {{"/minutes", ""}, missing},
      {{"/minutes", "0"}, too_short},
      {{"/minutes", "31"}, too_long},
      {{"/minutes", "1.5"}, no_integer},
      {{"/minutes", R"("15")"}, missing},
      {{"/bookingId", '"' + changed_reference + '"'}, "property bookingId should not exist"},
      {{"/holdId", '"' + first_hold + '"'}, "property holdId should not exist"},
  };
  for (const auto& [change, message] : rules) {
    const auto refused = fixture.hold(hold_of(30, 60, {change}));
    EXPECT_EQ(refused.status, 400U) << change.pointer << ' ' << change.json;
    EXPECT_EQ(refused.body, bad_request(message)) << change.pointer << ' ' << change.json;
  }
  EXPECT_EQ(fixture.hold("[]").body, bad_request("Request body must be a JSON object"));
  EXPECT_EQ(fixture.release().status, 404U) << "nothing is stored";
  for (const auto* shortest_and_longest : {"1", "30"}) {
    const auto created = fixture.hold(hold_of(30, 60, {{"/minutes", shortest_and_longest}}), second_hold);
    EXPECT_TRUE(created.status == 201 || created.status == 409) << created.body;
  }
}

TEST_P(HoldRefusalsOverHttp, AreOfSubmissionsByPost) {
  hold_fixture fixture(GetParam());
  expect_refused(fixture.client.post("/bookings", booking("u1", 30, 60, {claim()})), 400,
                 bad_request("property holdId should not exist"));
}

TEST_P(HoldRefusalsOverHttp, AreOfPlatformsWithoutTheRight) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.allow_only("change");
  const running_roost server(place);
  const auto client = server.partner_of("channel-manager");
  expect_refused(client.put(path_of_submission(), booking("u1", 30, 60, {claim()})), 400,
                 bad_request("property holdId should not exist"));
  const auto path = "/channel-manager" + path_of_hold();
  expect_refused(client.put(path_of_hold(), hold_of(30, 60)), 404, not_found("Cannot PUT " + path));
  expect_refused(client.erase(path_of_hold()), 404, not_found("Cannot DELETE " + path));
  const auto document = send_request(server.port(), "GET", "/channel-manager-json").body;
  EXPECT_THAT(document, HasSubstr("putBooking"));
  EXPECT_THAT(document, HasSubstr("BookingChange"));
  for (const auto* text : {"HoldReceipt", "holdId", "putHold"}) EXPECT_THAT(document, Not(HasSubstr(text)));
}

TEST_P(HoldRefusalsOverHttp, AreNotOfPlatformsThatMayOnlyHold) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.allow_only("hold");
  const running_roost server(place);
  const auto client = server.partner_of("channel-manager");
  EXPECT_EQ(client.put(path_of_hold(), hold_of(30, 60)).status, 201U);
  EXPECT_EQ(client.put(path_of_submission(), booking("u1", 30, 60, {claim()})).status, 201U);
  EXPECT_EQ(client.erase(path_of_submission()).status, 404U);
}

TEST_P(HoldRefusalsOverHttp, AreInTheDocumentWithTheirMessages) {
  hold_fixture fixture(GetParam(), "1h");
  const auto spec = document_of(*fixture.server, "channel-manager");
  const openapi::operation put{"put", "/channel-manager/holds/{holdId}"}, erase{"delete", put.path};
  const auto expect_documented = [&](const openapi::operation& of, const raw_response& response,
                                     unsigned status) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(spec.mismatch(of, status, response.body), "") << response.body;
    if (status < 400) return;
    EXPECT_THAT(spec.messages(of, status), ::testing::Contains(message_of(response)));
  };
  expect_documented(put, fixture.hold(hold_of(30, 60)), 201);
  expect_documented(put, fixture.hold(hold_of(30, 60)), 200);
  expect_documented(put, fixture.hold(hold_of(30, 61)), 409);
  expect_documented(put, fixture.hold(hold_of(59, 61), second_hold), 409);
  expect_documented(put, fixture.hold(hold_of(70, 80, {{"/minutes", "31"}}), second_hold), 400);
  expect_documented(
      put, fixture.client.put(path_of_hold(second_hold), hold_of(70, 80), {{"If-Match", "\"x\""}}), 412);
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  expect_documented(erase, fixture.release(), 409);
  ASSERT_EQ(fixture.client.erase(path_of_submission()).status, 200U);
  expect_documented(erase, fixture.release(), 204);
  EXPECT_EQ(spec.mismatch(erase, 404, fixture.release(second_hold).body), "");
}

} // namespace roost::testing::hold_refusals_test
