#include "actors/runtime/lease_keeper.hpp"
#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

namespace roost::testing::lease_keeper_test {

using namespace std::chrono_literals;
using clock = actors::held_lease::clock;

/// A keeper over a real store. Its reminders are an hour away, so that only the test triggers its steps.
class LeaseKeeper : public on_each_store {
protected:
  static actors::lease_settings hourly(std::string url) { return {std::move(url), "node-a", 1h, 1h, 1h}; }

  void start(actors::lease_settings settings) {
    keeper_ = actors::spawn_lease_keeper(runtime_, std::move(settings), held, health, [this] {
      held_when_acquired = held->holds();
      if (++acquired == 1) taken_.set_value();
    });
  }
  void start() { start(hourly(store().url())); }

  void TearDown() override {
    if (keeper_) caf::anon_send_exit(keeper_, caf::exit_reason::user_shutdown);
    keeper_ = nullptr;
    runtime_.close_ports();
  }

  /// Returns once the keeper has handled the message. The keeper's own first step happens before the second
  /// call.
  template <typename Message>
  void send_and_wait(Message message) {
    caf::scoped_actor self{runtime_.system()};
    self->request(keeper_, caf::infinite, std::move(message))
        .receive([] {}, [&](const caf::error&) { ADD_FAILURE() << "the keeper has ended"; });
  }
  void step() { send_and_wait(actors::renew_lease{}); }
  void release() { send_and_wait(actors::release_lease{}); }

  void break_keeper() {
    caf::anon_send(caf::actor_cast<caf::actor>(keeper_), caf::make_error(caf::sec::runtime_error));
  }

  void wait_until_taken() { taken_.get_future().wait(); }

  std::string other_writer() const {
    const auto writer = health->writer.get();
    return writer ? *writer : "";
  }

  void begin_copy() {
    session().internals().script("begin_copy", "insert into store_copy values (1, 'copying', 1,"
                                               " '00000001-0000-4000-8000-000000000001', 1,"
                                               " '2026-01-01T00:00:00Z')");
  }
  void finish_copy() { session().internals().script("finish_copy", "delete from store_copy"); }

  std::optional<store::lease> stored() {
    const auto state = store::current_lease(session());
    return state ? std::optional(state->holder) : std::nullopt;
  }

