#include "service/support/office.hpp"
#include "service/support/openapi.hpp"

#include <gmock/gmock.h>

/// DELETE /<prefix>/bookings/{bookingId}.
namespace roost::testing::partner_cancellation_test {
using ::testing::HasSubstr;

const std::string reference = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a41", path = "/bookings/" + reference;

class PartnerCancellations : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(PartnerCancellations);
ROOST_FOR_SQLITE(PartnerCancellationsOverHttp);

std::map<std::string, std::string> cycle(const std::string& time) {
  return {{"bookings.cycle", '"' + time + '"'}};
}

std::string status_of(const raw_response& outcome) { return string_at(outcome, "/status"); }

TEST_P(PartnerCancellations, FreeTheNightsAtOnce) {
  office_fixture office(GetParam(), cycle("100ms"));
  const auto client = office.partner_of("channel-manager");
  ASSERT_EQ(client.put(path, booking("u1", 30, 60)).status, 201U);
  ASSERT_EQ(status_of(client.get(path + "?wait=20s")), "confirmed");
  const auto cancelled = client.erase(path);
  ASSERT_EQ(cancelled.status, 200U) << cancelled.body;
  EXPECT_EQ(status_of(cancelled), "cancelled");
  EXPECT_EQ(string_at(cancelled, "/cancellation/by"), "partner");
  EXPECT_EQ(json_at(client.get("/listings/u1").body, "/unavailabilities"), "[]");
  EXPECT_EQ(client.erase(path).body, cancelled.body) << "a repeat";
  EXPECT_EQ(client.get(path).body, cancelled.body);
  const auto seen = office.send("GET", "/api/bookings?status=cancelled");
  EXPECT_EQ(string_at(seen, "/items/0/cancellation/by"), "partner") << seen.body;
  EXPECT_THAT(office.send("GET", "/api/notifications").body, HasSubstr("cancelled"));
}

TEST_P(PartnerCancellations, WithdrawWhatIsNotDecided) {
  office_fixture office(GetParam(), cycle("1h"));
  auto client = office.partner_of("channel-manager");
  ASSERT_EQ(client.put(path, booking("u1", 30, 60)).status, 201U);
  const auto cancelled = client.erase(path);
  ASSERT_EQ(cancelled.status, 200U) << cancelled.body;
  EXPECT_EQ(status_of(cancelled), "cancelled");
  EXPECT_EQ(json_at(cancelled.body, "/refusal"), "null");
  EXPECT_EQ(string_at(cancelled, "/cancellation/by"), "partner");
  EXPECT_EQ(json_at(client.get("/bookings?after=0").body, "/bookings/0"), cancelled.body);
  office.server.reset();
  office.place.set("bookings.cycle", "\"100ms\"");
  office.server.emplace(office.place);
  client = office.partner_of("channel-manager");
  const auto later = "/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a42";
  ASSERT_EQ(client.put(later, booking("u1", 30, 60)).status, 201U);
  EXPECT_EQ(status_of(client.get(std::string(later) + "?wait=20s")), "confirmed") << "the nights are free";
  EXPECT_EQ(client.get(path).body, cancelled.body);
  EXPECT_EQ(client.put(path, booking("u1", 30, 60)).status, 200U) << "a repeat is no new request";
}

TEST_P(PartnerCancellations, LetNoRepeatBookAgain) {
  office_fixture office(GetParam(), cycle("1h"));
  auto client = office.partner_of("channel-manager");
  const auto body = booking("u1", 30, 60, {{"/bookingId", '"' + reference + '"'}});
  ASSERT_EQ(client.post("/bookings", body).status, 201U);
  ASSERT_EQ(status_of(client.erase(path)), "cancelled");
  ASSERT_EQ(client.post("/bookings", body).status, 201U) << "sent before the cancellation, arrives later";
  ASSERT_EQ(client.put("/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a42", booking("u1", 90, 95)).status, 201U);
  office.server.reset();
  office.place.set("bookings.cycle", "\"100ms\"");
  office.server.emplace(office.place);
  client = office.partner_of("channel-manager");
  ASSERT_EQ(status_of(client.get("/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a42?wait=20s")), "confirmed");
  EXPECT_EQ(status_of(client.get(path)), "cancelled");
  EXPECT_THAT(office.decisions(), ::testing::ElementsAre("Dropped", "Failed", "Success"));
}

TEST_P(PartnerCancellations, AreOfEveryPendingSubmissionWithTheReference) {
  office_fixture office(GetParam(), cycle("100ms"));
  auto client = office.partner_of("channel-manager");
  const auto with_reference = [](const std::string& unit, int from, int to) {
    return booking(unit, from, to, {{"/bookingId", '"' + reference + '"'}});
  };
  ASSERT_EQ(client.post("/bookings", with_reference("nowhere", 30, 60)).status, 201U);
  ASSERT_EQ(status_of(client.get(path + "?wait=20s")), "refused");
  office.server.reset();
  office.place.set("bookings.cycle", "\"1h\"");
  office.server.emplace(office.place);
  client = office.partner_of("channel-manager");
  ASSERT_EQ(client.post("/bookings", with_reference("u1", 30, 60)).status, 201U);
  EXPECT_EQ(status_of(client.erase(path)), "refused") << "the first submission";
  EXPECT_THAT(office.decisions(), ::testing::ElementsAre("Failed", "Failed"));
}

TEST_P(PartnerCancellations, AreInTheAuditLogAndInTheLandlordsRequests) {
  office_fixture office(GetParam(), cycle("1h"));
  const auto client = office.partner_of("channel-manager");
  ASSERT_EQ(client.put(path, booking("u1", 30, 60)).status, 201U);
  ASSERT_EQ(client.erase(path).status, 200U);
  const auto entries = store_rows(office.place.store().open(), "select action, actor from audit", 2);
  EXPECT_THAT(entries, ::testing::Contains(::testing::StartsWith("booking withdrawal|token ")));
  const auto requests = office.send("GET", "/api/requests");
  EXPECT_EQ(string_at(requests, "/items/0/refusal/reason"), "withdrawn") << requests.body;
}

TEST_P(PartnerCancellations, ChangeNeitherRefusedNorPastStays) {
  office_fixture office(GetParam(), cycle("100ms"));
  const auto client = office.partner_of("channel-manager");
  ASSERT_EQ(client.put(path, booking("nowhere", 30, 60)).status, 201U);
  const auto refused = client.get(path + "?wait=20s");
  ASSERT_EQ(status_of(refused), "refused");
  EXPECT_EQ(client.erase(path).body, refused.body);
  const auto over = "/bookings/0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a43";
  ASSERT_EQ(client.put(over, booking("u1", -60, -30)).status, 201U);
  const auto confirmed = client.get(std::string(over) + "?wait=20s");
  ASSERT_EQ(status_of(confirmed), "confirmed");
  const auto kept = client.erase(over);
  EXPECT_EQ(kept.status, 200U);
  EXPECT_EQ(kept.body, confirmed.body);
}

TEST_P(PartnerCancellationsOverHttp, OfUnknownBookingsAndOfOthersAreMissing) {
  office_fixture office(GetParam(), cycle("1h"));
  ASSERT_EQ(office.partner_of("channel-manager").put(path, booking("u1", 30, 60)).status, 201U);
  EXPECT_EQ(office.partner_of("room-sharing").erase(path).status, 404U);
  EXPECT_EQ(office.partner_of("channel-manager").erase("/bookings/90210").status, 404U);
}

TEST_P(PartnerCancellationsOverHttp, DoNotExistWithoutTheRight) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.allow_only("change");
  const running_roost server(place);
  const auto client = server.partner_of("channel-manager");
  ASSERT_EQ(client.put(path, booking("u1", 30, 60)).status, 201U);
  EXPECT_EQ(client.erase(path).body, not_found("Cannot DELETE /channel-manager" + path));
  const auto document = send_request(server.port(), "GET", "/channel-manager-json").body;
  EXPECT_THAT(document, HasSubstr("putBooking"));
  EXPECT_THAT(document, ::testing::Not(HasSubstr("cancelBooking")));
}

} // namespace roost::testing::partner_cancellation_test
