#include "store/copy/copy_scene.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <optional>
#include <thread>

/// Copies of stores that are temporarily unavailable.
namespace roost::testing::stalling_copy_test {

/// A copy in which at least one store is a PostgreSQL server, which can stall.
class StallingCopy : public copy_scene {};
INSTANTIATE_TEST_SUITE_P(InEachDirection, StallingCopy,
                         ::testing::Values(direction{store_kind::sqlite, store_kind::postgresql},
                                           direction{store_kind::postgresql, store_kind::sqlite},
                                           direction{store_kind::postgresql, store_kind::postgresql}),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(StallingCopy, FinishesTheComparisonAfterLostConnections) {
  const auto& server = target_store_.kind() == store_kind::postgresql ? target_store_ : source_store_;
  const auto copied =
      copy_and(store::copy_step::comparing, "units", 3, [&server] { server.cut_connections(); });
  EXPECT_TRUE(copied.is_identical());
  auto target = target_store_.open();
  EXPECT_FALSE(store::read_copy_marker(target));
}

/// Locks a table until a page of it is read. Cancels statements that wait for the lock, as their time limit
/// would.
class long_lock {
public:
  long_lock(const test_store& store, const std::string& table)
      : holding_(store.open()), observing_(store.open()),
        lock_(holding_, store::transaction::purpose::write) {
    run_script(holding_, "lock table " + table + " in access exclusive mode");
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested() && !cancel_a_page()) {
      }
      lock_.commit();
    });
  }

private:
  bool cancel_a_page() {
    const auto cancelled =
        rows_of(observing_, "select case when pg_cancel_backend(pid) then query end from pg_stat_activity"
                            " where wait_event_type = 'Lock' and datname = current_database()");
    return std::ranges::any_of(
        cancelled, [](const auto& query) { return query.find(" order by ") != std::string::npos; });
  }

  store::session holding_, observing_;
  store::transaction lock_;
  std::jthread thread_;
};

class CopyOfAStallingStore : public copy_scene {
protected:
  void copy_with_lock(store::copy_step step, std::string_view table) {
    std::optional<long_lock> lock;
    const auto copied = copy_and(step, table, 1, [&] { lock.emplace(source_store_, "notifications"); });
    EXPECT_TRUE(lock);
    EXPECT_TRUE(copied.is_identical());
  }
};
INSTANTIATE_TEST_SUITE_P(InEachDirection, CopyOfAStallingStore,
                         ::testing::Values(direction{store_kind::postgresql, store_kind::sqlite},
                                           direction{store_kind::postgresql, store_kind::postgresql}),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(CopyOfAStallingStore, FinishesAlthoughATableIsLockedDuringTheCopy) {
  copy_with_lock(store::copy_step::copying, "accounts");
}

TEST_P(CopyOfAStallingStore, FinishesAlthoughATableIsLockedDuringTheComparison) {
  copy_with_lock(store::copy_step::copying, "audit");
}

} // namespace roost::testing::stalling_copy_test
