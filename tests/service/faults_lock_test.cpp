#include "service/support/fault_scene.hpp"
#include "store/database/error.hpp"
#include "store/database/holder_lock.hpp"

#include <chrono>

/// The lock beside the lease: servers that are killed, or lose it.
namespace roost::testing::faults_lock_test {
using namespace std::chrono_literals;

/// Shorter than the lease, which would have to run out without the lock; a busy machine may be slow.
constexpr std::chrono::seconds at_once{6};

class LockedServers : public ::testing::TestWithParam<store_kind> {
protected:
  workplace place_{GetParam()};
};
ROOST_ON_EACH_STORE(LockedServers);

TEST_P(LockedServers, AreBackAtOnceAfterEachOfManyKillsAndLoseNothing) {
  booking_load load{prepare_for_load(place_, 5)};
  constexpr int kills = 4;
  for (int round = 0; round < kills; ++round) {
    running_roost server(place_, started::listening);
    const auto begun = std::chrono::steady_clock::now();
    server.wait_until_ready();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, at_once) << server.log();
    load.aim_at(server.port());
    EXPECT_TRUE(load.wait_for_more(201, 10, running_roost::patience));
    server.kill();
    load.aim_at(0);
  }
  running_roost last(place_);
  load.aim_at(last.port());
  EXPECT_TRUE(load.wait_for_more(201, 10, running_roost::patience));
  const auto submitted = load.finish();
  expect_clear_responses(submitted, unanswered::allowed);
  expect_exact_history(place_, submitted);
  EXPECT_EQ(last.stop(), 0);
}

class LockedServersOfPostgresql : public LockedServers {};
ROOST_ON_POSTGRESQL(LockedServersOfPostgresql);

TEST_P(LockedServersOfPostgresql, AnswerNothingWhileAnotherProcessHasTheLockThatTheyLost) {
  running_roost server(place_);
  store::holder_lock other(place_.store().url());
  ASSERT_TRUE(eventually([&] { // until the other is faster than the server
    place_.store().cut_connections();
    const auto end = std::chrono::steady_clock::now() + 1s;
    while (std::chrono::steady_clock::now() < end) {
      try {
        if (other.try_take()) return true;
      } catch (const store::unavailable&) { // its own connection was cut, too
      }
    }
    return false;
  }));
  EXPECT_TRUE(eventually([&] { return server.ops("/readyz").status == 503; }));
  server.wait_for_log({" lease_lock_lost "});
  EXPECT_EQ(server.ops("/readyz").status, 503U);
  other.release();
  server.wait_until_ready();
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::faults_lock_test
