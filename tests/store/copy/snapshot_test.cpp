#include "store/copy/snapshot.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/selection.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::snapshot_test {
using namespace std::chrono_literals;

class Snapshot : public on_each_store {
protected:
  std::int64_t position(store::snapshot& of) {
    std::int64_t found = 0;
    of.read([] {}, [&] { found = store::newest_point(of.db()).position; });
    return found;
  }

  store::session other_ = store().open();
};
ROOST_ON_EACH_STORE(Snapshot);

TEST_P(Snapshot, ShowsOneMoment) {
  store::snapshot one(session(), 1h);
  const auto before = position(one);
  store::record_change(other_, {});
  EXPECT_EQ(position(one), before);
  store::snapshot later(other_, 1h);
  EXPECT_EQ(position(later), before + 1);
}

class SnapshotOfPostgresql : public Snapshot {};
ROOST_ON_POSTGRESQL(SnapshotOfPostgresql);

TEST_P(SnapshotOfPostgresql, ShowsAnotherMomentAfterALostConnection) {
  store::snapshot one(session(), 1h);
  const auto before = position(one);
  store::record_change(other_, {});
  store().cut_connections();
  EXPECT_EQ(position(one), before + 1);
}

TEST_P(SnapshotOfPostgresql, MayBeIdleAsLongAsTheOtherSideReads) {
  static const store::selection limit{
      "idle_limit", "select {columns}",
      store::named<std::string>("current_setting('idle_in_transaction_session_timeout')")};
  store::snapshot one(session(), 1h);
  std::string found;
  one.read([] {}, [&] { found = session().internals().read_one(limit).value(); });
  EXPECT_EQ(found, "0");
}

} // namespace roost::testing::snapshot_test
