#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <algorithm>
#include <set>
#include <thread>

namespace roost::testing::change_stream_test {
using store::change_kind;

ROOST_FOR_EACH_STORE(ChangeStream);

store::change account_change(unsigned long n) { return {change_kind::account, {account_id(n)}, {}, {}}; }

TEST_P(ChangeStream, StartsWithAnEntry) {
  const auto first = store::newest_point(session());
  EXPECT_EQ(first.position, 1);
  EXPECT_NE(first.id, domain::uuid{});
  EXPECT_TRUE(store::view_stream(session(), first).has_known_point);
}

TEST_P(ChangeStream, ReadsBackAnEntry) {
  const store::change change{
      change_kind::unit, {account_id(1), account_id(2)}, {unit_id(1), unit_id(2)}, {fresh_id()}};
  const auto before = position_of(session());
  const auto at = store::record_change(session(), change);
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].at, at);
  EXPECT_EQ(entries[0].change.kind, change.kind);
  EXPECT_EQ(entries[0].change.accounts, change.accounts);
  EXPECT_EQ(entries[0].change.units, change.units);
  EXPECT_EQ(entries[0].change.subjects, change.subjects);
  EXPECT_EQ(entries[0].change.shown, std::nullopt);
  EXPECT_NE(entries[0].written_at, domain::timestamp{});
}

TEST_P(ChangeStream, ReadsBackWhatEventsShow) {
  const auto before = position_of(session());
  const store::shown_resources two{{unit_id(1), user_id(1)}, {unit_id(1), std::nullopt}};
  auto one = account_change(1), none = account_change(2);
  one.shown = two;
  none.shown = store::shown_resources{};
  store::record_change(session(), one);
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::append_all(session(), std::vector{none, one, account_change(3)});
    txn.commit();
  }
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].change.shown, two);
  EXPECT_EQ(entries[1].change.shown, store::shown_resources{});
  EXPECT_EQ(entries[2].change.shown, two);
  EXPECT_EQ(entries[3].change.shown, std::nullopt);
}

TEST_P(ChangeStream, IsReadInOrderAndInBatches) {
  const auto before = position_of(session());
  for (unsigned long n = 1; n <= 5; ++n) store::record_change(session(), account_change(n));
  auto entries = store::entries_after(session(), before, 3);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].change.accounts, std::vector{account_id(3)});
  entries = store::entries_after(session(), entries[2].at.position, 3);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].at, store::newest_point(session()));
}

TEST_P(ChangeStream, ReusesThePositionOfARolledBackTransaction) {
  const auto before = store::newest_point(session());
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    EXPECT_EQ(store::append(session(), account_change(1)).position, before.position + 1);
  }
  EXPECT_EQ(store::newest_point(session()), before);
  EXPECT_EQ(store::record_change(session(), account_change(2)).position, before.position + 1)
      << "there is no gap";
}

TEST_P(ChangeStream, HasNoGapsWithConcurrentWriters) {
  const auto before = position_of(session());
  constexpr int writers = 4, changes_per_writer = 25;
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([this] {
      auto own = store().open();
      for (int n = 0; n < changes_per_writer; ++n) store::record_change(own, account_change(1));
    });
  for (auto& thread : threads) thread.join();
  const auto entries = store::entries_after(session(), before, 1'000);
  ASSERT_EQ(entries.size(), static_cast<std::size_t>(writers * changes_per_writer));
  std::set<domain::uuid> ids;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].at.position, before + 1 + static_cast<std::int64_t>(i));
    ids.insert(entries[i].at.id);
  }
  EXPECT_EQ(ids.size(), entries.size());
}

TEST_P(ChangeStream, DoesNotContainTheEntryOfAnotherHistory) {
  const auto known = store::record_change(session(), account_change(1));
  EXPECT_TRUE(store::view_stream(session(), known).has_known_point);
  auto other = known;
  other.id = fresh_id();
  EXPECT_FALSE(store::view_stream(session(), other).has_known_point);
  EXPECT_FALSE(store::view_stream(session(), {known.position + 1, known.id}).has_known_point)
      << "a restored backup";
  EXPECT_FALSE(store::view_stream(session(), other).is_pruned);
  EXPECT_EQ(store::view_stream(session(), other).newest, known);
}

TEST_P(ChangeStream, ReturnsTheAccountsThatHaveAccountChanges) {
  const auto before = position_of(session());
  store::record_change(session(), {change_kind::account, {account_id(1), account_id(2)}, {}, {}});
  store::record_change(session(), {change_kind::unit, {account_id(3)}, {unit_id(9)}, {}});
  store::record_change(session(), {change_kind::calendar, {account_id(4)}, {}, {fresh_id()}});
  store::record_change(session(), {change_kind::credentials, {account_id(5)}, {}, {}});
  store::record_change(session(), {change_kind::account, {account_id(7)}, {}, {fresh_id()}}); // a new unit
  const std::vector candidates{account_id(2), account_id(3), account_id(4),
                               account_id(5), account_id(6), account_id(7)};
  auto changed = store::accounts_changed_since(session(), before, candidates);
  std::ranges::sort(changed);
  EXPECT_EQ(changed, std::vector{account_id(2)});
  EXPECT_TRUE(store::accounts_changed_since(session(), before + 1, candidates).empty());
  EXPECT_TRUE(store::accounts_changed_since(session(), before, {}).empty());
}

TEST_P(ChangeStream, IsPrunedInBatchesExceptForItsNewestEntry) {
  const writer node(session());
  for (unsigned long n = 1; n <= 5; ++n) store::record_change(session(), account_change(n));
  const auto newest = store::newest_point(session());
  const auto all = static_cast<std::int64_t>(store::entries_after(session(), 0, 100).size());
  const auto no_age_limit = -1h; // matches entries written up to an hour from now
  EXPECT_EQ(store::prune_changes(session(), node.lease, 1h, 100), 0);
  EXPECT_EQ(store::prune_changes(session(), node.lease, no_age_limit, 2), 2);
  EXPECT_EQ(store::prune_changes(session(), node.lease, no_age_limit, 100), all - 3);
  EXPECT_EQ(store::newest_point(session()), newest);
  EXPECT_TRUE(store::view_stream(session(), {1, fresh_id()}).is_pruned);
  EXPECT_FALSE(store::view_stream(session(), newest).is_pruned);
  auto old = node.lease;
  ++old.epoch;
  EXPECT_THROW(store::prune_changes(session(), old, no_age_limit, 1), store::lease_lost);
}

TEST_P(ChangeStream, RecordsTheAppliedPosition) {
  writer node(session());
  store::mark_applied(session(), node.lease, node.basis.followed.position);
  EXPECT_EQ(store::applied_position(session()), node.basis.followed.position);
  auto old = node.lease;
  ++old.epoch;
  EXPECT_THROW(store::mark_applied(session(), old, 100), store::lease_lost);
  EXPECT_EQ(store::applied_position(session()), node.basis.followed.position);
}

} // namespace roost::testing::change_stream_test
