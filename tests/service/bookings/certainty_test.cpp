#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/webhook_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <list>
#include <set>
#include <vector>

/// PUT /<prefix>/bookings/{bookingId}, and what became of bookings.
namespace roost::testing::certainty_test {
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string first_id = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a11",
                  second_id = "0c1b5d1e-4a0e-4c57-9c8b-6c2e1b1f0a12";

/// A server with one unit.
struct certainty_fixture {
  explicit certainty_fixture(store_kind kind, const std::string& cycle = "\"100ms\"") : place(kind) {
    place.set("bookings.cycle", cycle);
    place.import(portfolio_of(1));
    start();
  }

  void start() {
    server.emplace(place);
    client.emplace(server->partner_of("channel-manager"));
  }

  raw_response put(const std::string& id, const std::vector<edit>& edits = {}) const {
    return client->put("/bookings/" + id, booking("u1", 30, 60, edits));
  }
  raw_response outcome_of(const std::string& id, const std::string& query = "?wait=10s") const {
    return client->get("/bookings/" + id + query);
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<partner> client;
};

/// Returns a text without its quotes.
std::string text_at(const std::string& document, const std::string& pointer) {
  const auto value = json_at(document, pointer);
  return value.size() < 2 ? value : value.substr(1, value.size() - 2);
}

std::string conflict_body() {
  return error_body(409, "A different booking was already submitted with this bookingId",
                    "ConflictException");
}

ROOST_FOR_EACH_STORE(Certainty);

TEST_P(Certainty, OfASubmissionIsItsReceipt) {
  certainty_fixture fixture(GetParam(), "\"1h\"");
  const auto created = fixture.put(first_id);
  EXPECT_EQ(created.status, 201U) << created.body;
  EXPECT_THAT(created.header("location"), HasSubstr("/channel-manager/bookings/" + first_id));
  EXPECT_EQ(without_times_and_ids(created.body),
            R"({"identifiers":[{"id":"<id>"}],"generatedMaps":[{"id":"<id>","createdAt":"<time>"}],)"
            R"("raw":[{"id":"<id>","createdAt":"<time>"}]})");
  const auto repeated = fixture.put(first_id);
  EXPECT_EQ(repeated.status, 200U);
  EXPECT_EQ(repeated.body, created.body);
  EXPECT_EQ(repeated.header("location"), "");
  const auto changed = fixture.put(first_id, {{"/numberOfExtraTenants", "2"}});
  EXPECT_EQ(changed.status, 409U);
  EXPECT_EQ(changed.body, conflict_body());
  fixture.server->kill();
  fixture.start();
  EXPECT_EQ(fixture.put(first_id).body, created.body) << "also after a crash";
}

TEST_P(Certainty, ComparesValuesNotTexts) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  const auto created = fixture.put(first_id);
  for (const auto& same : std::vector<edit>{{"/platformProviderPaymentValue", "650.00"},
                                            {"/numberOfExtraTenants", "0"},
                                            {"/bookingId", '"' + first_id + '"'},
                                            {"/bookingId", R"("0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11")"},
                                            {"/tenant/shoeSize", "43"},
                                            {"/tenant/lastName", R"("Lindqvist")"}})
    EXPECT_EQ(fixture.put(first_id, {same}).body, created.body) << same.pointer << same.json;
  EXPECT_EQ(fixture.client->put("/bookings/0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11", booking("u1", 30, 60)).body,
            created.body);
}

TEST_P(Certainty, RefusesAnotherReferenceInTheBody) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  EXPECT_EQ(fixture.put(first_id, {{"/bookingId", '"' + second_id + '"'}}).body,
            bad_request("bookingId must be that of the path"));
  EXPECT_EQ(fixture.put("90210").body, bad_request("bookingId must be a UUID"));
  EXPECT_EQ(fixture.outcome_of(first_id).status, 404U);
}

TEST_P(Certainty, ReturnsTheReceiptOfAnEqualPost) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  const auto body = booking("u1", 30, 60, {{"/bookingId", '"' + first_id + '"'}});
  const auto posted = fixture.client->post("/bookings", body);
  EXPECT_EQ(posted.status, 201U);
  const auto put = fixture.put(first_id);
  EXPECT_EQ(put.status, 200U);
  EXPECT_EQ(put.body, posted.body);
}

TEST_P(Certainty, ComparesAPutWithTheFirstPost) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  const edit reference{"/bookingId", '"' + first_id + '"'};
  const auto first = fixture.client->post("/bookings", booking("u1", 30, 60, {reference}));
  EXPECT_EQ(fixture.client->post("/bookings", booking("u1", 70, 90, {reference})).status, 201U);
  EXPECT_EQ(fixture.put(first_id).body, first.body);
  EXPECT_EQ(fixture.client->put("/bookings/" + first_id, booking("u1", 70, 90)).body, conflict_body());
  EXPECT_EQ(fixture.client->post("/bookings", booking("u1", 30, 60, {reference})).status, 201U)
      << "POST accepts every repeat";
  EXPECT_EQ(json_at(fixture.outcome_of(first_id, "").body, "/checkInDate"), '"' + day_from_now(30) + '"');
}

