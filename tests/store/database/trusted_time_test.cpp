#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "store/database/trusted_time.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"
#include "support/time_namespace.hpp"

#include <gtest/gtest.h>

namespace roost::testing::trusted_time_test {
using namespace std::chrono_literals;
using std::chrono::days;

/// A store whose trusted time is set to `noon` on a machine that has been up for an hour.
class TrustedTime : public on_each_store {
protected:
  void SetUp() override {
    on_each_store::SetUp();
    lease_ = take_lease(session());
    store::trust_clock(session(), noon, up(1h));
  }

  static store::machine_time up(std::chrono::milliseconds uptime) { return {"boot-a", uptime}; }
  static store::machine_time rebooted(std::chrono::milliseconds uptime) { return {"boot-b", uptime}; }

  /// The trusted time after a server was started, or has advanced it.
  domain::timestamp advance(domain::timestamp clock, const store::machine_time& machine) {
    return store::advance_trusted_time(session(), lease_, clock, machine).trusted;
  }
  bool agrees(domain::timestamp clock, const store::machine_time& machine) {
    return store::compare_time(session(), clock, machine).agrees();
  }

  static constexpr domain::timestamp noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} + 12h;
  store::lease lease_;
};
ROOST_ON_EACH_STORE(TrustedTime);

TEST_P(TrustedTime, AdvancesWithTheUptimeOfTheMachine) {
  EXPECT_TRUE(agrees(noon + 7 * 24h, up(7 * 24h + 1h)));
  EXPECT_EQ(advance(noon + 7 * 24h, up(7 * 24h + 1h)), noon + 7 * 24h);
  EXPECT_FALSE(agrees(noon + 8 * 24h, up(7 * 24h + 1h)));
}

TEST_P(TrustedTime, DoesNotFollowAClockThatIsAhead) {
  for (const std::chrono::milliseconds ahead :
       std::initializer_list<std::chrono::milliseconds>{31min, 1h, days{1}, days{800}}) {
    EXPECT_FALSE(agrees(noon + ahead, up(1h)));
    EXPECT_EQ(advance(noon + ahead, up(1h)), noon);
  }
  EXPECT_EQ(advance(noon + days{1} + 2h, up(3h)), noon + 2h); // nor while the server runs
  EXPECT_FALSE(agrees(noon + days{1} + 3h, rebooted(1min)));  // nor after a restart
}

TEST_P(TrustedTime, DoesNotFollowAClockThatAdvancesInSmallSteps) {
  domain::timestamp clock = noon;
  std::chrono::milliseconds uptime = 1h;
  for (int restart = 0; restart < 100; ++restart) {
    clock += 20min;
    uptime += 1min;
    advance(clock, up(uptime));
  }
  EXPECT_FALSE(agrees(clock, up(uptime)));
  EXPECT_LE(advance(clock, up(uptime)), noon + 105min);
}

TEST_P(TrustedTime, CatchesUpAfterAShortTimeWithoutAServer) {
  const auto clock = noon + 10min;
  EXPECT_TRUE(agrees(clock, rebooted(1min)));
  EXPECT_EQ(advance(clock, rebooted(1min)), noon);
  EXPECT_EQ(advance(clock + 1h, rebooted(61min)), noon + 1h + 3min);
  EXPECT_EQ(advance(clock + 6h, rebooted(361min)), clock + 6h);
}

TEST_P(TrustedTime, StaysWhenTheClockIsBehind) {
  EXPECT_TRUE(agrees(noon - days{30}, up(1h)));
  EXPECT_EQ(advance(noon - days{30}, up(2h)), noon + 1h);
  EXPECT_FALSE(agrees(noon + days{1}, up(2h)));
}

TEST_P(TrustedTime, IsSetByAnOperatorInBothDirections) {
  store::trust_clock(session(), noon + days{400}, rebooted(0s));
  EXPECT_TRUE(agrees(noon + days{400}, rebooted(1s)));
  store::trust_clock(session(), noon, rebooted(0s));
  EXPECT_FALSE(agrees(noon + days{400}, rebooted(1s)));
}

TEST_P(TrustedTime, IsNotAdvancedWithoutTheLease) {
  EXPECT_THROW(store::advance_trusted_time(session(), {"another", 1}, noon, up(2h)), store::lease_lost);
  EXPECT_EQ(store::compare_time(session(), noon, rebooted(0s)).trusted, noon);
}

TEST_P(TrustedTime, IsTheCreationOfANewStoreAndAdvancesWithTheUptime) {
  test_store fresh(GetParam());
  auto db = fresh.open();
  const auto now = store::database_clock(db);
  auto machine = store::read_machine_time();
  EXPECT_TRUE(store::is_time_trusted(db, now, machine));
  EXPECT_FALSE(store::is_time_trusted(db, now + 40min, machine));
  machine.uptime += days{3};
  EXPECT_TRUE(store::compare_time(db, now + days{3}, machine).agrees());
  EXPECT_FALSE(store::compare_time(db, now + days{4}, machine).agrees());
}

TEST_P(TrustedTime, IsThatOfTheNewestChangeOfAnOlderStore) {
  test_store older(GetParam(), false);
  auto db = older.open();
  store::migrate_to(db, 20);
  db.internals().script("age", "update changes set at = '2026-03-01T08:00:00.000Z'");
  store::migrate(db);
  EXPECT_EQ(store::compare_time(db, noon, store::read_machine_time()).trusted,
            domain::parse_timestamp("2026-03-01T08:00:00.000Z"));
}

TEST_P(TrustedTime, RequiresTheDatabaseClockOfAServer) {
  const auto now = store::database_clock(session());
  store::trust_clock(session(), now, up(1h));
  EXPECT_TRUE(store::is_time_trusted(session(), now, up(1h)));
  EXPECT_EQ(store::is_time_trusted(session(), now - 10min, up(1h)), GetParam() == store_kind::sqlite);
}

TEST(MachineTime, AdvancesWithinOneBoot) {
  const auto first = store::read_machine_time(), second = store::read_machine_time();
  EXPECT_FALSE(first.boot.empty());
  EXPECT_EQ(first.boot, second.boot);
  EXPECT_GT(first.uptime, 0ms);
  EXPECT_GE(second.uptime, first.uptime);
}

TEST(MachineTime, IsThatOfAnotherBootInATimeNamespace) {
  const auto here = store::read_machine_time();
  const auto is_comparable =
      after_suspension(86'400, [&] { return store::read_machine_time().boot == here.boot; });
  if (!is_comparable) GTEST_SKIP() << "the kernel permits no time namespace";
  EXPECT_FALSE(*is_comparable) << "its clock has an offset";
}

} // namespace roost::testing::trusted_time_test
