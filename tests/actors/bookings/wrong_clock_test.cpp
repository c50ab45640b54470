#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/trusted_time.hpp"
#include "store/messages/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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
    EXPECT_GT(store::newest_point(session()).position, 1);
    ASSERT_TRUE(have_run({1, 1, 1})); // not in progress during the crash
    session().internals().script("age", "update changes set at = '2020-01-01T00:00:00.000Z'");
    days_passed = domain::days{800};
    crash_until_cleanups();
  }

  std::size_t unsent() {
    return store::list_mails(session(), {.state = store::mail_state::waiting}, 10).size();
  }
  std::size_t kept_mails() { return store::list_mails(session(), {}, 10).size(); }
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

  using job_counts = std::array<unsigned long, 3>;

  /// How often each kind of job that depends on the time has run.
  job_counts runs() {
    return {jobs("advance_stays", "done"), jobs("erase_old_guests", "done"), jobs("forget_mails", "done")};
  }

  bool have_run(const job_counts& at_least) {
    return eventually([&] {
      run_queue();
      return std::ranges::equal(runs(), at_least, std::ranges::greater_equal{});
    });
  }

  /// Returns once each kind of job has run after the restart.
  void crash_until_cleanups() {
    auto expected = runs();
    for (auto& count : expected) ++count;
    crash();
    ASSERT_TRUE(have_run(expected));
  }
};
ROOST_ON_EACH_STORE(WrongClock);

TEST_P(WrongClock, ChangesAndDeletesNothing) {
  EXPECT_EQ(status(), domain::booking_status::confirmed);
  EXPECT_EQ(guests(), both_guests);
  EXPECT_EQ(kept_mails(), 1U);
  EXPECT_EQ(oldest_change(), 1);
  crash_until_cleanups(); // rows written since the wrong start do not make the next one trust the clock
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
