#include "service/support/running_roost.hpp"
#include "store/database/lease.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// roost lease show and release.
namespace roost::testing::lease_commands_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(LeaseCommands);

TEST_P(LeaseCommands, ShowTheHolder) {
  workplace place(GetParam());
  EXPECT_EQ(place.run_or_throw({"lease", "show"}), "no server holds the lease\n");
  auto session = place.store().open();
  ASSERT_TRUE(store::try_acquire(session, "node-a", 1h, "file 1:2"));
  const auto shown = place.run_or_throw({"lease", "show"});
  EXPECT_THAT(shown, HasSubstr("holder node-a\nepoch  1\nuntil  "));
  EXPECT_THAT(shown, HasSubstr("lock   file 1:2\n"));
}

TEST_P(LeaseCommands, AndTheDoctorReportAnImplausibleEnd) {
  workplace place(GetParam());
  auto session = place.store().open();
  const auto held = store::try_acquire(session, "node-a", 40s);
  ASSERT_TRUE(held);
  EXPECT_THAT(place.run_or_throw({"lease", "show"}), HasSubstr("(set by a wrong clock; servers ignore it)"));
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr("which was set by a wrong clock"));
  ASSERT_TRUE(store::renew(session, held->held, store::lease_length));
  EXPECT_THAT(place.run_or_throw({"lease", "show"}), Not(HasSubstr("wrong clock")));
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr("node-a serves until "));
}

TEST_P(LeaseCommands, ReleaseOnlyWithConfirmationAndFenceTheHolder) {
  workplace place(GetParam());
  EXPECT_EQ(place.run({"lease", "release", "--confirm"}).status, 1);
  auto session = place.store().open();
  const auto held = store::try_acquire(session, "node-a", 1h);
  ASSERT_TRUE(held);
  const auto refused = place.run({"lease", "release"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, HasSubstr("--confirm"));
  EXPECT_TRUE(store::renew(session, held->held, 1h));
  EXPECT_EQ(place.run_or_throw({"lease", "release", "--confirm"}), "released the lease of node-a\n");
  EXPECT_FALSE(store::renew(session, held->held, 1h));
  EXPECT_EQ(store::try_acquire(session, "node-b", 1h)->held.epoch, held->held.epoch + 2);
}

} // namespace roost::testing::lease_commands_test