  std::atomic<int> acquired = 0, failures = 0;
  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  std::shared_ptr<actors::store_health> health = std::make_shared<actors::store_health>();
  std::atomic<bool> held_when_acquired = false;

private:
  std::promise<void> taken_;
  actors::runtime runtime_{actors::scheduler_knobs{}, [this](auto, auto) { ++failures; }};
  actors::lease_keeper keeper_;
};
ROOST_ON_EACH_STORE(LeaseKeeper);

TEST_P(LeaseKeeper, TakesAFreeLeaseAndPublishesIt) {
  start();
  wait_until_taken();
  EXPECT_TRUE(held_when_acquired);
  step();
  ASSERT_TRUE(held->current());
  EXPECT_EQ(held->current()->node, "node-a");
  EXPECT_EQ(held->current(), stored());
  EXPECT_EQ(acquired, 1);
  EXPECT_TRUE(health->reachable);
  EXPECT_EQ(other_writer(), "");
}

TEST_P(LeaseKeeper, ReportsAClockThatIsAheadOfTheTrustedTime) {
  auto settings = hourly(store().url());
  settings.renewal = 0ms; // compares the time in each step
  // The keeper reads its clock until the fixture is torn down.
  const auto ahead = std::make_shared<std::atomic<std::chrono::milliseconds>>(24h);
  settings.now = [ahead] { return actors::system_now() + ahead->load(); };
  const auto trusted = store::compare_time(session(), {}, store::read_machine_time()).trusted;
  start(std::move(settings));
  wait_until_taken();
  step();
  const auto compared = health->untrusted_time.get();
  ASSERT_TRUE(compared);
  EXPECT_GE(compared->gap(), 23h);
  EXPECT_LT(store::compare_time(session(), {}, store::read_machine_time()).trusted, trusted + 1h);
  EXPECT_TRUE(held->holds()) << "bookings go on";
  *ahead = 0ms;
  step();
  EXPECT_FALSE(health->untrusted_time.get());
}

TEST_P(LeaseKeeper, MigratesTheSchemaFirst) {
  test_store empty(GetParam(), false);
  start(hourly(empty.url()));
  step();
  EXPECT_TRUE(health->schema_current);
  EXPECT_TRUE(held->holds());
  auto db = empty.open();
  EXPECT_EQ(store::current_lease(db)->holder, held->current());
}

TEST_P(LeaseKeeper, RenewsTheLeaseWithTheSameEpoch) {
  start();
  wait_until_taken();
  const auto first = store::current_lease(session());
  do // the clock of the database has milliseconds
    step();
  while (store::current_lease(session())->expires_at == first->expires_at);
  EXPECT_GT(store::current_lease(session())->expires_at, first->expires_at);
  EXPECT_EQ(held->current(), first->holder);
  EXPECT_EQ(acquired, 1);
}

TEST_P(LeaseKeeper, RenewsItOnItsOwn) {
  auto settings = hourly(store().url());
  settings.renewal = 1ms;
  start(settings);
  wait_until_taken();
  const auto first = store::current_lease(session())->expires_at;
  EXPECT_TRUE(eventually([&] { return store::current_lease(session())->expires_at != first; }));
  EXPECT_TRUE(held->holds());
}

/// A server that was suspended during the store's response must not serve longer than the store allows.
TEST_P(LeaseKeeper, CountsTheDeadlineFromBeforeTheRequestToTheStore) {
  auto settings = hourly(store().url());
  settings.duration = 50ms;
  std::promise<void> clock_was_read; // before it asks to be admitted
  settings.admit = [&](store::session&) { clock_was_read.set_value(); };
  {
    store::transaction blocking(session(), store::transaction::purpose::write);
    if (!session().is_sqlite())
      session().internals().script("lock", "lock table writer_lease in exclusive mode");
    start(settings);
    clock_was_read.get_future().wait();
    std::this_thread::sleep_until(clock::now() + settings.duration);
  }
  wait_until_taken();
  EXPECT_FALSE(held_when_acquired);
}

TEST_P(LeaseKeeper, StandsByWhileAnotherNodeHoldsTheLease) {
  ASSERT_TRUE(store::try_acquire(session(), "node-b", 1h));
  start();
  step();
  EXPECT_FALSE(held->holds());
  EXPECT_EQ(acquired, 0);
  EXPECT_EQ(other_writer(), "node-b");
  EXPECT_TRUE(health->reachable);
  EXPECT_EQ(stored()->node, "node-b");
}

TEST_P(LeaseKeeper, TakesOverWhenTheOthersLeaseHasExpired) {
  const auto other = store::try_acquire(session(), "node-b", 1h);
  start();
  step();
  ASSERT_EQ(other_writer(), "node-b");
  store::renew(session(), other->held, 0ms);
  step();
  ASSERT_TRUE(held->holds());
  EXPECT_EQ(held->current()->epoch, other->held.epoch + 1);
  EXPECT_EQ(acquired, 1);
  EXPECT_EQ(other_writer(), "");
}

TEST_P(LeaseKeeper, RetriesUntilTheLeaseIsFree) {
  const auto other = store::try_acquire(session(), "node-b", 1h);
  auto settings = hourly(store().url());
  settings.retry = 1ms;
  start(settings);
  ASSERT_TRUE(eventually([&] { return other_writer() == "node-b"; }));
  store::release(session(), other->held);
  wait_until_taken();
  EXPECT_EQ(stored()->node, "node-a");
}

TEST_P(LeaseKeeper, StandsByOnceAnotherEpochHoldsTheLease) {
  start();
  step();
  ASSERT_TRUE(held->holds());
  const auto other = store::try_acquire(session(), "node-b", 0ms); // not taken before this one expires
  EXPECT_FALSE(other);
  const auto second = store::try_acquire(session(), "node-a", 1h); // a second process of the same name
  ASSERT_TRUE(second);
  session().internals().script("renamed", "update writer_lease set node = 'node-b'");
  step();
  EXPECT_FALSE(held->holds());
  step();
  EXPECT_EQ(other_writer(), "node-b");
  EXPECT_EQ(acquired, 1);
  store::release(session(), {"node-b", second->held.epoch});
  step();
  EXPECT_EQ(acquired, 2);
  ASSERT_TRUE(held->holds());
  EXPECT_EQ(held->current()->epoch, second->held.epoch + 1);
}

TEST_P(LeaseKeeper, ReleasesTheLease) {
  start();
  step();
  ASSERT_TRUE(stored());
  release();
  EXPECT_FALSE(held->holds());
  EXPECT_FALSE(stored());
  step();
  EXPECT_FALSE(stored()) << "a late reminder does not take it again";
}

TEST_P(LeaseKeeper, DoesNotReleaseAnotherNodesLease) {
  ASSERT_TRUE(store::try_acquire(session(), "node-b", 1h));
  start();
  step();
  release();
  EXPECT_EQ(stored()->node, "node-b");
}

TEST_P(LeaseKeeper, WaitsForAKnownSchema) {
  session().internals().script("newer", "insert into schema_migrations (version, name, checksum, applied_at)"
                                        " values (9999, 'from the future', '1', '2030-01-01T00:00:00Z')");
  start();
  step();
  EXPECT_FALSE(held->holds());
  EXPECT_FALSE(health->schema_current);
  EXPECT_TRUE(health->reachable);
  session().internals().script("known", "delete from schema_migrations where version = 9999");
  step();
  EXPECT_TRUE(health->schema_current);
  EXPECT_TRUE(held->holds());
}

TEST_P(LeaseKeeper, AdmitsItselfToACopyOnceItIsFinished) {
  begin_copy();
  std::atomic<int> admitted = 0;
  auto settings = hourly(store().url());
  settings.admit = [&](store::session&) { ++admitted; };
  start(settings);
  step();
  EXPECT_EQ(admitted, 0) << "it would write its keys there";
  EXPECT_TRUE(health->is_unfinished_copy);
  EXPECT_FALSE(held->holds());
  finish_copy();
  step();
  EXPECT_EQ(admitted, 1);
  EXPECT_FALSE(health->is_unfinished_copy);
  EXPECT_TRUE(held->holds());
}

TEST_P(LeaseKeeper, AdmitsItselfAgainAfterACopy) {
  const auto copying = store::try_acquire(session(), "copy", 1h);
  std::atomic<int> admitted = 0;
  auto settings = hourly(store().url());
  settings.admit = [&](store::session&) { ++admitted; };
  start(settings);
  step();
  ASSERT_EQ(admitted, 1);
  begin_copy();
  step();
  EXPECT_FALSE(health->is_unfinished_copy) << "the copy is in progress";
  EXPECT_EQ(other_writer(), "copy");
  finish_copy();
  store::release(session(), copying->held);
  step();
  EXPECT_EQ(admitted, 2);
  EXPECT_TRUE(held->holds());
}

TEST_P(LeaseKeeper, TakesNoMovedStoreUntilItIsReopened) {
  store::write_move_marker(session(), "the new store");
  start();
  step();
  EXPECT_FALSE(held->holds());
  ASSERT_TRUE(health->moved_to.get());
  EXPECT_EQ(*health->moved_to.get(), "the new store");
  store::erase_move_marker(session());
  step();
  EXPECT_TRUE(held->holds());
  EXPECT_FALSE(health->moved_to.get());
}

TEST_P(LeaseKeeper, ChangesNothingInALiveStoreThatItOnlyInspects) {
  ASSERT_TRUE(store::try_acquire(session(), "node-b", 0ms));
  session().internals().script("older", "delete from schema_migrations where version = (select max(version)"
                                        " from schema_migrations)");
  std::atomic<int> admitted = 0;
  auto settings = hourly(store().url());
  settings.admit = [&](store::session&) { ++admitted; };
  settings.use = store::lease_use::inspect;
  start(settings);
  step();
  EXPECT_TRUE(health->is_live_store);
  EXPECT_EQ(other_writer(), "node-b");
  EXPECT_EQ(admitted, 0);
  EXPECT_FALSE(held->holds());
  EXPECT_FALSE(store::schema_is_current(session()));
}

TEST_P(LeaseKeeper, IsReportedWhenItEndsWithAnError) {
  start();
  step();
  break_keeper();
  EXPECT_TRUE(eventually([&] { return failures == 1; }));
}

class LeaseKeeperOfSqlite : public LeaseKeeper {};
ROOST_ON_STORES(OnSqlite, LeaseKeeperOfSqlite, store_kind::sqlite);

TEST_P(LeaseKeeperOfSqlite, RetriesWhenTheStoreCannotBeOpened) {
  const auto folder =
      std::filesystem::path(store().url().substr(std::string("sqlite3://").size())).parent_path();
  const auto blocking_file = folder / "data";
  std::ofstream(blocking_file) << "no folder";
  start(hourly("sqlite3://" + (blocking_file / "roost.db").string()));
  step();
  EXPECT_FALSE(health->reachable);
  EXPECT_EQ(acquired, 0);
  std::filesystem::remove(blocking_file);
  step();
  EXPECT_TRUE(health->reachable);
  EXPECT_TRUE(held->holds());
}

TEST_P(LeaseKeeperOfSqlite, TakesANewLeaseWhenTheFileIsReplaced) {
  start();
  step();
  ASSERT_TRUE(held->holds());
  const auto before = held->current()->epoch;
  const auto file = store().url().substr(std::string("sqlite3://").size());
  std::filesystem::create_directory(file + ".former");
  for (const auto* part : {"-wal", "-shm"})
    if (std::filesystem::exists(file + part))
      std::filesystem::rename(file + part, file + ".former/db" + part);
  std::filesystem::rename(file, file + ".former/db");
  {
    store::session former("sqlite3://" + file + ".former/db");
    former.internals().script("backup", "vacuum into '" + file + "'");
  }
  step(); // detects the replacement
  step(); // takes the new file's lease
  ASSERT_TRUE(held->holds());
  EXPECT_EQ(held->current()->epoch, before + 1);
}

TEST_P(LeaseKeeperOfSqlite, KeepsTheLeaseWhileTheFileIsTemporarilyMissing) {
  start();
  step();
  const auto file = store().url().substr(std::string("sqlite3://").size());
  std::filesystem::rename(file, file + ".away");
  step();
  EXPECT_FALSE(health->reachable);
  std::filesystem::rename(file + ".away", file);
  step();
  EXPECT_TRUE(health->reachable);
  EXPECT_TRUE(held->holds());
}

class LeaseKeeperOfPostgresql : public LeaseKeeper {
protected:
  /// Returns once the keeper has noticed: the database server takes a moment to close connections.
  void lose_connection() {
    step(); // the test's second step: the keeper's own first one is over
    store().cut_connections();
    do step();
    while (health->reachable);
  }
};
ROOST_ON_POSTGRESQL(LeaseKeeperOfPostgresql);

TEST_P(LeaseKeeperOfPostgresql, RegainsTheLeaseWithItsLockAfterALostConnection) {
  start();
  step();
  const auto before = held->current();
  ASSERT_TRUE(before);
  lose_connection();
  const auto give_up = clock::now() + 10s;
  do // the lock's connection may end later than the keeper's own
    step();
  while (held->current() != before && clock::now() < give_up);
  EXPECT_TRUE(health->reachable);
  EXPECT_EQ(held->current(), before);
  EXPECT_EQ(acquired, 1);
}

TEST_P(LeaseKeeperOfPostgresql, DoesNotContactAnUnreachableStoreOnRelease) {
  start();
  step();
  lose_connection();
  release();
  EXPECT_FALSE(held->holds());
  auto fresh = store().open();
  EXPECT_EQ(store::current_lease(fresh)->holder.node, "node-a") << "it expires by itself";
}

} // namespace roost::testing::lease_keeper_test
