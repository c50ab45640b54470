#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"

#include <gtest/gtest.h>

/// Decisions for an account that changes all the time.
namespace roost::testing::locked_group_test {
using domain::request_state;

/// Another process changes the account at least once during each decision, unless it has to wait.
class ChangingAccount : public booking_world {
protected:
  void begin_changes() {
    wait_for_changes();
    changer_ = std::jthread([this](const std::stop_token& stop) {
      auto db = store().open();
      while (!stop.stop_requested()) {
        store::record_change(db, {store::change_kind::account, {numbered_id(1)}, {}, {}});
        ++changes_;
        std::this_thread::sleep_for(5ms); // SQLite's lock is not fair
      }
    });
    ASSERT_TRUE(eventually([this] { return changes_ > 0; }));
  }

  void end_changes() {
    changer_.request_stop();
    changer_.join();
  }

private:
  /// The deciding happens on the queue's thread.
  void wait_for_changes() {
    when_deciding = [this] {
      eventually([this, before = changes_.load()] { return changes_ > before; }, 50ms);
      wait_for_changes();
    };
  }

  std::atomic<int> changes_ = 0;
  std::jthread changer_;
};

ROOST_ON_EACH_STORE(ChangingAccount);

TEST_P(ChangingAccount, IsDecidedUnderALockAfterSomeAttempts) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01"),
                             request(2, 1, "2027-02-15", "2027-04-01")};
  enqueue(requests);
  begin_changes();
  run_queue();
  EXPECT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_EQ(state_of(requests[1]), request_state::failed) << "its nights are taken";
  EXPECT_TRUE(eventually([&] { return jobs("record_locked_decisions", "done") > 0; }));
  EXPECT_GE(jobs("record_decisions", "done"), 5U) << "without the lock";
  end_changes();
}

/// Memory stays behind, as while it loads a large account.
class ForgottenAccount : public booking_world {
protected:
  ForgottenAccount() { follower_interval = 1h; }
};

ROOST_ON_EACH_STORE(ForgottenAccount);

TEST_P(ForgottenAccount, StaysUndecidedUntilMemoryKnowsItsChange) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  store::record_change(session(), {store::change_kind::account, {numbered_id(1)}, {}, {}});
  run_queue();
  ASSERT_TRUE(eventually([&] { return jobs("record_locked_decisions", "done") > 0; }));
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
  caf::anon_send(follower, actors::poll_changes{});
  EXPECT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(state_of(requests[0]), request_state::success);
}

} // namespace roost::testing::locked_group_test