TEST_P(Certainty, GivesOneReceiptToConcurrentRequests) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  std::vector<std::future<raw_response>> calls;
  for (int i = 0; i < 16; ++i)
    calls.push_back(std::async(std::launch::async, [&] { return fixture.put(first_id); }));
  std::set<std::string> receipts;
  int created = 0;
  for (auto& call : calls) {
    const auto response = call.get();
    receipts.insert(response.body);
    created += response.status == 201 ? 1 : 0;
  }
  EXPECT_EQ(receipts.size(), 1U);
  EXPECT_EQ(created, 1);
}

TEST_P(Certainty, WaitsForTheDecision) {
  const certainty_fixture fixture(GetParam());
  EXPECT_EQ(fixture.put(first_id).status, 201U);
  const auto outcome = fixture.outcome_of(first_id);
  EXPECT_EQ(outcome.status, 200U);
  EXPECT_EQ(without_times_and_ids(outcome.body),
            R"({"bookingId":"<id>","externalId":"u1","checkInDate":")" + day_from_now(30) +
                R"(","checkOutDate":")" + day_from_now(60) +
                R"(","status":"confirmed","receivedAt":"<time>","decidedAt":"<time>","changedAt":"<time>",)"
                R"("refusal":null,"cancellation":null})");
}

TEST_P(Certainty, SaysWhyABookingIsRefused) {
  const certainty_fixture fixture(GetParam());
  fixture.put(first_id);
  fixture.client->put("/bookings/" + second_id, booking("u1", 40, 70));
  const auto outcome = fixture.outcome_of(second_id);
  EXPECT_EQ(json_at(outcome.body, "/status"), "\"refused\"");
  EXPECT_EQ(
      json_at(outcome.body, "/refusal"),
      R"({"reason":"nights_taken","message":"Some nights of the stay are taken","takenNights":[{"from":")" +
          day_from_now(40) + R"(","to":")" + day_from_now(59) + R"("}]})");
}

TEST_P(Certainty, IsPendingUntilTheDecision) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  fixture.put(first_id);
  const auto outcome = fixture.outcome_of(first_id, "?wait=0s");
  EXPECT_EQ(json_at(outcome.body, "/status"), "\"pending\"");
  EXPECT_EQ(json_at(outcome.body, "/decidedAt"), "null");
  EXPECT_EQ(json_at(fixture.client->get("/bookings?after=0").body, "/bookings"), "[]");
}

TEST_P(Certainty, HidesBookingsOfOtherPlatforms) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  fixture.put(first_id);
  const auto other = fixture.server->partner_of("room-sharing").get("/bookings/" + first_id);
  EXPECT_EQ(other.status, 404U);
  EXPECT_EQ(other.body, not_found("Booking not found for room-sharing with bookingId " + first_id));
}

TEST_P(Certainty, FindsNothingForReferencesThatNoStoreCanHold) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  EXPECT_EQ(fixture.outcome_of("90210").body,
            not_found("Booking not found for channel-manager with bookingId 90210"));
  for (const auto* id : {"%00", "%ff%fe", "a%2Fb"}) {
    const auto status = fixture.outcome_of(id).status;
    EXPECT_TRUE(status == 400 || status == 404) << id << ' ' << status;
  }
  EXPECT_EQ(fixture.outcome_of(std::string(5000, 'x')).status, 404U);
}

TEST_P(Certainty, SurvivesATakeover) {
  certainty_fixture fixture(GetParam(), "\"1h\"");
  const auto created = fixture.put(first_id);
  running_roost standby(fixture.place, started::listening);
  const partner other(standby.port(), "channel-manager", fixture.client->token());
  EXPECT_EQ(other.get("/bookings/" + first_id).status, 503U);
  fixture.server->kill();
  standby.wait_until_ready();
  const auto repeated = other.put("/bookings/" + first_id, booking("u1", 30, 60));
  EXPECT_EQ(repeated.status, 200U);
  EXPECT_EQ(repeated.body, created.body);
  EXPECT_EQ(json_at(other.get("/bookings/" + first_id).body, "/status"), "\"pending\"");
  EXPECT_EQ(standby.stop(), 0);
}

/// Returns the request of a client that waits for the decision about the first booking.
std::string waiting_request(const certainty_fixture& fixture) {
  return fixture.client->get_text("/bookings/" + first_id + "?wait=30s");
}

double waiting(const certainty_fixture& fixture) {
  return fixture.server->metric(R"(roost_http_waiting_requests{listener="public"})").value_or(-1);
}

