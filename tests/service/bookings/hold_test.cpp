#include "service/support/booking_load.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

/// `roost serve --hold`: a server for inspecting a copied store, which decides no bookings, sends no mail and
/// deletes nothing.
namespace roost::testing::hold_test {
using namespace std::chrono_literals;

class ServerOnHold : public ::testing::TestWithParam<store_kind> {
protected:
  ServerOnHold() {
    place_.set("bookings.cycle", "\"50ms\"");
    place_.import(portfolio_of(1));
  }

  std::int64_t undecided() {
    auto session = place_.store().open();
    return undecided_requests(session);
  }

  std::int64_t pending_mails() {
    auto session = place_.store().open();
    return store::pending_mail_count(
        session, std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  }

  /// Leaves a guest's past stay, the mail about a refused one, and changes, all older than their retention.
  void create_expired_rows() {
    running_roost before(place_);
    const auto partner = before.partner_of("marketplace-a");
    EXPECT_EQ(partner.post("/bookings", booking("u1", -90, -60)).status, 201U);
    before.wait_for_event("booking_created");
    EXPECT_EQ(partner.post("/bookings", booking("u1", -80, -70)).status, 201U);
    before.wait_for_event("mail_sent");
    EXPECT_EQ(before.stop(), 0);
    place_.set("privacy.keep", "\"30d\"");
    place_.store().open().internals().script(
        "age", "update outgoing_mail set sent_at = '2020-01-01T00:00:00.000Z', next_attempt_at = null;"
               "update changes set at = '2020-01-01T00:00:00.000Z'");
  }

  /// Returns how many of these mails, guests and changes remain.
  std::vector<std::string> remaining_rows() {
    return store_rows(place_.store().open(),
                      "select cast((select count(*) from outgoing_mail) as text),"
                      " cast((select count(*) from tenants where email <> '') as text),"
                      " cast((select count(*) from changes where at < '2020-01-02T00:00:00.000Z') as text)",
                      3);
  }

  workplace place_{GetParam()};
};
ROOST_ON_EACH_STORE(ServerOnHold);

/// The store cannot influence what a server leaves undone.
class IdleServerOnHold : public ServerOnHold {};
ROOST_ON_SQLITE(IdleServerOnHold);

TEST_P(ServerOnHold, AcknowledgesSubmissionsForTheNextServer) {
  {
    running_roost held(place_, started::listening, {"--hold"});
    held.wait_for_event("on_hold");
    const auto partner = held.partner_of("marketplace-a");
    ASSERT_TRUE(eventually([&] { return partner.get("/listings/u1").status == 200; }));
    EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
    EXPECT_FALSE(eventually([&] { return undecided() == 0; }, 1s)); // 20 cycles
    const auto readiness = held.ops("/readyz");
    EXPECT_EQ(readiness.status, 503U);
    EXPECT_THAT(readiness.body, ::testing::HasSubstr("started with --hold"));
    EXPECT_EQ(held.metric("roost_queue_run_age_seconds"), 0) << "alerts expect the writer to decide";
    EXPECT_EQ(held.stop(), 0);
  }
  const running_roost next(place_);
  EXPECT_TRUE(eventually([&] { return undecided() == 0; }));
}

TEST_P(IdleServerOnHold, SendsNoMail) {
  const std::string user = R"({"email":"ana@casaverde.example"})";
  {
    running_roost held(place_, started::listening, {"--hold"});
    ASSERT_TRUE(eventually([&] {
      return send_request(held.port(), "POST", "/auth/forgot-password",
                          {{"Content-Type", "application/json"}}, user)
                 .status == 200;
    }));
    ASSERT_TRUE(eventually([&] { return pending_mails() == 1; }));
    EXPECT_FALSE(eventually([&] { return !place_.mails().empty(); }, 3s)); // the outbox is polled every 2 s
    EXPECT_EQ(held.stop(), 0);
  }
  const running_roost next(place_);
  EXPECT_TRUE(eventually([&] { return place_.mails().size() == 1; }));
}

TEST_P(IdleServerOnHold, DeletesNoExpiredRows) {
  create_expired_rows();
  const auto before = remaining_rows();
  {
    running_roost held(place_, started::listening, {"--hold"});
    const auto partner = held.partner_of("marketplace-a");
    ASSERT_TRUE(eventually([&] { return partner.get("/listings/u1").status == 200; }));
    EXPECT_FALSE(
        eventually([&] { return remaining_rows() != before; }, 3s)); // the outbox is polled every 2 s
    EXPECT_EQ(held.stop(), 0);
  }
  running_roost next(place_);
  next.wait_for_event("mails_deleted");
  next.wait_for_event("guests_erased");
  EXPECT_TRUE(eventually([&] { return remaining_rows() == std::vector<std::string>{"0|0|0"}; }))
      << remaining_rows()[0];
}

TEST_P(ServerOnHold, NeverTakesTheStoreOfAServer) {
  for (const bool is_killed : {true, false}) {
    running_roost server(place_);
    running_roost held(place_, started::listening, {"--hold"});
    held.wait_for_event("hold_refused");
    if (is_killed)
      server.kill();
    else
      EXPECT_EQ(server.stop(), 0);
    EXPECT_FALSE(eventually([&] { return !held.events("lease_acquired").empty(); }, 1s)); // ten attempts
    running_roost restarted(place_); // waits until it is ready
    EXPECT_THAT(held.ops("/readyz").body, ::testing::HasSubstr("started with --hold, must not"));
    EXPECT_EQ(held.stop(), 0);
    EXPECT_EQ(restarted.stop(), 0);
  }
}

TEST_P(ServerOnHold, YieldsToAServer) {
  running_roost held(place_, started::listening, {"--hold"});
  held.wait_for_event("lease_acquired");
  running_roost server(place_); // waits until it is ready
  held.wait_for_event("hold_refused");
  EXPECT_EQ(held.stop(), 0);
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::hold_test
