#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/eventually.hpp"
#include "support/store.hpp"

#include <atomic>
#include <thread>

namespace roost::testing::lease_test {
ROOST_FOR_EACH_STORE(WriterLease);

TEST_P(WriterLease, IsFreeAtFirstAndThenNamesItsHolder) {
  EXPECT_FALSE(store::current_lease(session()));
  const auto lease = store::try_acquire(session(), "node-a", 10s);
  ASSERT_TRUE(lease);
  const auto state = store::current_lease(session());
  ASSERT_TRUE(state);
  EXPECT_EQ(state->holder, lease->held);
  EXPECT_FALSE(state->expired);
}

TEST_P(WriterLease, IsExclusiveUntilReleased) {
  const auto first = take_lease(session(), "node-a");
  EXPECT_FALSE(store::try_acquire(session(), "node-b", 10s));
  store::release(session(), first);
  const auto second = store::try_acquire(session(), "node-b", 10s);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->held.epoch, first.epoch + 1);
}

TEST_P(WriterLease, IsTakenWithThePositionOfTheChangeStream) {
  const auto first = store::try_acquire(session(), "node-a", 0ms);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->position, position_of(session()));
  const auto change = store::record_change(session(), {});
  EXPECT_EQ(store::try_acquire(session(), "node-b", 10s)->position, change.position);
}

TEST_P(WriterLease, GoesToASecondNodeAfterItExpired) {
  const auto first = store::try_acquire(session(), "node-a", 0ms);
  ASSERT_TRUE(first);
  EXPECT_TRUE(store::current_lease(session())->expired);
  ASSERT_TRUE(store::try_acquire(session(), "node-b", 10s));
  EXPECT_FALSE(store::renew(session(), first->held, 10s));
  store::release(session(), first->held); // no longer held: a no-op
  EXPECT_EQ(store::current_lease(session())->holder.node, "node-b");
}

TEST_P(WriterLease, CanBeRenewedAfterItExpiredUnlessTaken) {
  const auto lease = store::try_acquire(session(), "node-a", 0ms);
  EXPECT_TRUE(store::renew(session(), lease->held, 10s));
  EXPECT_FALSE(store::current_lease(session())->expired);
}

TEST_P(WriterLease, GetsANewEpochEvenForTheSameNode) {
  const auto first = take_lease(session());
  const auto again = take_lease(session());
  EXPECT_EQ(again.epoch, first.epoch + 1);
  EXPECT_FALSE(store::renew(session(), first, 10s));
}

TEST_P(WriterLease, PreventsWritesOfAStaleEpoch) {
  writer old(session());
  store::release(session(), old.lease);
  take_lease(session(), "node-b");
  EXPECT_THROW(old.insert({sample_request(1)}), store::lease_lost);
  EXPECT_TRUE(store::pending_requests(session(), 0, 10).empty());
}

TEST_P(WriterLease, PreventsWritesOfAnExpiredHolder) {
  writer expired(session());
  expired.lease = store::try_acquire(session(), "node-a", 0ms).value().held;
  EXPECT_THROW(expired.insert({sample_request(1)}), store::lease_lost);
  EXPECT_THROW(store::mark_applied(session(), expired.lease, 1), store::lease_lost);
  EXPECT_TRUE(store::renew(session(), expired.lease, 10s));
  EXPECT_NO_THROW(expired.insert({sample_request(1)}));
}

TEST_P(WriterLease, IsHeldUntilAnOpenTransactionEnds) {
  const auto lease = store::try_acquire(session(), "node-a", 200ms).value().held;
  std::optional<store::write_transaction> txn;
  txn.emplace(session(), lease);
  std::optional<store::taken_lease> taken;
  std::atomic<bool> refused_after_expiry = false;
  std::thread other([&] {
    auto second = store().open();
    for (int tries = 0; !taken && tries < 2'000; ++tries) {
      const bool is_expired = store::current_lease(second)->expired;
      try {
        taken = store::try_acquire(second, "node-b", 10s);
      } catch (const store::unavailable&) { // SQLite: the open transaction has the only write lock
      }
      if (!taken && is_expired) {
        refused_after_expiry = true;
        refused_after_expiry.notify_all();
      }
      if (!taken) std::this_thread::sleep_for(10ms);
    }
    refused_after_expiry = true; // unblocks the test in any case
    refused_after_expiry.notify_all();
  });
  refused_after_expiry.wait(false);
  EXPECT_NO_THROW(txn->commit()); // it locked the lease when it began
  txn.reset();
  other.join();
  ASSERT_TRUE(taken);
  EXPECT_THROW(store::write_transaction(session(), lease), store::lease_lost);
}

TEST_P(WriterLease, KeepsTransactionsWhoseLeaseHasNotExpired) {
  const auto lease = take_lease(session());
  store::write_transaction txn(session(), lease);
  auto other = store().open();
  EXPECT_EQ(store::end_overdue_transactions(other), 0);
  EXPECT_NO_THROW(txn.commit());
}