TEST_P(Certainty, WaitsWithoutOccupyingAThread) {
  certainty_fixture fixture(GetParam(), "\"1h\"");
  fixture.put(first_id);
  std::list<raw_client> clients;
  for (int i = 0; i < 100; ++i) clients.emplace_back(fixture.server->port()).send(waiting_request(fixture));
  ASSERT_TRUE(eventually([&] { return waiting(fixture) == 100; }));
  EXPECT_EQ(fixture.server->metric(R"(roost_http_requests_in_flight{listener="public"})"), 0);
  EXPECT_EQ(fixture.put(second_id, {{"/numberOfExtraTenants", "1"}}).status, 201U);
  EXPECT_EQ(fixture.server->stop(), 0) << "within the time limit, although they still wait";
  for (auto& each : clients) EXPECT_EQ(each.receive().value_or(raw_response{}).status, 503U);
}

TEST_P(Certainty, LimitsTheRequestsThatWait) {
  certainty_fixture fixture(GetParam(), "\"1h\"");
  fixture.server.reset();
  fixture.place.set("server.max_waiting", "4"); // half of them for one platform
  fixture.start();
  fixture.put(first_id);
  std::list<raw_client> clients;
  for (int i = 0; i < 2; ++i) clients.emplace_back(fixture.server->port()).send(waiting_request(fixture));
  ASSERT_TRUE(eventually([&] { return waiting(fixture) == 2; }));
  const auto refused = fixture.outcome_of(first_id, "?wait=30s");
  EXPECT_EQ(refused.status, 503U);
  EXPECT_EQ(refused.header("retry-after"), "5");
  EXPECT_EQ(fixture.outcome_of(first_id, "").status, 200U) << "without a wait";
  const auto list = fixture.client->get("/bookings?after=0&wait=30s");
  EXPECT_EQ(list.status, 503U);
}

TEST_P(Certainty, EndsTheWaitWithItsTime) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  fixture.put(first_id);
  EXPECT_EQ(json_at(fixture.outcome_of(first_id, "?wait=1s").body, "/status"), "\"pending\"");
  EXPECT_EQ(fixture.client->get("/bookings?after=0&wait=1s").body,
            R"({"bookings":[],"cursor":"0","more":false})");
  EXPECT_EQ(waiting(fixture), 0);
}

TEST_P(Certainty, CoversBookingsByWebhook) {
  webhook_fixture fixture(GetParam());
  ASSERT_EQ(fixture.send_as_a().body, ok);
  fixture.decided_requests(1, "state", 1);
  const auto outcome = fixture.a->get("/bookings/90210").body;
  EXPECT_EQ(json_at(outcome, "/bookingId"), "\"90210\"");
  EXPECT_EQ(json_at(outcome, "/status"), "\"confirmed\"");
  EXPECT_EQ(json_at(fixture.a->get("/bookings?after=0").body, "/bookings/0"), outcome);
}

TEST_P(Certainty, ListsOutcomesInTheOrderOfTheirChanges) {
  const certainty_fixture fixture(GetParam());
  EXPECT_EQ(fixture.client->get("/bookings").body, R"({"bookings":[],"cursor":"0","more":false})");
  fixture.put(first_id);
  fixture.outcome_of(first_id);
  fixture.client->put("/bookings/" + second_id, booking("u1", 40, 70));
  fixture.outcome_of(second_id);
  const auto all = fixture.client->get("/bookings?after=0&limit=1").body;
  EXPECT_EQ(json_at(all, "/bookings/0"), fixture.outcome_of(first_id).body);
  EXPECT_EQ(json_at(all, "/more"), "true");
  const auto newest = text_at(fixture.client->get("/bookings").body, "/cursor");
  const auto booked = fixture.place.run_or_throw({"booking", "list", "--json"});
  fixture.place.run_or_throw({"booking", "cancel", json_at(booked, "/0/id").substr(1, 36)});
  const auto changed = fixture.client->get("/bookings?wait=10s&after=" + newest).body;
  EXPECT_EQ(json_at(changed, "/bookings/0/status"), "\"cancelled\"");
  EXPECT_EQ(json_at(changed, "/bookings/0/cancellation/by"), "\"landlord\"");
  EXPECT_THAT(text_at(changed, "/cursor"), StartsWith("3-"));
  EXPECT_EQ(json_at(fixture.client->get("/bookings?after=0").body, "/bookings/0/status"), "\"refused\"");
}

TEST_P(Certainty, RefusesInvalidQueries) {
  const certainty_fixture fixture(GetParam(), "\"1h\"");
  for (const auto* query :
       {"after=x", "after=", "after=-1", "after=17", "after=0-a", "after=17-3fa2b1c9", "after=1-"})
    EXPECT_EQ(fixture.client->get(std::string("/bookings?") + query).body,
              bad_request("after must be 0 or the cursor of an earlier response"))
        << query;
  for (const auto* query : {"wait=31s", "wait=1m", "wait=", "wait=-1s"})
    EXPECT_EQ(fixture.client->get(std::string("/bookings?") + query).body,
              bad_request("wait must be 0s to 30s, in whole seconds"))
        << query;
  EXPECT_EQ(fixture.client->get("/bookings?limit=1001").status, 400U);
  EXPECT_EQ(fixture.client->get("/bookings?page=1").body, bad_request("property page should not exist"));
}

} // namespace roost::testing::certainty_test
