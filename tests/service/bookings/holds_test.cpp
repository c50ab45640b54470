#include "service/support/holds.hpp"
#include "support/patterns.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

/// PUT and DELETE /<prefix>/holds/{holdId}, and bookings that claim holds.
namespace roost::testing::holds_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class Holds : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(Holds);

const std::string third_reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a63";

std::string without_times(const std::string& text) {
  return with_replaced(text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)", "<time>");
}

std::string receipt_of(int from, int to, const std::string& id = first_hold) {
  return R"({"holdId":")" + id + R"(","externalId":"u1","checkInDate":")" + day_from_now(from) +
         R"(","checkOutDate":")" + day_from_now(to) + R"(","expiresAt":"<time>"})";
}

domain::timestamp expiry_of(const raw_response& receipt) {
  return domain::parse_timestamp(string_at(receipt, "/expiresAt")).value();
}

/// Returns how an exported calendar writes a day.
std::string ical_day(int days) {
  auto text = day_from_now(days);
  std::erase(text, '-');
  return text;
}

/// Returns the refusal of an outcome.
std::string refusal_of(const raw_response& outcome) { return json_at(outcome.body, "/refusal"); }

std::string held_nights(int from, int to) {
  return R"({"reason":"nights_held","message":"Some nights of the stay are held for another guest","takenNights":[{"from":")" +
         day_from_now(from) + R"(","to":")" + day_from_now(to) + R"("}]})";
}

TEST_P(Holds, AreAcknowledgedWithAReceipt) {
  hold_fixture fixture(GetParam());
  const auto before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto created = fixture.hold(hold_of(30, 60));
  const auto after = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(without_times(created.body), receipt_of(30, 60));
  EXPECT_GE(expiry_of(created), domain::timestamp{before} + 15min);
  EXPECT_LE(expiry_of(created), domain::timestamp{after} + 15min);
  EXPECT_EQ(fixture.server->metric(R"(roost_holds_total{event="placed"})"), 1);
  const auto logged = fixture.server->wait_for_event("hold_placed", {{"hold", first_hold}});
  EXPECT_EQ(logged.at("platform"), "channel-manager");
  EXPECT_EQ(logged.at("unit"), unit_id(1));
  EXPECT_EQ(logged.at("from"), day_from_now(30));
  EXPECT_EQ(logged.at("to"), day_from_now(60));
}

TEST_P(Holds, ReturnTheSameReceiptToARepeat) {
  hold_fixture fixture(GetParam());
  const auto created = fixture.hold(hold_of(30, 60));
  ASSERT_EQ(created.status, 201U) << created.body;
  const auto expect_repeat = [&](const std::string& id) {
    const auto repeated = fixture.hold(hold_of(30, 60), id);
    EXPECT_EQ(repeated.status, 200U);
    EXPECT_EQ(repeated.body, created.body);
  };
  expect_repeat(first_hold);
  expect_repeat("3F0C9E55-7F0B-4A3E-9A55-0A3B6F6A7D01");
  const auto different =
      error_body(409, "A different hold was already placed with this holdId", "ConflictException");
  for (const auto& other : {hold_of(30, 61), hold_of(31, 60), hold_of(30, 60, {{"/minutes", "16"}}),
                            hold_of(30, 60, {}, "unknown")}) {
    const auto refused = fixture.hold(other);
    EXPECT_EQ(refused.status, 409U);
    EXPECT_EQ(refused.body, different);
  }
  fixture.crash();
  expect_repeat(first_hold);
  EXPECT_EQ(fixture.release().status, 204U);
  expect_repeat(first_hold);
  fixture.expect_taken({});
}

