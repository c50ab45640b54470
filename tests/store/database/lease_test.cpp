#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <atomic>
#include <thread>

namespace roost::testing::lease_test {
ROOST_FOR_EACH_STORE(WriterLease);

TEST_P(WriterLease, IsFreeAtFirstAndNamesItsHolderThen) {
  EXPECT_FALSE(store::current_lease(session()));
  const auto lease = store::try_acquire(session(), "node-a", 10s);
  ASSERT_TRUE(lease);
  const auto state = store::current_lease(session());
  ASSERT_TRUE(state);
  EXPECT_EQ(state->holder, lease->held);
  EXPECT_FALSE(state->expired);
}

TEST_P(WriterLease, IsRefusedToASecondNodeUntilItIsReleased) {
  const auto first = take_lease(session(), "node-a");
  EXPECT_FALSE(store::try_acquire(session(), "node-b", 10s));
  store::release(session(), first);
  const auto second = store::try_acquire(session(), "node-b", 10s);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->held.epoch, first.epoch + 1);
}

TEST_P(WriterLease, IsTakenWithThePositionOfTheStream) {
  const auto first = store::try_acquire(session(), "node-a", 0ms);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->position, position_of(session()));
  const auto change = store::record_change(session(), {});
  EXPECT_EQ(store::try_acquire(session(), "node-b", 10s)->position, change.position);
}

TEST_P(WriterLease, GoesToASecondNodeWhenItHasRunOut) {
  const auto first = store::try_acquire(session(), "node-a", 0ms);
  ASSERT_TRUE(first);
  EXPECT_TRUE(store::current_lease(session())->expired);
  ASSERT_TRUE(store::try_acquire(session(), "node-b", 10s));
  EXPECT_FALSE(store::renew(session(), first->held, 10s));
  store::release(session(), first->held); // no longer its own: nothing happens
  EXPECT_EQ(store::current_lease(session())->holder.node, "node-b");
}

TEST_P(WriterLease, IsRenewedAfterItRanOutWhenNobodyTookIt) {
  const auto lease = store::try_acquire(session(), "node-a", 0ms);
  EXPECT_TRUE(store::renew(session(), lease->held, 10s));
  EXPECT_FALSE(store::current_lease(session())->expired);
}

TEST_P(WriterLease, GivesItsOwnNodeANewEpoch) {
  const auto first = take_lease(session());
  const auto again = take_lease(session());
  EXPECT_EQ(again.epoch, first.epoch + 1);
  EXPECT_FALSE(store::renew(session(), first, 10s));
}

TEST_P(WriterLease, LetsAStaleEpochWriteNothing) {
  writer old(session());
  store::release(session(), old.lease);
  take_lease(session(), "node-b");
  EXPECT_THROW(old.insert({sample_request(1)}), store::lease_lost);
  EXPECT_TRUE(store::pending_requests(session(), 0, 10).empty());
}

TEST_P(WriterLease, LetsAnExpiredHolderWriteNothing) {
  writer late(session());
  late.lease = store::try_acquire(session(), "node-a", 0ms).value().held;
  EXPECT_THROW(late.insert({sample_request(1)}), store::lease_lost);
  EXPECT_THROW(store::mark_applied(session(), late.lease, 1), store::lease_lost);
  EXPECT_TRUE(store::renew(session(), late.lease, 10s));
  EXPECT_NO_THROW(late.insert({sample_request(1)}));
}

TEST_P(WriterLease, IsHeldUntilAnOpenTransactionEnds) {
  const auto lease = store::try_acquire(session(), "node-a", 200ms).value().held;
  std::optional<store::write_transaction> txn;
  txn.emplace(session(), lease);
  std::optional<store::taken_lease> taken;
  std::atomic<bool> refused_after_its_end = false;
  std::thread other([&] {
    auto second = store().open();
    for (int tries = 0; !taken && tries < 2'000; ++tries) {
      const bool is_over = store::current_lease(second)->expired;
      try {
        taken = store::try_acquire(second, "node-b", 10s);
      } catch (const store::unavailable&) { // SQLite: the open transaction has the only write lock
      }
      if (!taken && is_over) {
        refused_after_its_end = true;
        refused_after_its_end.notify_all();
      }
      if (!taken) std::this_thread::sleep_for(10ms);
    }
    refused_after_its_end = true; // whatever happened, the test goes on
    refused_after_its_end.notify_all();
  });
  refused_after_its_end.wait(false);
  EXPECT_NO_THROW(txn->commit()); // it had the lease when it began, and nobody could take it since
  txn.reset();
  other.join();
  ASSERT_TRUE(taken);
  EXPECT_THROW(store::write_transaction(session(), lease), store::lease_lost);
}

TEST_P(WriterLease, LeavesTransactionsAloneWhoseLeaseHasNotRunOut) {
  const auto lease = take_lease(session());
  store::write_transaction txn(session(), lease);
  auto other = store().open();
  EXPECT_EQ(store::end_overdue_transactions(other), 0);
  EXPECT_NO_THROW(txn.commit());
}

class WriterLeaseInPostgresql : public WriterLease {
protected:
  /// Begins to copy rows and sends none, as a server does that was stopped just then.
  static void hang_in_a_copy(store::session& db) {
    EXPECT_THROW(db.internals().script("copy", "copy tenants from stdin"), store::failure);
  }

