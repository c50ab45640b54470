#include "store/copy/table_io.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::testing::table_io_test {
using namespace std::chrono_literals;

void ignore_retry() {}

TEST(RetryWhileUnavailable, RepeatsTheReadUntilTheStoreResponds) {
  int tries = 0, retries = 0;
  store::retry_while_unavailable(
      1h, [&] { ++retries; },
      [&] {
        if (++tries < 3) throw store::unavailable("stalled");
      });
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(retries, 2);
}

TEST(RetryWhileUnavailable, RethrowsTheErrorAfterTheTimeout) {
  int tries = 0;
  const auto read = [&] {
    ++tries;
    throw store::unavailable("stalled");
  };
  EXPECT_THROW(store::retry_while_unavailable(0ms, ignore_retry, read), store::unavailable);
  EXPECT_EQ(tries, 1);
}

TEST(RetryWhileUnavailable, DoesNotRetryOtherErrors) {
  int tries = 0;
  const auto read = [&] {
    ++tries;
    throw store::failure("a fault");
  };
  EXPECT_THROW(store::retry_while_unavailable(1h, ignore_retry, read), store::failure);
  EXPECT_EQ(tries, 1);
}

TEST(RetryWhileUnavailable, EndsIfItIsInterrupted) {
  const auto interrupt = [] { throw std::runtime_error("interrupted"); };
  const auto read = [] { throw store::unavailable("stalled"); };
  EXPECT_THROW(store::retry_while_unavailable(1h, interrupt, read), std::runtime_error);
}

class Snapshot : public on_each_store {
protected:
  std::int64_t position(store::snapshot& snapshot) {
    std::int64_t result = 0;
    snapshot.read([] {}, [&] { result = store::newest_point(snapshot.db()).position; });
    return result;
  }

  store::session other_ = store().open();
};
ROOST_ON_EACH_STORE(Snapshot);

TEST_P(Snapshot, IsConsistent) {
  store::snapshot snapshot(session(), 1h);
  const auto before = position(snapshot);
  store::record_change(other_, {});
  EXPECT_EQ(position(snapshot), before);
  store::snapshot later(other_, 1h);
  EXPECT_EQ(position(later), before + 1);
}

class SnapshotOfPostgresql : public Snapshot {};
ROOST_ON_POSTGRESQL(SnapshotOfPostgresql);

TEST_P(SnapshotOfPostgresql, IsReplacedAfterALostConnection) {
  store::snapshot snapshot(session(), 1h);
  const auto before = position(snapshot);
  store::record_change(other_, {});
  store().cut_connections();
  EXPECT_EQ(position(snapshot), before + 1);
}

TEST_P(SnapshotOfPostgresql, HasNoIdleTimeout) {
  static const store::selection limit{
      "idle_limit", "select {columns}",
      store::named<std::string>("current_setting('idle_in_transaction_session_timeout')")};
  store::snapshot snapshot(session(), 1h);
  std::string timeout;
  snapshot.read([] {}, [&] { timeout = session().internals().read_one(limit).value(); });
  EXPECT_EQ(timeout, "0");
}

} // namespace roost::testing::table_io_test
