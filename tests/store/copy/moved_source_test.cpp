#include "store/copy/copy_guard.hpp"
#include "store/copy/copy_scene.hpp"
#include "store/database/lease_claim.hpp"
#include "support/eventually.hpp"

/// Servers can take the lease of the source or of the copy, never of both.
namespace roost::testing::moved_source_test {
using namespace std::chrono_literals;

class MovedSource : public copy_scene {
protected:
  static bool can_be_served(store::session& db) {
    const auto taken = store::try_acquire(db, "server", 10s);
    if (taken) store::release(db, taken->held);
    return taken.has_value();
  }

  /// Ends the copy after the source was marked and before the target is finished, as a kill does.
  void stop_before_the_end() {
    auto options = settings();
    options.target_name = "the new store";
    options.note = [](auto&&...) { throw std::runtime_error("stop"); };
    EXPECT_THROW(store::copy_store(options), std::runtime_error);
  }
};
INSTANTIATE_TEST_SUITE_P(InEachDirection, MovedSource,
                         ::testing::Combine(::testing::Values(store_kind::sqlite, store_kind::postgresql),
                                            ::testing::Values(store_kind::sqlite, store_kind::postgresql)),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(MovedSource, IsNotServedUntilItIsReopened) {
  copy();
  EXPECT_FALSE(can_be_served(source_));
  EXPECT_TRUE(can_be_served(target_));
  EXPECT_EQ(store::read_move_marker(source_)->target, "another store");
  EXPECT_FALSE(store::read_move_marker(target_));
  EXPECT_TRUE(store::erase_move_marker(source_));
  EXPECT_FALSE(store::erase_move_marker(source_));
  EXPECT_TRUE(can_be_served(source_));
}

/// A server that waits for the lease tries to take it ten times a second.
TEST_P(MovedSource, IsNotTakenByAServerThatWaitedDuringTheCopy) {
  store::lease_claim waiting(source_store_.url(), "server", store::lease_length);
  auto options = settings();
  options.progress = [&](auto...) { EXPECT_FALSE(waiting.try_take(source_)); };
  store::copy_store(options);
  EXPECT_FALSE(eventually([&] { return waiting.try_take(source_).has_value(); }, 1s));
}

TEST_P(MovedSource, AndItsTargetAreNotServedIfTheCopyEndsInBetween) {
  stop_before_the_end();
  EXPECT_FALSE(can_be_served(source_));
  EXPECT_FALSE(can_be_served(target_));
  const auto copied = copy();
  EXPECT_TRUE(copied.resumed);
  EXPECT_TRUE(copied.is_identical());
  EXPECT_FALSE(can_be_served(source_));
  EXPECT_TRUE(can_be_served(target_));
}

TEST_P(MovedSource, IsNotCopiedIntoASecondStore) {
  const test_store other(std::get<1>(GetParam()), false);
  const auto copy_to_other = [&] {
    auto options = settings();
    options.target_url = other.url();
    return store::copy_store(options);
  };
  auto interrupted = settings();
  interrupted.target_url = other.url();
  interrupted.progress = [](auto...) { throw std::runtime_error("stop"); };
  EXPECT_THROW(store::copy_store(interrupted), std::runtime_error); // would be resumed
  stop_before_the_end();
  EXPECT_THROW(copy_to_other(), store::copy_refused);
  copy();
  EXPECT_THROW(copy_to_other(), store::copy_refused);
  auto unfinished = other.open();
  EXPECT_FALSE(can_be_served(unfinished));
  store::erase_move_marker(source_);
  EXPECT_TRUE(copy_to_other().is_identical());
}

TEST_P(MovedSource, IsNotMarkedByACopyThatFailsOrByAComparison) {
  const auto differing = copy_and(store::copy_step::copying, "audit", 1, [&] {
    run_script(target_, "update accounts set company_name = 'Another'");
  });
  EXPECT_FALSE(differing.is_identical());
  EXPECT_TRUE(can_be_served(source_));
  const auto changed =
      copy_and(store::copy_step::comparing, "audit", 1, [&] { store::record_change(source_, {}); });
  EXPECT_FALSE(changed.is_identical());
  EXPECT_TRUE(can_be_served(source_));
  copy();
  store::erase_move_marker(source_);
  EXPECT_TRUE(store::compare_stores(settings()).is_identical());
  EXPECT_TRUE(can_be_served(source_));
}

TEST_P(MovedSource, IsNotMarkedIfItHasChangedSinceItWasCompared) {
  const auto held = store::try_acquire(source_, "copy", 10s).value().held;
  const auto before = store::read_change_counters(source_);
  store::record_change(source_, {});
  EXPECT_FALSE(store::mark_as_moved(source_, held, before, "another store"));
  EXPECT_FALSE(store::read_move_marker(source_));
  EXPECT_TRUE(store::mark_as_moved(source_, held, store::read_change_counters(source_), "another store"));
  EXPECT_TRUE(store::read_move_marker(source_));
}

TEST_P(MovedSource, RefusesChangesByCommands) {
  EXPECT_NO_THROW(store::refuse_while_copied(source_));
  copy();
  EXPECT_THROW(store::refuse_while_copied(source_), store::moved_store);
  EXPECT_NO_THROW(store::refuse_while_copied(target_));
}

} // namespace roost::testing::moved_source_test