TEST_P(Holds, AreInEveryReadAndLeaveItWhenTheyEnd) {
  hold_fixture fixture(GetParam());
  fixture.server.reset();
  fixture.place.set("feeds.rebuild", "\"100ms\"");
  fixture.server.emplace(fixture.place);
  fixture.client = fixture.partner_of("channel-manager");
  const auto in_list = [&] {
    return fixture.client.get("/listings").body.find(day_from_now(59)) != std::string::npos;
  };
  const auto created = fixture.hold(hold_of(30, 60));
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(fixture.taken_nights(), std::vector{nights(30, 59)}) << "in the first read";
  EXPECT_TRUE(eventually(in_list));
  const auto quote = fixture.quote(59, 70);
  EXPECT_EQ(json_at(quote, "/available"), "false");
  EXPECT_EQ(json_at(quote, "/refusals"), R"(["nights_held"])");
  EXPECT_EQ(json_at(quote, "/takenNights"),
            R"([{"from":")" + day_from_now(59) + R"(","to":")" + day_from_now(59) + R"("}])");
  EXPECT_EQ(json_at(fixture.quote(60, 70), "/available"), "true");
  EXPECT_THAT(fixture.export_of_unit(), HasSubstr("DTSTART;VALUE=DATE:" + ical_day(30) +
                                                  "\r\nDTEND;VALUE=DATE:" + ical_day(60) + "\r\n"));
  EXPECT_EQ(fixture.holds_in_office(), R"([{"platform":"channel-manager","checkInDate":")" +
                                           day_from_now(30) + R"(","checkOutDate":")" + day_from_now(60) +
                                           R"(","lastNight":")" + day_from_now(59) + R"(","expiresAt":)" +
                                           json_at(created.body, "/expiresAt") + "}]");

  const auto released = fixture.release();
  EXPECT_EQ(released.status, 204U) << released.body;
  EXPECT_EQ(released.body, "");
  EXPECT_EQ(fixture.taken_nights(), std::vector<std::string>{}) << "in the first read";
  EXPECT_TRUE(eventually([&] { return !in_list(); }));
  EXPECT_EQ(json_at(fixture.quote(59, 70), "/available"), "true");
  EXPECT_THAT(fixture.export_of_unit(), Not(HasSubstr(ical_day(30))));
  EXPECT_EQ(fixture.holds_in_office(), "[]");
  EXPECT_EQ(fixture.release().status, 204U) << "it has ended before";
  EXPECT_EQ(fixture.server->metric(R"(roost_holds_total{event="released"})"), 1);
}

TEST_P(Holds, TakeTheNightsOfPreparation) {
  hold_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(1, {{unit_pointer(0) + "/preparationDays", "2"}}));
  ASSERT_EQ(fixture.book(100, 110), "confirmed");
  fixture.expect_taken({nights(100, 111)});
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  fixture.expect_taken({nights(30, 61), nights(100, 111)});
  EXPECT_THAT(fixture.holds_in_office(), HasSubstr(R"("lastNight":")" + day_from_now(61) + '"'));
  EXPECT_EQ(fixture.book(61, 70, other_reference), "refused");
  EXPECT_EQ(refusal_of(fixture.decided_booking(other_reference)), held_nights(61, 61));
}

TEST_P(Holds, EndWhenTheyExpire) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.hold(hold_of(70, 80), second_hold).status, 201U);
  fixture.let_expire();
  EXPECT_TRUE(eventually([&] { return fixture.taken_nights() == std::vector{nights(70, 79)}; }));
  EXPECT_EQ(fixture.server->wait_for_event("holds_expired").at("holds"), "1");
  EXPECT_EQ(fixture.server->metric(R"(roost_holds_total{event="expired"})"), 1);
  EXPECT_EQ(fixture.release().status, 204U);
  const auto repeated = fixture.hold(hold_of(30, 60));
  EXPECT_EQ(repeated.status, 200U);
  EXPECT_EQ(string_at(repeated, "/expiresAt"), "2020-01-01T00:00:00.000Z") << "in the past";
  EXPECT_EQ(fixture.book(30, 60), "confirmed");
}

