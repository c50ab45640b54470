#include "service/support/fault_fixture.hpp"
#include "service/support/workplace.hpp"

#include <algorithm>
#include <iostream>
#include <random>

/// Repeated `kill -9` of a busy server.
namespace roost::testing::kill_test {
class KilledServer : public ::testing::TestWithParam<store_kind> {
protected:
  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }

  /// Starts a server and kills it at a random moment: usually while it acknowledges and decides bookings,
  /// sometimes before it serves.
  void run_and_kill() {
    constexpr int early_kill_percent = 20;
    running_roost server(place_, started::listening);
    load_.set_port(server.port());
    if (between(0, 99) >= early_kill_percent) {
      EXPECT_TRUE(load_.wait_for_more(201, 1, running_roost::start_timeout));
    }
    EXPECT_EQ(server.process().wait_for_end(std::chrono::milliseconds{between(0, 250)}), std::nullopt);
    server.kill();
    load_.set_port(0);
  }

  /// Expects every mail marked as sent to have been delivered.
  void expect_marked_mail_delivered() {
    const auto marked =
        store_rows(place_.store().open(), "select 'sent' from outgoing_mail where sent_at is not null", 1);
    EXPECT_GE(place_.mails().size(), marked.size());
  }

  const int rounds_ = kill_rounds(25);
  const std::uint32_t seed_ = test_seed();
  std::mt19937 random_{seed_};
  workplace place_{GetParam()};
  booking_load load_{prepare_load(place_, seed_)};
};
ROOST_ON_EACH_STORE(KilledServer);

TEST_P(KilledServer, DecidesEveryAcknowledgedRequestExactlyOnce) {
  SCOPED_TRACE("ROOST_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < rounds_; ++round) run_and_kill();
  running_roost last(place_);
  load_.set_port(last.port());
  EXPECT_TRUE(load_.wait_for_more(201, 20, running_roost::timeout));
  const auto submitted = load_.finish();
  std::cout << "seed " << seed_ << ", " << summary(submitted) << '\n';
  EXPECT_GT(std::ranges::count_if(submitted, [](const auto& each) { return !each.response; }), rounds_ / 2)
      << "too few kills hit a request in flight";
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(place_, submitted);
  EXPECT_EQ(last.stop(), 0);
  expect_marked_mail_delivered();
}

} // namespace roost::testing::kill_test
