#include "store/audit/audit.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::audit_test {
ROOST_FOR_EACH_STORE(Audit);

store::audit_entry entry(unsigned number, const char* at) {
  return {numbered_id(40, number),        moment(at), "ana@host", "token revoke",
          "id " + std::to_string(number), "by hand"};
}

TEST_P(Audit, IsListedWithTheNewestFirst) {
  store::note_audit(session(), entry(1, "2026-11-20T09:00:00Z"));
  store::note_audit(session(), entry(2, "2026-11-21T09:00:00Z"));
  const auto all = store::list_audit(session(), 10);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].subject, "id 2");
  EXPECT_EQ(all[1].made_at, moment("2026-11-20T09:00:00Z"));
  EXPECT_EQ(all[1].actor, "ana@host");
  EXPECT_EQ(all[1].action, "token revoke");
  EXPECT_EQ(all[1].detail, "by hand");
  EXPECT_EQ(store::list_audit(session(), 1).size(), 1U);
}

} // namespace roost::testing::audit_test
