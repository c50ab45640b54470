#include "service/support/openapi.hpp"
#include "service/support/stay_changes.hpp"

#include <gmock/gmock.h>

/// Changes of stays that are refused, when they are requested or when they are decided.
namespace roost::testing::stay_change_refusals_test {
using ::testing::HasSubstr;
using ::testing::Not;

class StayChangeRefusals : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(StayChangeRefusals);
ROOST_FOR_SQLITE(StayChangeRefusalsOverHttp);

std::string conflict(const std::string& message) { return error_body(409, message, "ConflictException"); }

/// Expects that a decided change is refused, and that neither the booking nor the list of outcomes changes.
class refused_change {
public:
  explicit refused_change(const stay_change_fixture& fixture)
      : fixture_(fixture), outcome_(fixture.outcome()), cursor_(fixture.cursor()),
        taken_(fixture.taken_nights()) {}

  void expect(const raw_response& decided, const std::string& reason, const std::string& message,
              const std::string& taken = "[]") const {
    EXPECT_EQ(string_at(decided, "/status"), "refused") << decided.body;
    EXPECT_EQ(json_at(decided.body, "/refusal"),
              R"({"reason":")" + reason + R"(","message":")" + message + R"(","takenNights":)" + taken + "}");
    EXPECT_NE(json_at(decided.body, "/decidedAt"), "null");
    EXPECT_EQ(fixture_.outcome(), outcome_);
    EXPECT_EQ(fixture_.outcomes_after(cursor_), "[]");
    EXPECT_EQ(fixture_.taken_nights(), taken_);
  }

private:
  const stay_change_fixture& fixture_;
  std::string outcome_, cursor_;
  std::vector<std::string> taken_;
};

// When they are requested

TEST_P(StayChangeRefusals, AreOfUnknownBookingsAndOfThoseOfOtherPlatforms) {
  stay_change_fixture fixture(GetParam(), "1h");
  EXPECT_EQ(fixture.put(new_stay(40, 50)).body,
            not_found("Booking not found for channel-manager with bookingId " + changed_reference));
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const auto other = fixture.partner_of("room-sharing");
  EXPECT_EQ(other.put(path_of_change(), new_stay(40, 50)).body,
            not_found("Booking not found for room-sharing with bookingId " + changed_reference));
  ASSERT_EQ(fixture.put(new_stay(40, 50)).status, 201U);
  const auto unknown = not_found("Change not found with changeId " + first_change);
  EXPECT_EQ(other.get(path_of_change()).body, unknown);
  EXPECT_EQ(fixture.client.get(path_of_change(first_change, other_reference)).body, unknown);
  EXPECT_EQ(fixture.client.get(path_of_change(second_change)).body,
            not_found("Change not found with changeId " + second_change));
  ASSERT_EQ(other.put(path_of_submission(), booking("u1", 70, 80)).status, 201U);
  const auto own = other.put(path_of_change(), new_stay(75, 85));
  EXPECT_EQ(own.status, 201U) << "another platform may use the same IDs";
  EXPECT_EQ(json_at(other.get(path_of_change()).body, "/checkInDate"), '"' + day_from_now(75) + '"');
  EXPECT_EQ(json_at(fixture.client.get(path_of_change()).body, "/checkInDate"), '"' + day_from_now(40) + '"');
}

TEST_P(StayChangeRefusals, AreOfBookingsThatAreRefusedOrCancelled) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60, changed_reference, "nowhere"), "refused");
  const auto refused = fixture.put(new_stay(40, 50));
  EXPECT_EQ(refused.status, 409U);
  EXPECT_EQ(refused.body, conflict("The booking is refused"));
  ASSERT_EQ(fixture.book(30, 60, other_reference), "confirmed");
  const auto path = path_of_change(first_change, other_reference);
  ASSERT_EQ(fixture.client.put(path, new_stay(40, 50)).status, 201U);
  ASSERT_EQ(string_at(fixture.client.get(path + "?wait=20s"), "/status"), "applied");
  ASSERT_EQ(fixture.client.erase(path_of_submission(other_reference)).status, 200U);
  const auto cancelled = fixture.client.put(path_of_change(second_change, other_reference), new_stay(45, 50));
  EXPECT_EQ(cancelled.status, 409U);
  EXPECT_EQ(cancelled.body, conflict("The booking is cancelled"));
  EXPECT_EQ(fixture.client.put(path, new_stay(40, 50)).status, 200U) << "a repeat";
  EXPECT_EQ(fixture.client.get(path_of_change()).status, 404U) << "nothing is stored";
}

TEST_P(StayChangeRefusals, AreOfStaysThatAreOver) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(-30, 0), "confirmed");
  const auto over = fixture.put(new_stay(-30, 10));
  EXPECT_EQ(over.status, 409U);
  EXPECT_EQ(over.body, conflict("The stay is over"));
}

