#include "actors/bookings/queue_watch.hpp"
#include "actors/support/booking_world.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gtest/gtest.h>

#include <future>
#include <netinet/in.h>
#include <sys/socket.h>

/// What memory shows when the store has other changes than memory.
namespace roost::testing::memory_and_store_test {
using domain::request_state;

class MemoryAndStore : public booking_world {
protected:
  std::vector<domain::nights> taken_nights_of(const domain::booking_request& refused) {
    return store::find_outcome(session(), refused.platform, *refused.reference).value().taken_nights;
  }
};

ROOST_ON_EACH_STORE(MemoryAndStore);

TEST_P(MemoryAndStore, AgreeAfterTheDatabaseHasRefusedAStayThatACalendarAllowed) {
  const std::vector unseen{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(unseen);
  book_in_store_only(unseen[0]);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  const std::vector overlapping{request(2, 1, "2027-02-10", "2027-02-20")};
  enqueue(overlapping);
  decide(overlapping);
  EXPECT_EQ(state_of(overlapping[0]), request_state::failed);
  EXPECT_EQ(taken_nights_of(overlapping[0]),
            (std::vector{domain::nights{day("2027-02-10"), day("2027-02-19")}}));
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(MemoryAndStore, AgreeAfterTheDatabaseHasRefusedAStayOnABlockThatACalendarDidNotKnow) {
  session().internals().script("block",
                               "insert into blocks (id, unit_id, first_night, last_night, source, host,"
                               " created_at, updated_at) select '" +
                                   domain::to_string(security::random_uuid()) +
                                   "', id, '2027-02-10', '2027-02-20', 'manual', '', created_at,"
                                   " created_at from units where id = '" +
                                   domain::to_string(numbered_id(0x10001)) + "'");
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  EXPECT_EQ(store::find_request(session(), requests[0].id)->reason, "overlapping_nights");
  EXPECT_EQ(taken_nights_of(requests[0]),
            (std::vector{domain::nights{day("2027-02-10"), day("2027-02-20")}}));
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-20"); }));
}

TEST_P(MemoryAndStore, AgreeAfterARequestThatWasAlreadyDecided) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  when_deciding = [&] { book_in_store_only(requests[0]); };
  run_queue();
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  EXPECT_EQ(stays(requests), 1U);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U);
  std::vector same_guest{request(2, 2, "2027-02-01", "2027-03-01")};
  same_guest[0].tenant.email = requests[0].tenant.email;
  enqueue(same_guest);
  decide(same_guest);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U) << "the account has its tenant, too";
}

TEST_P(MemoryAndStore, AgreeAfterATenantHasChanged) {
  book_february();
  const auto tenant = store::load_tenants(session(), {}).at(0).id;
  session().internals().script("change", "update tenants set email = 'new@example.com', category = null");
  const auto point =
      store::record_change(session(), {store::change_kind::tenant, {numbered_id(1)}, {}, {tenant}});
  ASSERT_TRUE(eventually([&] { return followed->point() == point; }));
  std::vector with_new_address{request(2, 2, "2027-02-01", "2027-03-01")};
  with_new_address[0].tenant.email = "NEW@example.com";
  std::vector with_old_address{request(3, 3, "2027-02-01", "2027-03-01")};
  with_old_address[0].tenant.email = request(1, 1, "2027-02-01", "2027-03-01").tenant.email;
  enqueue(with_new_address);
  decide(with_new_address);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U) << "the account knows the new address";
  enqueue(with_old_address);
  decide(with_old_address);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 2U) << "and has forgotten the old one";
}