TEST_P(Holds, SurviveACrashUntilTheyExpire) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.hold(hold_of(70, 80), second_hold).status, 201U);
  fixture.server->kill();
  fixture.let_expire(second_hold);
  fixture.server.emplace(fixture.place);
  const auto ready = std::chrono::steady_clock::now();
  fixture.client = {fixture.server->port(), "channel-manager", fixture.client.token()};
  EXPECT_TRUE(eventually([&] { return fixture.taken_nights() == std::vector{nights(30, 59)}; }));
  // A second, and what a busy machine needs.
  EXPECT_LT(std::chrono::steady_clock::now() - ready, 5s);
  EXPECT_EQ(fixture.book(40, 50), "refused");
  EXPECT_EQ(fixture.book(70, 80, other_reference), "confirmed");
}

TEST_P(Holds, AreBookedByTheRequestThatClaimsThem) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  EXPECT_EQ(fixture.book(40, 50, other_reference), "refused");
  EXPECT_EQ(refusal_of(fixture.decided_booking(other_reference)), held_nights(40, 49));
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
  fixture.expect_taken({nights(30, 59)});
  EXPECT_TRUE(eventually([&] { return fixture.holds_in_office() == "[]"; }));
  EXPECT_EQ(fixture.book(40, 50, third_reference), "refused");
  EXPECT_EQ(json_at(fixture.outcome(third_reference), "/refusal/reason"), R"("nights_taken")");
  EXPECT_EQ(fixture.release().status, 204U) << "it has ended";
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
}

TEST_P(Holds, AreClaimedWithAnIdInAnyLetterCaseAndForOtherDates) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60), "3F0C9E55-7F0B-4A3E-9A55-0A3B6F6A7D01").status, 201U);
  ASSERT_EQ(
      fixture.claim_hold(40, 70, changed_reference, {claim("3F0C9e55-7F0B-4A3E-9A55-0A3B6F6A7D01")}).status,
      201U);
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
  fixture.expect_taken({nights(40, 69)});
}

TEST_P(Holds, DoNotMatterToARepeatOfTheBooking) {
  hold_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  const auto first = fixture.claim_hold(30, 60);
  ASSERT_EQ(first.status, 201U) << first.body;
  for (const auto& edits : {std::vector<edit>{}, {claim()}, {claim(second_hold)}}) {
    const auto repeated = fixture.claim_hold(30, 60, changed_reference, edits);
    EXPECT_EQ(repeated.status, 200U);
    EXPECT_EQ(repeated.body, first.body);
  }
  EXPECT_EQ(fixture.claim_hold(30, 61).status, 409U) << "another body";
  ASSERT_EQ(fixture.claim_hold(70, 80, other_reference, {}).status, 201U);
  ASSERT_EQ(fixture.hold(hold_of(70, 80), second_hold).status, 201U);
  EXPECT_EQ(fixture.claim_hold(70, 80, other_reference, {claim(second_hold)}).status, 200U);
  EXPECT_EQ(fixture.release(second_hold).status, 204U) << "a repeat claims nothing";
}

TEST_P(Holds, ThatAreUnknownOrHaveEndedAreIgnoredByBookings) {
  hold_fixture fixture(GetParam(), "1h");
  EXPECT_EQ(fixture.claim_hold(30, 40).status, 201U) << "unknown";
  ASSERT_EQ(fixture.hold(hold_of(50, 60), second_hold).status, 201U);
  fixture.let_expire(second_hold);
  fixture.expect_taken({}); // until then, the request would claim it
  EXPECT_EQ(fixture.claim_hold(50, 60, other_reference, {claim(second_hold)}).status, 201U);
  ASSERT_EQ(fixture.hold(hold_of(70, 80), third_hold).status, 201U);
  ASSERT_EQ(fixture.release(third_hold).status, 204U);
  EXPECT_EQ(fixture.claim_hold(70, 80, third_reference, {claim(third_hold)}).status, 201U);
  fixture.expect_taken({});
  fixture.decide();
  for (const auto& reference : {changed_reference, other_reference, third_reference})
    EXPECT_EQ(string_at(fixture.decided_booking(reference), "/status"), "confirmed") << reference;
}

