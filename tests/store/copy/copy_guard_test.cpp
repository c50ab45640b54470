#include "store/audit/audit.hpp"
#include "store/copy/copy_guard.hpp"
#include "store/database/change_stream.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::copy_guard_test {

ROOST_FOR_EACH_STORE(ChangeCounters);

TEST_P(ChangeCounters, DifferAfterAChangeInTheStream) {
  const auto before = store::read_change_counters(session());
  EXPECT_EQ(store::read_change_counters(session()), before);
  store::record_change(session(), {});
  EXPECT_NE(store::read_change_counters(session()), before);
}

/// The writer's clock may be slow.
TEST_P(ChangeCounters, DifferAfterAnAuditEntryWithAnyTime) {
  const auto before = store::read_change_counters(session());
  store::record_audit(session(), {domain::uuid{}, domain::timestamp{}, "me", "mail retry", "", ""});
  EXPECT_NE(store::read_change_counters(session()), before);
}

} // namespace roost::testing::copy_guard_test