TEST_P(MemoryAndStore, AgreeAfterAnotherProcessHasCancelled) {
  const auto booking = book_february();
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  ASSERT_TRUE(cancel_stay(session(), booking));
  EXPECT_TRUE(eventually([&] { return !shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(MemoryAndStore, AgreeAfterOldChangesAreDeleted) {
  for (int i = 0; i < 3; ++i) store::record_change(session(), {});
  const auto newest = store::newest_point(session());
  session().internals().script("old", "update changes set at = '2020-01-01T00:00:00.000Z'");
  crash();
  EXPECT_TRUE(eventually([&] { return store::entries_after(session(), 0, 10).size() == 1; }));
  EXPECT_EQ(followed->point(), newest);
}

/// A commit that waits until the test opens a gate. The server loses its connection meanwhile, but PostgreSQL
/// continues the commit, as when a synchronous standby is unreachable.
class CommitInDoubt : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    gate_.emplace(store().open());
    session().internals().script("gate",
                                 "create function wait_at_the_gate() returns trigger language plpgsql as"
                                 " $$ begin perform pg_advisory_xact_lock_shared(7); return null; end $$;"
                                 " create constraint trigger gate after insert or update on bookings"
                                 " deferrable initially deferred for each row"
                                 " execute function wait_at_the_gate()");
  }

  void TearDown() override {
    gate_.reset();
    booking_world::TearDown();
  }

  void close_gate() { gate_->internals().script("close", "select pg_advisory_lock(7)"); }
  void open_gate() { gate_->internals().script("open", "select pg_advisory_unlock(7)"); }

  /// Returns the local port of the connection whose commit waits at the gate; 0 if there is none.
  int waiting_port() {
    static const store::selection waiting{"test_waiting",
                                          "select {columns} from pg_stat_activity where wait_event = "
                                          "'advisory' and datname = current_database()",
                                          store::named<std::int64_t>("client_port")};
    return static_cast<int>(session().internals().read_one(waiting).value_or(0));
  }

  /// Shuts down this process's end of the connection.
  void cut_the_waiting_connection() {
    int port = 0;
    ASSERT_TRUE(eventually([&] { return (port = waiting_port()) != 0; }));
    constexpr int max_descriptors = 1024;
    for (int descriptor = 3; descriptor < max_descriptors; ++descriptor) {
      sockaddr_in own{};
      socklen_t size = sizeof own;
      if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
          own.sin_family == AF_INET && ntohs(own.sin_port) == port)
        shutdown(descriptor, SHUT_RDWR);
    }
  }

  void end_the_waiting_transaction() {
    session().internals().script("end", "select pg_terminate_backend(pid) from pg_stat_activity"
                                        " where wait_event = 'advisory' and datname = current_database()");
  }

  /// Locks the bookings exclusively once their current writer has ended.
  static std::future<void> lock_bookings(store::session& db) {
    return std::async(std::launch::async, [&db] {
      db.internals().script("lock", "begin; lock table bookings in access exclusive mode");
    });
  }

  bool is_lock_awaited() {
    static const store::selection waiting{
        "test_lock", "select {columns} from pg_locks where relation = 'bookings'::regclass and not granted",
        store::named<bool>("count(*) > 0")};
    return session().internals().read_one(waiting).value();
  }

private:
  std::optional<store::session> gate_;
};

ROOST_ON_POSTGRESQL(CommitInDoubt);

TEST_P(CommitInDoubt, KeepsABookingsNightsTakenUntilItIsSettled) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  close_gate();
  run_queue();
  cut_the_waiting_connection();
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  ASSERT_TRUE(eventually([&] { return jobs("settled_bookings", "failed") >= 2; }));
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  EXPECT_EQ(state_of(requests[0]), request_state::pending) << "it is still being committed";
  open_gate();
  ASSERT_TRUE(eventually([&] { return jobs("settled_bookings", "done") == 1; }));
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  const std::vector overlapping{request(2, 1, "2027-02-10", "2027-02-20")};
  enqueue(overlapping);
  decide(overlapping);
  EXPECT_EQ(state_of(overlapping[0]), request_state::failed);
  EXPECT_EQ(jobs("record_decisions", "failed"), 1U) << "memory had the booking";
}

TEST_P(CommitInDoubt, FreesItsNightsAndIsDecidedAgainIfItFailed) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  close_gate();
  run_queue();
  cut_the_waiting_connection();
  ASSERT_TRUE(eventually([&] { return jobs("settled_bookings", "failed") >= 1; }));
  end_the_waiting_transaction();
  open_gate();
  ASSERT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(stays(requests), 1U);
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
}

