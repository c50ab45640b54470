#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/trusted_time.hpp"
#include "store/messages/messages.hpp"

#include <gtest/gtest.h>

/// A server restarts with a clock that is years ahead: nothing changes or is deleted because of its age.
namespace roost::testing::wrong_clock_test {

class WrongClock : public booking_world {
protected:
  WrongClock() {
    is_time_trusted = actors::is_time_trusted;
    keep_guests = domain::days{30};
  }

  void SetUp() override {
    booking_world::SetUp();
    const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"),
                               request(2, 1, "2027-02-01", "2027-03-01")}; // refused, by mail
    enqueue(requests);
    decide(requests);
    ASSERT_TRUE(eventually([&] { return mails->count() == 1 && unsent() == 0; }));
    session().internals().script("age", "update changes set at = '2020-01-01T00:00:00.000Z'");
    days_passed = domain::days{800};
    crash();
  }

  std::size_t unsent() {
    return store::list_mails(session(), {.state = store::mail_state::waiting}, 10).size();
  }
  std::size_t kept_mails() { return store::list_mails(session(), {}, 10).size(); }
  std::size_t changes() { return store::entries_after(session(), 0, 100).size(); }
  std::int64_t oldest_change() { return store::entries_after(session(), 0, 1).at(0).at.position; }
  /// The addresses in the requests, the newest first.
  std::vector<std::string> guests() {
    std::vector<std::string> addresses;
    for (const auto& each : store::list_requests(session(), {}, 10))
      addresses.push_back(each.request.tenant.email);
    return addresses;
  }
  domain::booking_status status() { return store::list_bookings(session(), {}, 1).at(0).booking.status; }

  const std::vector<std::string> both_guests{"guest2@example.com", "guest1@example.com"};

  /// Waits until each kind of job has run after the restart.
  void wait_for_cleanups() {
    const std::vector<std::string> kinds{"advance_stays", "erase_old_guests", "forget_mails"};
    std::vector<unsigned long> before;
    for (const auto& kind : kinds) before.push_back(kind == "advance_stays" ? jobs(kind, "done") : 1);
    ASSERT_TRUE(eventually([&] {
      run_queue();
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (jobs(kinds[i], "done") < before[i] + 1) return false;
      return true;
    }));
  }
};
ROOST_ON_EACH_STORE(WrongClock);

TEST_P(WrongClock, ChangesAndDeletesNothing) {
  const auto all_changes = changes();
  EXPECT_GT(all_changes, 1U);
  wait_for_cleanups();
  EXPECT_EQ(status(), domain::booking_status::confirmed);
  EXPECT_EQ(guests(), both_guests);
  EXPECT_EQ(kept_mails(), 1U);
  EXPECT_EQ(changes(), all_changes);
  EXPECT_EQ(oldest_change(), 1);
  crash(); // rows written since the wrong start do not make the next one trust the clock
  wait_for_cleanups();
  EXPECT_EQ(status(), domain::booking_status::confirmed);
  EXPECT_EQ(guests(), both_guests);
}

/// On PostgreSQL the database's clock, which a test cannot set, must agree, too.
class WrongClockOfSqlite : public WrongClock {};
ROOST_ON_SQLITE(WrongClockOfSqlite);

TEST_P(WrongClockOfSqlite, IsTrustedOnceAnOperatorHasConfirmedIt) {
  store::trust_clock(session(), now(), store::read_machine_time());
  crash();
  EXPECT_TRUE(eventually([&] {
    run_queue();
    return guests() == std::vector<std::string>(2) && kept_mails() == 0 && oldest_change() > 1 &&
           status() == domain::booking_status::checked_out;
  }));
}

} // namespace roost::testing::wrong_clock_test
