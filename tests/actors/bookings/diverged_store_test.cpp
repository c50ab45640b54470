#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <gtest/gtest.h>

namespace roost::testing::diverged_store_test {
using domain::request_state;

/// The store is replaced by an older copy of itself, or by a copy that has diverged since.
class DivergedStore : public booking_world {
protected:
  /// Removes the newest change.
  void remove_newest_change() {
    store::transaction txn(session(), store::transaction::purpose::write);
    delete_newest_change();
    txn.commit();
  }

  /// Replaces the newest change by another one.
  void replace_newest_change() {
    const auto before = position();
    store::transaction txn(session(), store::transaction::purpose::write);
    delete_newest_change();
    ASSERT_EQ(store::append(session(), {}).position, before);
    txn.commit();
  }

  void delete_newest_change() {
    session().internals().script("older",
                                 "delete from changes where position = (select max(position) from changes);"
                                 " update change_stream set position = (select max(position) from changes)");
  }

  std::int64_t position() { return store::newest_point(session()).position; }

  unsigned long histories() { return metric("roost_store_histories_total"); }

  /// Books a stay and, once memory has it, deletes it from the store without recording a change.
  domain::booking_request lose_a_booking() {
    auto booked = request(1, 1, "2027-02-01", "2027-03-01");
    enqueue({booked});
    decide({booked});
    EXPECT_TRUE(eventually([&] { return followed->point() == store::newest_point(session()); }));
    EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
    session().internals().script("lost", "delete from notifications; delete from bookings");
    return booked;
  }
};

ROOST_ON_EACH_STORE(DivergedStore);

TEST_P(DivergedStore, IsLoadedWhenTheNewestChangeIsMissing) {
  lose_a_booking();
  remove_newest_change();
  EXPECT_TRUE(eventually([&] { return histories() == 1; }));
  EXPECT_TRUE(eventually([&] { return held->holds() && directory.get() != nullptr; }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  const std::vector next{request(2, 1, "2027-02-10", "2027-02-20")};
  enqueue(next);
  decide(next);
  EXPECT_EQ(state_of(next[0]), request_state::success);
}

TEST_P(DivergedStore, IsLoadedWhenTheNewestChangeDiffers) {
  lose_a_booking();
  replace_newest_change();
  EXPECT_TRUE(eventually([&] { return histories() == 1; }));
  EXPECT_TRUE(eventually([&] { return held->holds() && directory.get() != nullptr; }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(DivergedStore, IsLoadedEachTimeItDiverges) {
  for (unsigned long n = 1; n <= 3; ++n) {
    store::record_change(session(), {});
    ASSERT_TRUE(eventually([&] { return followed->point().position == position(); }));
    replace_newest_change();
    ASSERT_TRUE(eventually([&] { return histories() == n; }));
    ASSERT_TRUE(eventually([&] { return held->holds(); }));
  }
}

/// The follower polls the store only on request.
class UnpolledMemory : public DivergedStore {
protected:
  UnpolledMemory() { follower_interval = 1h; }

  /// Returns once the follower has polled the store, whether or not it succeeded.
  void poll() {
    caf::anon_send(follower, actors::reload_account{});
    report_own_change({});
  }

  void report_own_change(const store::stream_point& point) {
    caf::scoped_actor self{rt.system()};
    self->request(follower, 10s, actors::own_change{point, followed->generation()})
        .receive([] {}, [](const caf::error&) { ADD_FAILURE(); });
  }

  /// Memory serves slightly before the follower's first poll ends, which would still see later changes.
  void wait_for_first_poll() {
    caf::scoped_actor self{rt.system()};
    self->request(follower, 10s, actors::show_change{store::newest_point(session()), nullptr})
        .receive([](const actors::change_shown&) {}, [](const caf::error&) { ADD_FAILURE(); });
  }
};

ROOST_ON_EACH_STORE(UnpolledMemory);

/// A change that was reported for a former memory says nothing about the one loaded since.
TEST_P(UnpolledMemory, IgnoresChangesReportedForAFormerMemory) {
  wait_for_first_poll();
  const auto before = followed->generation();
  replace_newest_change();
  poll(); // detects it
  poll(); // reloads
  ASSERT_NE(followed->generation(), before);
  const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
  enqueue({booked});
  book_in_store_only(booked);
  caf::anon_send(follower, actors::own_change{store::newest_point(session()), before});
  poll(); // may still be in progress
  poll();
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(UnpolledMemory, IsNotUsedForDecisionsWhenTheStoreHasLostSome) {
  wait_for_first_poll();
  lose_a_booking();
  replace_newest_change();
  const auto more = request(2, 2, "2027-02-01", "2027-03-01");
  enqueue({more});
  EXPECT_TRUE(eventually([&] {
    run_queue(); // the first run may still be in progress
    return !held->holds();
  }));
  EXPECT_EQ(state_of(more), request_state::pending);
}

TEST_P(UnpolledMemory, StaysInvalidAfterAFailedPoll) {
  wait_for_first_poll();
  session().internals().script("away", "alter table changes rename to changes_away");
  held->invalidate();
  poll();
  session().internals().script("back", "alter table changes_away rename to changes");
  report_own_change(store::record_change(session(), {}));
  EXPECT_FALSE(held->holds()) << "no poll has confirmed that memory matches the store";
  poll();
  EXPECT_TRUE(held->holds());
}

/// The lease expires while the server is suspended: commands do not wait until it shows their changes.
TEST_P(UnpolledMemory, IsUsedAfterAnExpiryOnlyOnceItHasAllChanges) {
  using clock = actors::held_lease::clock;
  wait_for_first_poll();
  const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
  enqueue({booked});
  book_in_store_only(booked);
  held->hold(lease, clock::now());
  held->hold(lease, clock::now() + 1h);
  poll(); // leaves out a booking that may be this server's own
  EXPECT_FALSE(held->holds());
  poll();
  EXPECT_TRUE(held->holds());
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

/// The oldest entry that memory lacks is pruned after the check that none is lacking.
TEST_P(UnpolledMemory, IsReloadedWhenAChangeThatItLacksIsPruned) {
  wait_for_first_poll();
  const auto before = directory.get();
  store::record_change(session(), {});
  const auto newest = store::record_change(session(), {});
  session().internals().script(
      "prune", "delete from changes where position = (select max(position) - 1 from changes)");
  poll(); // detects it
  EXPECT_FALSE(held->holds());
  poll(); // reloads
  EXPECT_NE(directory.get(), before);
  EXPECT_EQ(followed->point(), newest);
  EXPECT_EQ(histories(), 0U);
}

TEST_P(UnpolledMemory, IsReloadedWithoutAnAlarmWhenLaterChangesArePruned) {
  wait_for_first_poll();
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

} // namespace roost::testing::diverged_store_test