  /// A write transaction that hangs when its lease has run out.
  std::unique_ptr<store::write_transaction> hanging_one(store::session& db) {
    const auto lease = store::try_acquire(db, "node-a", 300ms).value().held;
    auto txn = std::make_unique<store::write_transaction>(db, lease);
    hang_in_a_copy(db);
    return txn;
  }

  bool expired() { return store::current_lease(session())->expired; }
};
ROOST_ON_POSTGRESQL(WriterLeaseInPostgresql);

TEST_P(WriterLeaseInPostgresql, IsRenewedWhileItsOwnTransactionsAreOpen) {
  auto writing = store().open(), deciding = store().open();
  const auto lease = take_lease(session());
  store::write_transaction first(writing, lease);
  store::write_transaction second(deciding, lease, store::newest_point(deciding));
  session().internals().script("impatient", "set lock_timeout = '100ms'");
  EXPECT_TRUE(store::renew(session(), lease, 10s));
  EXPECT_NO_THROW(first.commit());
  EXPECT_NO_THROW(second.commit());
}

TEST_P(WriterLeaseInPostgresql, IsReleasedAfterItsOwnTransactions) {
  auto writing = store().open();
  const auto lease = take_lease(session());
  std::optional<store::write_transaction> open;
  open.emplace(writing, lease);
  session().internals().script("impatient", "set lock_timeout = '100ms'");
  EXPECT_THROW(store::release(session(), lease), store::unavailable);
  open.reset();
  store::release(session(), lease);
  EXPECT_FALSE(store::current_lease(session()));
}

TEST_P(WriterLeaseInPostgresql, IsTakenFromOneThatHangsInACopyOneSecondAfterItsEnd) {
  auto stopped = store().open();
  const auto txn = hanging_one(stopped);
  while (!expired()) std::this_thread::sleep_for(10ms);
  const auto over = std::chrono::steady_clock::now();
  EXPECT_FALSE(store::try_acquire(session(), "node-b", 10s)); // at once
  std::int64_t ended = 0;
  while ((ended = store::end_overdue_transactions(session())) == 0 &&
         std::chrono::steady_clock::now() < over + 5s)
    std::this_thread::sleep_for(10ms);
  EXPECT_EQ(ended, 1);
  EXPECT_GE(std::chrono::steady_clock::now() - over, 900ms);
  std::optional<store::taken_lease> taken;
  while (!(taken = store::try_acquire(session(), "node-b", 10s)) &&
         std::chrono::steady_clock::now() < over + 5s)
    std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(taken);
  EXPECT_THROW(txn->commit(), store::unavailable);
}

TEST_P(WriterLeaseInPostgresql, OfANewHolderIsNotWhatAnOverdueTransactionIsEndedFor) {
  auto stopped = store().open(), importing = store().open(), next = store().open();
  const auto txn = hanging_one(stopped);
  store::transaction import(importing, store::transaction::purpose::write);
  importing.internals().script("touch", "update change_stream set applied = applied");
  while (!expired()) std::this_thread::sleep_for(10ms);
  while (store::end_overdue_transactions(session()) == 0) std::this_thread::sleep_for(10ms);
  std::optional<store::taken_lease> taken;
  while (!(taken = store::try_acquire(next, "node-b", 10s))) std::this_thread::sleep_for(10ms);
  import.commit(); // needs no lease, so that its end does not concern it
  store::write_transaction of_the_new(next, taken->held);
  EXPECT_EQ(store::end_overdue_transactions(session()), 0);
  EXPECT_NO_THROW(of_the_new.commit());
}

TEST_P(WriterLease, GoesToOneOnlyOfManyWhoAskAtOnce) {
  std::atomic<int> winners{0};
  store(); // made before the threads start
  std::vector<std::thread> nodes;
  for (int i = 0; i < 4; ++i)
    nodes.emplace_back([&, i] {
      auto own = store().open();
      if (store::try_acquire(own, "node-" + std::to_string(i), 10s)) ++winners;
    });
  for (auto& each : nodes) each.join();
  EXPECT_EQ(winners, 1);
}

/// Servers and commands judge by the same length.
TEST(LeaseState, IsBelievedUpToALeasesLength) {
  store::lease_state lease;
  lease.expires_at = lease.seen_at + store::lease_length;
  EXPECT_TRUE(store::is_credible(lease));
  EXPECT_FALSE(store::expires_implausibly_late(lease));
  lease.expires_at += 1ms;
  EXPECT_FALSE(store::is_credible(lease));
  EXPECT_TRUE(store::expires_implausibly_late(lease));
}

TEST_P(WriterLease, TellsOfNoServerWhenItIsFreeRunOutOrFromAWrongClock) {
  EXPECT_FALSE(store::has_active_server(session()));
  const auto held = store::try_acquire(session(), "node-a", store::lease_length).value().held;
  EXPECT_TRUE(store::has_active_server(session()));
  EXPECT_TRUE(store::renew(session(), held, 24h));
  EXPECT_FALSE(store::has_active_server(session()));
  EXPECT_TRUE(store::renew(session(), held, 0ms));
  EXPECT_FALSE(store::has_active_server(session()));
}

} // namespace roost::testing::lease_test
