#include "store/audit/audit.hpp"
#include "store/copy/command_traces.hpp"
#include "store/database/change_stream.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::command_traces_test {

ROOST_FOR_EACH_STORE(CommandTraces);

TEST_P(CommandTraces, ShowEveryPositionThatWasTaken) {
  const auto before = store::traces_of(session());
  EXPECT_EQ(store::traces_of(session()), before);
  store::record_change(session(), {});
  EXPECT_NE(store::traces_of(session()), before);
}

/// The clock of whoever wrote it may be behind.
TEST_P(CommandTraces, ShowEveryEntryOfTheAuditLogWhateverItsTime) {
  const auto before = store::traces_of(session());
  store::record_audit(session(), {domain::uuid{}, domain::timestamp{}, "me", "mail retry", "", ""});
  EXPECT_NE(store::traces_of(session()), before);
}

} // namespace roost::testing::command_traces_test
