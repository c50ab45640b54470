#include "service/support/fault_fixture.hpp"
#include "store/database/error.hpp"
#include "store/database/holder_lock.hpp"

#include <chrono>

/// The lock next to the lease: servers that are killed or lose the lock.
namespace roost::testing::lock_test {
using namespace std::chrono_literals;

/// Shorter than the lease, which would have to expire without the lock, but long enough for a busy machine.
constexpr std::chrono::seconds restart_limit{6};

class LockedServers : public ::testing::TestWithParam<store_kind> {
protected:
  workplace place_{GetParam()};
};
ROOST_ON_EACH_STORE(LockedServers);

TEST_P(LockedServers, RecoverQuicklyAfterEachKillWithoutLosingData) {
  booking_load load{prepare_load(place_, 5)};
  constexpr int kills = 4;
  for (int round = 0; round < kills; ++round) {
    running_roost server(place_, started::listening);
    const auto started_at = std::chrono::steady_clock::now();
    server.wait_until_ready();
    EXPECT_LT(std::chrono::steady_clock::now() - started_at, restart_limit) << server.log();
    load.set_port(server.port());
    EXPECT_TRUE(load.wait_for_more(201, 10, running_roost::timeout));
    server.kill();
    load.set_port(0);
  }
  running_roost last(place_);
  load.set_port(last.port());
  EXPECT_TRUE(load.wait_for_more(201, 10, running_roost::timeout));
  const auto submitted = load.finish();
  expect_acknowledged_or_busy(submitted, unanswered::allowed);
  expect_exact_history(place_, submitted);
  EXPECT_EQ(last.stop(), 0);
}

class LockedServersOfPostgresql : public LockedServers {};
ROOST_ON_POSTGRESQL(LockedServersOfPostgresql);

TEST_P(LockedServersOfPostgresql, StopServingWhileAnotherProcessHoldsTheirLock) {
  running_roost server(place_);
  store::holder_lock other(place_.store().url());
  ASSERT_TRUE(eventually([&] { // until the other process takes the lock before the server
    place_.store().cut_connections();
    const auto end = std::chrono::steady_clock::now() + 1s;
    while (std::chrono::steady_clock::now() < end) {
      try {
        if (other.try_take()) return true;
      } catch (const store::unavailable&) { // its own connection was cut as well
      }
    }
    return false;
  }));
  EXPECT_TRUE(eventually([&] { return server.ops("/readyz").status == 503; }));
  server.wait_for_event("lease_lock_lost");
  EXPECT_EQ(server.ops("/readyz").status, 503U);
  other.release();
  server.wait_until_ready();
  EXPECT_EQ(server.stop(), 0);
}

} // namespace roost::testing::lock_test