TEST_P(Holds, OfAnotherPlatformOrUnitAreNotClaimed) {
  hold_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(2));
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  const auto other = fixture.partner_of("room-sharing");
  EXPECT_EQ(other.put(path_of_hold(), hold_of(70, 80)).status, 201U) << "the same ID";
  EXPECT_EQ(other.erase(path_of_hold()).status, 204U);
  ASSERT_EQ(other.put(path_of_submission(), booking("u1", 30, 60, {claim()})).status, 201U);
  EXPECT_EQ(refusal_of(other.get(path_of_submission() + "?wait=20s")), held_nights(30, 59));
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking("u2", 30, 60, {claim()})).status, 201U);
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
  EXPECT_EQ(fixture.taken_nights(), std::vector{nights(30, 59)}) << "of u1, still held";
  EXPECT_EQ(fixture.release().status, 204U);
  fixture.expect_taken({});
}

TEST_P(Holds, AreNotReleasedWhileARequestHasClaimedThem) {
  hold_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  const auto refused = fixture.release();
  EXPECT_EQ(refused.status, 409U);
  EXPECT_EQ(refused.body, error_body(409, "A booking that is not decided yet has taken over the hold",
                                     "ConflictException"));
  fixture.let_expire();
  EXPECT_EQ(json_at(fixture.holds_in_office(), "/0/expiresAt"), "null");
  fixture.crash();
  EXPECT_EQ(fixture.taken_nights(), std::vector{nights(30, 59)}) << "it does not expire any more";
  fixture.decide();
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
}

TEST_P(Holds, EndWhenTheirBookingIsWithdrawn) {
  hold_fixture fixture(GetParam(), "1h");
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  EXPECT_EQ(string_at(fixture.client.erase(path_of_submission()), "/status"), "cancelled");
  fixture.expect_taken({});
  EXPECT_EQ(fixture.release().status, 204U);
}

TEST_P(Holds, EndWhenTheirBookingIsRefused) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.claim_hold(30, 60, changed_reference, {claim(), without_payment}).status, 201U);
  EXPECT_EQ(json_at(fixture.decided_booking().body, "/refusal/reason"), R"("no_payment_value")");
  fixture.expect_taken({});
  EXPECT_EQ(fixture.book(30, 60, other_reference), "confirmed");
}

TEST_P(Holds, EndWhenAnOperatorDropsTheirBooking) {
  hold_fixture fixture(GetParam(), "1h", "room-sharing");
  ASSERT_EQ(fixture.hold(hold_of(30, 60)).status, 201U);
  ASSERT_EQ(fixture.claim_hold(30, 60).status, 201U);
  fixture.server->kill();
  fixture.place.allow_only("hold"); // the channel manager
  fixture.server.emplace(fixture.place);
  fixture.client = fixture.partner_of("channel-manager");
  EXPECT_EQ(fixture.taken_nights(), std::vector{nights(30, 59)});
  fixture.place.run_or_throw({"request", "drop", "--platform", "room-sharing", "--confirm"});
  fixture.expect_taken({});
}

TEST_P(Holds, RefuseChangesOfStays) {
  hold_fixture fixture(GetParam());
  ASSERT_EQ(fixture.book(30, 60), "confirmed");
  ASSERT_EQ(fixture.hold(hold_of(60, 70)).status, 201U);
  EXPECT_EQ(refusal_of(fixture.change(new_stay(30, 65))), held_nights(60, 64));
  EXPECT_EQ(fixture.release().status, 204U);
  EXPECT_EQ(string_at(fixture.change(new_stay(30, 65), second_change), "/status"), "applied");
}

TEST_P(Holds, OfASingleLandlordNameTheUnitByItsUuid) {
  hold_fixture fixture(GetParam(), "100ms", "landlord-one");
  const std::vector<edit> of_unit{{"/externalId", '"' + unit_id(1) + '"'}};
  ASSERT_EQ(fixture.hold(hold_of(30, 60, of_unit)).status, 201U);
  fixture.expect_taken({nights(30, 59)}, unit_id(1));
  ASSERT_EQ(fixture.client.put(path_of_submission(), booking(unit_id(1), 30, 60, {claim()})).status, 201U);
  EXPECT_EQ(string_at(fixture.decided_booking(), "/status"), "confirmed");
}

} // namespace roost::testing::holds_test