/// This server finds the request decided, but with another server's booking.
TEST_P(CommitInDoubt, LeavesNothingBehindIfItFailedAndAnotherServerDecides) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  close_gate();
  run_queue();
  cut_the_waiting_connection();
  ASSERT_TRUE(eventually([&] { return jobs("settled_bookings", "failed") >= 1; }));
  auto other = store().open();
  auto locked = lock_bookings(other);
  ASSERT_TRUE(eventually([&] { return is_lock_awaited(); }));
  end_the_waiting_transaction();
  open_gate();
  locked.get();
  book_in_store_only(requests[0], other);
  ASSERT_TRUE(eventually([&] { return jobs("settled_bookings", "done") == 1; }));
  ASSERT_EQ(store::load_tenants(session(), {}).size(), 1U);

  std::vector same_guest{request(2, 2, "2027-02-01", "2027-03-01")};
  same_guest[0].tenant.email = requests[0].tenant.email;
  enqueue(same_guest);
  decide(same_guest);
  EXPECT_EQ(state_of(same_guest[0]), request_state::success);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U) << "the guest is the other server's";
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(CommitInDoubt, KeepsACancellationsNightsTakenUntilItIsSettled) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  const auto current = directory.get();
  const auto* unit = current->find(0, "u1");
  close_gate();
  caf::anon_send(
      events, actors::cancel_platform_booking{{requests[0].platform, *requests[0].reference, unit->owner->id},
                                              unit->id(),
                                              unit->calendar,
                                              actors::deadline::in(10s)});
  cut_the_waiting_connection();
  ASSERT_TRUE(eventually([&] { return jobs("settled_cancellation", "failed") >= 2; }));
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  open_gate();
  EXPECT_TRUE(eventually([&] { return !shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(MemoryAndStore, AdvanceStaysWhenTheTimeIsTrusted) {
  const std::vector requests{request(1, 1, "2026-11-20", "2027-03-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_TRUE(eventually([&] {
    run_queue(); // the first run may still be in progress
    return store::list_bookings(session(), {}, 1).at(0).booking.status == domain::booking_status::checked_in;
  }));
}

/// Changes of the sample account that commit after each decision, before it is written.
class ConstantChanges : public booking_world {
protected:
  void begin(store::change change) {
    db_.emplace(store().open());
    change_ = std::move(change);
    when_deciding = [this] { make_change(); };
  }

  void end() { ended_ = true; }

  std::atomic<int> changes = 0;

private:
  /// Runs on the queue's thread.
  void make_change() {
    if (ended_) return;
    store::record_change(*db_, change_);
    ++changes;
    when_deciding = [this] { make_change(); };
  }

  std::optional<store::session> db_;
  store::change change_;
  std::atomic<bool> ended_ = false;
};

ROOST_ON_EACH_STORE(ConstantChanges);

TEST_P(ConstantChanges, DoNotDelayDecisionsIfTheyOnlyAddUnits) {
  const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
  enqueue(requests);
  begin({store::change_kind::account, {numbered_id(1)}, {}, {numbered_id(0x300)}});
  run_queue();
  EXPECT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(state_of(requests[0]), request_state::success);
  EXPECT_GT(changes, 0);
  end();
}

TEST_P(ConstantChanges, DoNotKeepGuestsFromBeingCheckedIn) {
  book_february();
  const std::vector requests{request(2, 2, "2027-05-01", "2027-06-01")};
  enqueue(requests);
  begin({store::change_kind::account, {numbered_id(1)}, {}, {}});
  EXPECT_TRUE(eventually([&] {
    run_queue();        // the first run may still be in progress
    return changes > 2; // the run decides again and again
  }));
  days_passed = day("2027-02-01") - day("2026-11-20");
  EXPECT_TRUE(eventually([&] {
    run_queue();
    return store::list_bookings(session(), {.status = domain::booking_status::checked_in}, 1).size() == 1;
  }));
  EXPECT_EQ(state_of(requests[0]), request_state::pending) << "the run has not ended";
  end();
  decide(requests);
}

class BookingActors : public booking_world {};

ROOST_ON_STORES(OnSqlite, BookingActors, store_kind::sqlite);

TEST_P(BookingActors, AreReportedWhenAnErrorEndsThem) {
  const auto current = directory.get();
  const auto* unit = current->find(0, "u1");
  const auto watch = actors::spawn_queue_watch(rt, {storage->at(actors::storage_pool::lane::reads_and_mail),
                                                    held, sample_platforms(), &directory, now, &registry});
  expect_failure_reported(watch);
  expect_failure_reported(unit->calendar);
  expect_failure_reported(unit->owner->actor);
  expect_failure_reported(queue);
  expect_failure_reported(intake);
  expect_failure_reported(events);
  expect_failure_reported(engine);
  expect_failure_reported(mailer);
  expect_failure_reported(storage->at(actors::storage_pool::lane::decisions));
  caf::scoped_actor self{rt.system()};
  self->request(follower, 10s, actors::end_calendars{})
      .receive([] {}, [](const caf::error&) { ADD_FAILURE(); });
  expect_failure_reported(follower);
}

} // namespace roost::testing::memory_and_store_test