class WriterLeaseInPostgresql : public WriterLease {
protected:
  /// Begins a copy and sends no rows, like a server that was stopped just then.
  static void hang_in_a_copy(store::session& db) {
    EXPECT_THROW(db.internals().script("copy", "copy tenants from stdin"), store::failure);
  }

  /// Returns a write transaction that hangs beyond its lease.
  std::unique_ptr<store::write_transaction> hanging_transaction(store::session& db) {
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
  session().internals().script("short_timeout", "set lock_timeout = '100ms'");
  EXPECT_TRUE(store::renew(session(), lease, 10s));
  EXPECT_NO_THROW(first.commit());
  EXPECT_NO_THROW(second.commit());
}

TEST_P(WriterLeaseInPostgresql, IsReleasedAfterItsOwnTransactions) {
  auto writing = store().open();
  const auto lease = take_lease(session());
  std::optional<store::write_transaction> open;
  open.emplace(writing, lease);
  session().internals().script("short_timeout", "set lock_timeout = '100ms'");
  EXPECT_THROW(store::release(session(), lease), store::unavailable);
  open.reset();
  store::release(session(), lease);
  EXPECT_FALSE(store::current_lease(session()));
}

TEST_P(WriterLeaseInPostgresql, IsTakenOneSecondAfterExpiryFromAHangingCopy) {
  auto stopped = store().open();
  const auto txn = hanging_transaction(stopped);
  ASSERT_TRUE(eventually([&] { return expired(); }));
  const auto expired_at = std::chrono::steady_clock::now();
  EXPECT_FALSE(store::try_acquire(session(), "node-b", 10s)); // refused immediately
  std::int64_t ended = 0;
  EXPECT_TRUE(eventually([&] { return (ended = store::end_overdue_transactions(session())) != 0; }));
  EXPECT_EQ(ended, 1);
  EXPECT_GE(std::chrono::steady_clock::now() - expired_at, 900ms);
  EXPECT_TRUE(eventually([&] { return store::try_acquire(session(), "node-b", 10s).has_value(); }));
  EXPECT_THROW(txn->commit(), store::unavailable);
}

TEST_P(WriterLeaseInPostgresql, DoesNotEndTransactionsOfANewHolder) {
  auto stopped = store().open(), importing = store().open(), next = store().open();
  const auto txn = hanging_transaction(stopped);
  store::transaction import(importing, store::transaction::purpose::write);
  importing.internals().script("touch", "update change_stream set applied = applied");
  ASSERT_TRUE(eventually([&] { return expired(); }));
  ASSERT_TRUE(eventually([&] { return store::end_overdue_transactions(session()) != 0; }));
  std::optional<store::taken_lease> taken;
  ASSERT_TRUE(eventually([&] { return (taken = store::try_acquire(next, "node-b", 10s)).has_value(); }));
  import.commit(); // needs no lease
  store::write_transaction of_new_holder(next, taken->held);
  EXPECT_EQ(store::end_overdue_transactions(session()), 0);
  EXPECT_NO_THROW(of_new_holder.commit());
}

TEST_P(WriterLease, GoesToOnlyOneOfManyConcurrentNodes) {
  std::atomic<int> winners{0};
  store(); // created before the threads start
  std::vector<std::thread> nodes;
  for (int i = 0; i < 4; ++i)
    nodes.emplace_back([&, i] {
      auto own = store().open();
      if (store::try_acquire(own, "node-" + std::to_string(i), 10s)) ++winners;
    });
  for (auto& each : nodes) each.join();
  EXPECT_EQ(winners, 1);
}

/// Servers and commands use the same length.
TEST(LeaseState, IsCredibleUpToTheLengthOfALease) {
  store::lease_state lease;
  lease.expires_at = lease.seen_at + store::lease_length;
  EXPECT_TRUE(store::is_credible(lease));
  EXPECT_FALSE(store::expires_implausibly_late(lease));
  lease.expires_at += 1ms;
  EXPECT_FALSE(store::is_credible(lease));
  EXPECT_TRUE(store::expires_implausibly_late(lease));
}

TEST_P(WriterLease, IndicatesNoServerWhenFreeExpiredOrImplausible) {
  EXPECT_FALSE(store::has_active_server(session()));
  const auto held = store::try_acquire(session(), "node-a", store::lease_length).value().held;
  EXPECT_TRUE(store::has_active_server(session()));
  EXPECT_TRUE(store::renew(session(), held, 24h));
  EXPECT_FALSE(store::has_active_server(session()));
  EXPECT_TRUE(store::renew(session(), held, 0ms));
  EXPECT_FALSE(store::has_active_server(session()));
}

} // namespace roost::testing::lease_test
