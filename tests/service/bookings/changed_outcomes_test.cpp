#include "service/support/office.hpp"

#include <gtest/gtest.h>

#include <future>

/// What partners learn of bookings that others change, and repeats that come late.
namespace roost::testing::changed_outcomes_test {

const std::string reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a31";

class ChangedOutcomes : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(ChangedOutcomes);

/// A landlord's office and a platform whose only booking is confirmed.
struct booked_fixture {
  explicit booked_fixture(store_kind kind, const std::string& platform = "channel-manager",
                          const std::string& unit = "u1", int from = 30, int to = 60)
      : office(kind, {{"bookings.cycle", "\"100ms\""}}), client(office.partner_of(platform)),
        body(booking(unit, from, to)), created(put()) {
    EXPECT_EQ(created.status, 201U) << created.body;
    EXPECT_EQ(json_at(client.get("/bookings/" + reference + "?wait=20s").body, "/status"), "\"confirmed\"");
  }

  raw_response put() const { return client.put("/bookings/" + reference, body); }

  /// Lists the outcomes after a response, as soon as there are any.
  std::future<raw_response> await_after(const raw_response& listed) const {
    auto cursor = json_at(listed.body, "/cursor");
    cursor = cursor.substr(1, cursor.size() - 2);
    return std::async(std::launch::async,
                      [this, cursor] { return client.get("/bookings?wait=30s&after=" + cursor); });
  }

  bool waits() const {
    return eventually(
        [&] { return office.server->metric(R"(roost_http_waiting_requests{listener="public"})") == 1; });
  }

  office_fixture office;
  partner client;
  std::string body;
  raw_response created;
};

TEST_P(ChangedOutcomes, OfTheOfficeWakeTheListThatWaits) {
  booked_fixture fixture(GetParam());
  auto& office = fixture.office;
  auto pending = fixture.await_after(fixture.client.get("/bookings"));
  ASSERT_TRUE(fixture.waits());
  const auto made = office.send("GET", "/api/bookings");
  const auto path = "/api/bookings/" + string_at(made, "/items/0/id");
  const header_fields any{{"If-Match", "*"}};
  const auto moved = office.send("PATCH", path, R"({"checkOutDate":")" + day_from_now(50) + R"("})", any);
  ASSERT_EQ(moved.status, 200U) << moved.body;
  const auto changed = pending.get();
  EXPECT_EQ(json_at(changed.body, "/bookings/0/status"), "\"confirmed\"");
  EXPECT_EQ(json_at(changed.body, "/bookings/0/checkOutDate"), '"' + day_from_now(50) + '"');
  EXPECT_EQ(json_at(changed.body, "/bookings/0"), fixture.client.get("/bookings/" + reference).body);
  pending = fixture.await_after(changed);
  ASSERT_TRUE(fixture.waits());
  ASSERT_EQ(office.send("POST", path + "/cancel", R"({"reason":"Ill"})", any).status, 200U);
  const auto cancelled = pending.get();
  EXPECT_EQ(json_at(cancelled.body, "/bookings/0/status"), "\"cancelled\"");
  EXPECT_EQ(json_at(cancelled.body, "/bookings/0/cancellation/by"), "\"landlord\"");
}

TEST_P(ChangedOutcomes, OfThePlatformWakeTheListThatWaits) {
  booked_fixture fixture(GetParam());
  auto pending = fixture.await_after(fixture.client.get("/bookings"));
  ASSERT_TRUE(fixture.waits());
  const auto created = fixture.client.put(
      "/bookings/" + reference + "/changes/1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0b1",
      R"({"checkInDate":")" + day_from_now(40) + R"(","checkOutDate":")" + day_from_now(50) + R"("})");
  ASSERT_EQ(created.status, 201U) << created.body;
  const auto changed = pending.get();
  EXPECT_EQ(json_at(changed.body, "/bookings/0/checkInDate"), '"' + day_from_now(40) + '"') << changed.body;
  EXPECT_EQ(json_at(changed.body, "/bookings/0"), fixture.client.get("/bookings/" + reference).body);
}

TEST_P(ChangedOutcomes, OfTheWebhookWakeTheListThatWaits) {
  booked_fixture fixture(GetParam(), "marketplace-a");
  auto pending = fixture.await_after(fixture.client.get("/bookings"));
  ASSERT_TRUE(fixture.waits());
  const auto sent = fixture.client.post(
      "/webhook",
      R"({"event":"booking-cancelled","offer_api_reference":"u1","booking_id":")" + reference + R"("})");
  ASSERT_EQ(sent.status, 201U) << sent.body;
  const auto cancelled = pending.get();
  EXPECT_EQ(json_at(cancelled.body, "/bookings/0/status"), "\"cancelled\"") << cancelled.body;
  EXPECT_EQ(json_at(cancelled.body, "/bookings/0/cancellation/by"), "\"partner\"");
}

TEST_P(ChangedOutcomes, DoNotChangeTheReceiptOfARepeat) {
  booked_fixture fixture(GetParam(), "channel-manager", "u1", -90, -60);
  fixture.office.place.run_or_throw({"tenant", "erase", "eva@tenant.example", "--confirm"});
  const auto repeated = fixture.put();
  EXPECT_EQ(repeated.status, 200U) << repeated.body;
  EXPECT_EQ(repeated.body, fixture.created.body);
  const auto other = fixture.client.put("/bookings/" + reference, booking("u1", -90, -59));
  EXPECT_EQ(other.status, 409U);
}

TEST_P(ChangedOutcomes, KeepTheReceiptOfAUnitThatIsArchived) {
  booked_fixture fixture(GetParam(), "landlord-one", unit_id(1));
  auto& office = fixture.office;
  ASSERT_EQ(
      office.send("PATCH", "/api/units/" + unit_id(1), R"({"archived":true})", {{"If-Match", "*"}}).status,
      200U);
  EXPECT_EQ(fixture.put().body, fixture.created.body);
  const auto other = fixture.client.put("/bookings/" + reference, booking(unit_id(1), 30, 61));
  EXPECT_EQ(other.status, 409U) << "rather than 404";
  const auto unknown =
      fixture.client.put("/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a32", booking(unit_id(1), 70, 80));
  EXPECT_EQ(unknown.status, 404U);
}

} // namespace roost::testing::changed_outcomes_test