TEST_P(StayChangeRefusalsOverHttp, AreOfOtherIdsThanUuids) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  for (const auto* id : {"7", "1f2e3d4c", "1f2e3d4c-5b6a-4978-c695-a4b3c2d1e0f9"}) {
    const auto refused = fixture.put(new_stay(40, 50), id);
    EXPECT_EQ(refused.status, 400U) << id;
    EXPECT_EQ(refused.body, bad_request("changeId must be a UUID")) << id;
  }
  EXPECT_EQ(fixture.client.get(path_of_change("7")).body, not_found("Change not found with changeId 7"));
  for (const auto* id : {"%00", "%ff%fe", "a%2Fb"}) {
    const auto status = fixture.client.get(path_of_change(id)).status;
    EXPECT_TRUE(status == 400 || status == 404) << id << ' ' << status;
  }
  for (const auto* wait : {"31s", "1m", "", "-1s"})
    EXPECT_EQ(fixture.client.get(path_of_change() + "?wait=" + wait).body,
              bad_request("wait must be 0s to 30s, in whole seconds"))
        << wait;
  EXPECT_EQ(fixture.client.get(path_of_change() + "?page=1").body,
            bad_request("property page should not exist"));
}

TEST_P(StayChangeRefusalsOverHttp, AreOfInvalidBodies) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const std::string date_in = "checkInDate must be a valid ISO 8601 date string",
                    date_out = "checkOutDate must be a valid ISO 8601 date string",
                    number = " must be a number conforming to the specified constraints",
                    too_small = " must not be less than 0", occupants = "numberOfExtraTenants",
                    payment = "platformProviderPaymentValue";
  const std::vector<std::pair<edit, std::string>> rules{
      {{"/checkInDate", ""}, date_in},
      {{"/checkInDate", "null"}, date_in},
      {{"/checkInDate", R"("2027-02-29")"}, date_in},
      {{"/checkInDate", R"("2027-01-01T00:00:00Z")"}, date_in},
      {{"/checkOutDate", ""}, date_out},
      {{"/checkOutDate", "20270101"}, date_out},
      {{"/" + occupants, "-1"}, occupants + too_small},
      {{"/" + occupants, R"("2")"}, occupants + too_small + ", " + occupants + number},
      {{"/" + occupants, "1.5"}, "A value has an invalid format."},
      {{"/" + occupants, "3000000000"}, "A numeric value is out of range."},
      {{"/" + payment, "-0.01"}, payment + too_small},
      {{"/" + payment, "true"}, payment + too_small + ", " + payment + number},
      {{"/" + payment, "100000000"}, "A numeric value is out of range."},
      {{"/externalId", R"("u2")"}, "property externalId should not exist"},
      {{"/bookingId", '"' + changed_reference + '"'}, "property bookingId should not exist"},
      {{"/tenant", "{}"}, "property tenant should not exist"},
  };
  for (const auto& [change, message] : rules) {
    const auto refused = fixture.put(new_stay(40, 50, {change}));
    EXPECT_EQ(refused.status, 400U) << change.pointer << ' ' << change.json;
    EXPECT_EQ(refused.body, bad_request(message)) << change.pointer << ' ' << change.json;
  }
  EXPECT_EQ(fixture.put("{}").body, bad_request(date_in + ", " + date_out));
  EXPECT_EQ(fixture.put("[]").body, bad_request("Request body must be a JSON object"));
  EXPECT_EQ(fixture.client.get(path_of_change()).status, 404U) << "nothing is stored";
  const auto nulls = fixture.put(new_stay(40, 50, {{"/" + occupants, "null"}, {"/" + payment, "null"}}));
  EXPECT_EQ(nulls.status, 201U) << nulls.body;
  EXPECT_EQ(fixture.put(new_stay(40, 50)).body, nulls.body) << "null is like missing";
}

TEST_P(StayChangeRefusalsOverHttp, AreOfPlatformsWithoutTheRight) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.allow_only("cancel");
  const running_roost server(place);
  const auto client = server.partner_of("channel-manager");
  ASSERT_EQ(client.put(path_of_submission(), booking("u1", 30, 60)).status, 201U);
  const auto path = "/channel-manager" + path_of_change();
  EXPECT_EQ(client.put(path_of_change(), new_stay(40, 50)).body, not_found("Cannot PUT " + path));
  EXPECT_EQ(client.get(path_of_change()).body, not_found("Cannot GET " + path));
  const auto document = send_request(server.port(), "GET", "/channel-manager-json").body;
  EXPECT_THAT(document, HasSubstr("cancelBooking"));
  for (const auto* text : {"BookingChange", "changeId"}) EXPECT_THAT(document, Not(HasSubstr(text)));
}

// When they are decided

TEST_P(StayChangeRefusals, NameTheNightsThatAreTaken) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  ASSERT_EQ(fixture.book(70, 80, other_reference), "confirmed");
  const refused_change refusal(fixture);
  refusal.expect(fixture.change(new_stay(50, 75)), "nights_taken", "Some nights of the stay are taken",
                 R"([{"from":")" + day_from_now(70) + R"(","to":")" + day_from_now(74) + R"("}])");
  const auto booked = fixture.send("GET", "/api/bookings?arriving=" + day_from_now(30));
  EXPECT_EQ(json_at(booked.body, "/items/0/platformChange"), "null") << booked.body;
  EXPECT_EQ(json_at(fixture.send("GET", "/api/notifications?read=false").body, "/total"), "2")
      << "those of the bookings";
  EXPECT_EQ(string_at(fixture.change(new_stay(50, 70), second_change), "/status"), "applied");
}

