#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <gtest/gtest.h>

namespace roost::testing::another_history_test {
using domain::request_state;

/// The store becomes an older copy of itself, or one that went on otherwise.
class AnotherHistory : public booking_world {
protected:
  /// The newest change never was.
  void go_back() {
    store::transaction txn(session(), store::transaction::purpose::write);
    forget_newest();
    txn.commit();
  }

  /// It was another one.
  void go_on_otherwise() {
    const auto before = position();
    store::transaction txn(session(), store::transaction::purpose::write);
    forget_newest();
    ASSERT_EQ(store::append(session(), {}).position, before);
    txn.commit();
  }

  void forget_newest() {
    session().internals().script("older",
                                 "delete from changes where position = (select max(position) from changes);"
                                 " update change_stream set position = (select max(position) from changes)");
  }

  std::int64_t position() { return store::newest_point(session()).position; }

  unsigned long histories() { return metric(R"(roost_store_histories_total (\d+))"); }

  /// One booking is known, and then lost by the store without a trace.
  domain::booking_request lose_a_booking() {
    auto lost = request(1, 1, "2027-02-01", "2027-03-01");
    enqueue({lost});
    decide({lost});
    EXPECT_TRUE(eventually([&] { return followed->point() == store::newest_point(session()); }));
    EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
    session().internals().script("lost", "delete from notifications; delete from bookings");
    return lost;
  }
};

ROOST_ON_EACH_STORE(AnotherHistory);

TEST_P(AnotherHistory, IsLoadedWhenTheNewestChangeIsGone) {
  lose_a_booking();
  go_back();
  EXPECT_TRUE(eventually([&] { return histories() == 1; }));
  EXPECT_TRUE(eventually([&] { return held->holds() && directory.get() != nullptr; }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  const std::vector next{request(2, 1, "2027-02-10", "2027-02-20")};
  enqueue(next);
  decide(next);
  EXPECT_EQ(state_of(next[0]), request_state::success);
}

TEST_P(AnotherHistory, IsLoadedWhenAnotherChangeIsInItsPlace) {
  lose_a_booking();
  go_on_otherwise();
  EXPECT_TRUE(eventually([&] { return histories() == 1; }));
  EXPECT_TRUE(eventually([&] { return held->holds() && directory.get() != nullptr; }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(AnotherHistory, IsLoadedAsOftenAsItComes) {
  for (unsigned long n = 1; n <= 3; ++n) {
    store::record_change(session(), {});
    ASSERT_TRUE(eventually([&] { return followed->point().position == position(); }));
    go_on_otherwise();
    ASSERT_TRUE(eventually([&] { return histories() == n; }));
    ASSERT_TRUE(eventually([&] { return held->holds(); }));
  }
}

/// Nobody looks at the store but the queue.
class MemoryThatNobodyWatches : public AnotherHistory {
protected:
  MemoryThatNobodyWatches() { follower_interval = 1h; }

  /// Whatever comes of it.
  void look() {
    caf::anon_send(follower, actors::reload_account{});
    tell_of_own({});
  }

  void tell_of_own(const store::stream_point& made) {
    caf::scoped_actor self{rt.system()};
    self->request(follower, 10s, actors::own_change{made, followed->generation()})
        .receive([] {}, [](const caf::error&) { ADD_FAILURE(); });
  }

  /// Memory serves a moment before the follower's first look is over, which would still see what comes then.
  void wait_for_the_first_look() {
    caf::scoped_actor self{rt.system()};
    self->request(follower, 10s, actors::show_change{store::newest_point(session()), nullptr})
        .receive([](const actors::change_shown&) {}, [](const caf::error&) { ADD_FAILURE(); });
  }
};

ROOST_ON_EACH_STORE(MemoryThatNobodyWatches);

/// What a forgotten memory was told says nothing of the one that was loaded since.
TEST_P(MemoryThatNobodyWatches, IsNotBelievedToHoldWhatAnEarlierOneHeld) {
  wait_for_the_first_look();
  const auto before = followed->generation();
  go_on_otherwise();
  look(); // finds that out
  look(); // loads
  ASSERT_NE(followed->generation(), before);
  const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
  enqueue({booked});
  book_in_store_only(booked);
  caf::anon_send(follower, actors::own_change{store::newest_point(session()), before});
  look(); // perhaps it is on its way
  look();
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(MemoryThatNobodyWatches, IsNotDecidedOnWhenTheStoreHasLostDecisions) {
  lose_a_booking();
  go_on_otherwise();
  const auto more = request(2, 2, "2027-02-01", "2027-03-01");
  enqueue({more});
  run_queue();
  EXPECT_TRUE(eventually([&] { return !held->holds(); }));
  EXPECT_EQ(state_of(more), request_state::pending);
}

TEST_P(MemoryThatNobodyWatches, IsNotVouchedForByALookThatFailed) {
  wait_for_the_first_look();
  session().internals().script("away", "alter table changes rename to changes_away");
  held->invalidate();
  look();
  session().internals().script("back", "alter table changes_away rename to changes");
  tell_of_own(store::record_change(session(), {}));
  EXPECT_FALSE(held->holds()) << "nobody has seen that the store is the one that memory is of";
  look();
  EXPECT_TRUE(held->holds());
}

/// The oldest entry that memory lacks is deleted after it was seen that none is lacking.
TEST_P(MemoryThatNobodyWatches, IsLoadedAnewWhenAChangeThatItNeedsIsPrunedMeanwhile) {
  wait_for_the_first_look();
  const auto before = directory.get();
  store::record_change(session(), {});
  const auto newest = store::record_change(session(), {});
  session().internals().script(
      "prune", "delete from changes where position = (select max(position) - 1 from changes)");
  look(); // finds that out
  EXPECT_FALSE(held->holds());
  look(); // loads
  EXPECT_NE(directory.get(), before);
  EXPECT_EQ(followed->point(), newest);
  EXPECT_EQ(histories(), 0U);
}

TEST_P(MemoryThatNobodyWatches, IsLoadedAnewWithoutAnAlarmWhenWhatCameSinceIsPruned) {
  wait_for_the_first_look();
  const auto before = directory.get();
  store::record_change(session(), {});
  store::record_change(session(), {});
  session().internals().script("prune",
                               "delete from changes where position < (select max(position) from changes)");
  caf::anon_send(follower, actors::poll_changes{});
  EXPECT_TRUE(eventually([&] { return directory.get() != before && held->holds(); }));
  EXPECT_TRUE(eventually([&] { return followed->point() == store::newest_point(session()); }));
  EXPECT_EQ(histories(), 0U);
}

} // namespace roost::testing::another_history_test
