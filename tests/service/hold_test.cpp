#include "service/support/booking_history.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "store/messages/outbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

/// `roost serve --hold`: a look at a copied store that books nothing and mails nobody.
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

  workplace place_{GetParam()};
};
ROOST_ON_EACH_STORE(ServerOnHold);

TEST_P(ServerOnHold, TakesSubmissionsAndLeavesThemToTheNextServer) {
  {
    running_roost held(place_, started::listening, {"--hold"});
    held.wait_for_log({" on_hold "});
    const auto partner = held.partner_of("marketplace-a");
    ASSERT_TRUE(eventually([&] { return partner.get("/listings/u1").status == 200; }));
    EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
    EXPECT_FALSE(eventually([&] { return undecided() == 0; }, 1s)); // 20 cycles
    const auto readiness = held.ops("/readyz");
    EXPECT_EQ(readiness.status, 503U);
    EXPECT_THAT(readiness.body, ::testing::HasSubstr("started with --hold"));
    EXPECT_EQ(held.stop(), 0);
  }
  const running_roost next(place_);
  EXPECT_TRUE(eventually([&] { return undecided() == 0; }));
}

TEST_P(ServerOnHold, KeepsItsMails) {
  const std::string user = R"({"email":"ana@casaverde.example"})";
  {
    running_roost held(place_, started::listening, {"--hold"});
    ASSERT_TRUE(eventually([&] {
      return ask(held.port(), "POST", "/auth/forgot-password", {{"Content-Type", "application/json"}}, user)
                 .status == 200;
    }));
    ASSERT_TRUE(eventually([&] { return pending_mails() == 1; }));
    EXPECT_FALSE(
        eventually([&] { return !place_.mails().empty(); }, 3s)); // the outbox is looked at every 2 s
    EXPECT_EQ(held.stop(), 0);
  }
  const running_roost next(place_);
  EXPECT_TRUE(eventually([&] { return place_.mails().size() == 1; }));
}

} // namespace roost::testing::hold_test
