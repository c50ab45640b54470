#include "store/copy/copy_scene.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <optional>
#include <thread>

/// Copies of stores that do not answer for a time.
namespace roost::testing::stalling_copy_test {

/// Where one of the stores is a server that can stall.
class StallingCopy : public copy_scene {};
INSTANTIATE_TEST_SUITE_P(InEachDirection, StallingCopy,
                         ::testing::Values(direction{store_kind::sqlite, store_kind::postgresql},
                                           direction{store_kind::postgresql, store_kind::sqlite},
                                           direction{store_kind::postgresql, store_kind::postgresql}),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(StallingCopy, ComparesToTheEndWhenConnectionsAreLost) {
  const auto& server = to_.kind() == store_kind::postgresql ? to_ : from_;
  const auto copied =
      copy_and(store::copy_step::comparing, "units", 3, [&server] { server.cut_connections(); });
  EXPECT_TRUE(copied.is_identical());
  auto target = to_.open();
  EXPECT_FALSE(store::read_copy_marker(target));
}

/// Somebody who holds a table until a page of it was asked for. Statements that wait for it are cancelled, as
/// by their time limit.
class long_lock {
public:
  long_lock(const test_store& of, const std::string& table)
      : holding_(of.open()), looking_(of.open()), lock_(holding_, store::transaction::purpose::write) {
    run_script(holding_, "lock table " + table + " in access exclusive mode");
    thread_ = std::jthread([this](const std::stop_token& given_up) {
      while (!given_up.stop_requested() && !cancel_a_page()) {
      }
      lock_.commit();
    });
  }

private:
  bool cancel_a_page() {
    const auto cancelled =
        rows_of(looking_, "select case when pg_cancel_backend(pid) then query end from pg_stat_activity"
                          " where wait_event_type = 'Lock' and datname = current_database()");
    return std::ranges::any_of(
        cancelled, [](const auto& query) { return query.find(" order by ") != std::string::npos; });
  }

  store::session holding_, looking_;
  store::transaction lock_;
  std::jthread thread_;
};

class CopyOfAStallingStore : public copy_scene {
protected:
  void copy_under_a_lock(store::copy_step from, std::string_view table) {
    std::optional<long_lock> lock;
    const auto copied = copy_and(from, table, 1, [&] { lock.emplace(from_, "notifications"); });
    EXPECT_TRUE(lock);
    EXPECT_TRUE(copied.is_identical());
  }
};
INSTANTIATE_TEST_SUITE_P(InEachDirection, CopyOfAStallingStore,
                         ::testing::Values(direction{store_kind::postgresql, store_kind::sqlite},
                                           direction{store_kind::postgresql, store_kind::postgresql}),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(CopyOfAStallingStore, CopiesToTheEndWhenATableIsLockedForLong) {
  copy_under_a_lock(store::copy_step::copying, "accounts");
}

TEST_P(CopyOfAStallingStore, ComparesToTheEndWhenATableIsLockedForLong) {
  copy_under_a_lock(store::copy_step::copying, "audit");
}

} // namespace roost::testing::stalling_copy_test