TEST_P(StayChangeRefusals, AreOfStaysWithoutPayment) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const refused_change refusal(fixture);
  const auto decided = fixture.change(new_stay(30, 50, {without_payment}));
  refusal.expect(decided, "no_payment_value", "platformProviderPaymentValue is missing or 0");
  EXPECT_EQ(json_at(decided.body, "/platformProviderPaymentValue"), "0");
}

TEST_P(StayChangeRefusals, AreOfDatesOutOfOrder) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const refused_change refusal(fixture);
  for (const auto& [id, to] : {std::pair{first_change, 40}, std::pair{second_change, 35}})
    refusal.expect(fixture.change(new_stay(40, to), id), "dates_out_of_order",
                   "checkOutDate is not after checkInDate");
}

TEST_P(StayChangeRefusals, FollowTheLandlordsCard) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const refused_change refusal(fixture);
  const std::string card = "/api/platforms/channel-manager/card";
  const auto forbidden = fixture.send("PUT", card, R"({"allowChanges":false})", {{"If-None-Match", "*"}});
  ASSERT_EQ(forbidden.status, 201U) << forbidden.body;
  EXPECT_EQ(json_at(forbidden.body, "/allowChanges"), "false");
  const std::string message = "The landlord does not allow changes by your platform";
  refusal.expect(fixture.change(new_stay(30, 50)), "not_allowed", message);
  ASSERT_EQ(fixture.send("PUT", card, "{}", {{"If-Match", "*"}}).status, 200U);
  EXPECT_EQ(json_at(fixture.send("GET", card).body, "/allowChanges"), "true") << "the default";
  EXPECT_EQ(fixture.put(new_stay(30, 50)).status, 200U) << "a repeat is not decided again";
  EXPECT_EQ(string_at(fixture.decided(), "/status"), "refused");
  EXPECT_EQ(string_at(fixture.change(new_stay(30, 50), second_change), "/status"), "applied");
}

TEST_P(StayChangeRefusals, AreOfAnotherCheckInOfAStayThatHasBegun) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(-10, 20), "confirmed");
  const refused_change refusal(fixture);
  refusal.expect(fixture.change(new_stay(-9, 20)), "not_allowed",
                 "The stay has begun: checkInDate cannot change");
  EXPECT_EQ(string_at(fixture.change(new_stay(-10, 40), second_change), "/status"), "applied");
  EXPECT_EQ(json_at(fixture.outcome(), "/checkOutDate"), '"' + day_from_now(40) + '"');
}

TEST_P(StayChangeRefusals, AreOfPendingBookingsThatDoNotBecomeStays) {
  stay_change_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("nowhere", 30, 60)).status, 201U);
  ASSERT_EQ(fixture.put(new_stay(40, 50)).status, 201U);
  ASSERT_EQ(fixture.client.put(path_of_submission(other_reference), booking("u1", 30, 60)).status, 201U);
  const auto path = path_of_change(first_change, other_reference);
  ASSERT_EQ(fixture.client.put(path, new_stay(40, 50)).status, 201U);
  ASSERT_EQ(string_at(fixture.client.erase(path_of_submission(other_reference)), "/status"), "cancelled");
  fixture.decide();
  const auto refused = fixture.decided(), cancelled = fixture.client.get(path + "?wait=20s");
  EXPECT_EQ(string_at(refused, "/refusal/reason"), "booking_refused") << refused.body;
  EXPECT_EQ(string_at(refused, "/refusal/message"), "The booking is refused");
  EXPECT_EQ(string_at(cancelled, "/refusal/reason"), "booking_cancelled") << cancelled.body;
  EXPECT_EQ(string_at(cancelled, "/refusal/message"), "The booking is cancelled");
  EXPECT_EQ(json_at(fixture.outcome(), "/status"), "\"refused\"");
  EXPECT_EQ(json_at(fixture.outcome(other_reference), "/status"), "\"cancelled\"");
}

TEST_P(StayChangeRefusalsOverHttp, AreInTheDocumentWithTheirMessages) {
  stay_change_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  const auto spec = document_of(*fixture.server, "channel-manager");
  const openapi::operation put{"put", "/channel-manager/bookings/{bookingId}/changes/{changeId}"},
      get{"get", put.path};
  EXPECT_EQ(spec.mismatch(put, 201, fixture.put(new_stay(50, 40)).body), "");
  const auto refused = fixture.decided();
  ASSERT_EQ(string_at(refused, "/status"), "refused");
  EXPECT_EQ(spec.mismatch(get, 200, refused.body), "");
  const auto conflicting = fixture.put(new_stay(50, 41));
  EXPECT_THAT(spec.messages(put, 409), ::testing::Contains(message_of(conflicting)));
  EXPECT_EQ(spec.mismatch(put, 409, conflicting.body), "");
}

} // namespace roost::testing::stay_change_refusals_test
