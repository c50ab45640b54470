#include "store/audit/audit.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::audit_test {
ROOST_FOR_EACH_STORE(Audit);

store::audit_entry entry(unsigned number, const char* at) {
  return {numbered_id(40, number),        moment(at), "ana@host", "token revoke",
          "id " + std::to_string(number), "by hand"};
}

TEST_P(Audit, IsListedNewestFirst) {
  store::record_audit(session(), entry(1, "2026-11-20T09:00:00Z"));
  store::record_audit(session(), entry(2, "2026-11-21T09:00:00Z"));
  const auto all = store::list_audit(session(), 10);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].subject, "id 2");
  EXPECT_EQ(all[1].made_at, moment("2026-11-20T09:00:00Z"));
  EXPECT_EQ(all[1].actor, "ana@host");
  EXPECT_EQ(all[1].action, "token revoke");
  EXPECT_EQ(all[1].detail, "by hand");
  EXPECT_EQ(store::list_audit(session(), 1).size(), 1U);
}

TEST_P(Audit, IsWrittenOnceInTheTransactionOfTheChange) {
  session().run_with_next_commit(
      [this] { store::record_audit(session(), entry(1, "2026-11-20T09:00:00Z")); });
  { const store::transaction read(session(), store::transaction::purpose::read); }
  { const store::transaction rolled_back(session(), store::transaction::purpose::write); }
  EXPECT_TRUE(session().awaits_commit());
  EXPECT_TRUE(store::list_audit(session(), 10).empty());
  {
    store::transaction change(session(), store::transaction::purpose::write);
    change.commit();
  }
  EXPECT_FALSE(session().awaits_commit());
  EXPECT_EQ(store::list_audit(session(), 10).size(), 1U);
  {
    store::transaction next(session(), store::transaction::purpose::write);
    next.commit();
  }
  EXPECT_EQ(store::list_audit(session(), 10).size(), 1U) << "written once";
}

TEST_P(Audit, ReturnsTheNewestEntryAboutASubject) {
  auto revoked = entry(1, "2026-11-21T09:00:00Z"), issued = entry(2, "2026-11-20T09:00:00Z");
  issued.subject = revoked.subject;
  EXPECT_FALSE(store::newest_audit_of(session(), revoked.subject));
  store::record_audit(session(), revoked);
  store::record_audit(session(), issued);
  store::record_audit(session(), entry(3, "2026-11-22T09:00:00Z"));
  const auto newest = store::newest_audit_of(session(), revoked.subject);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->id, revoked.id);
}

TEST_P(Audit, NamesTheActorThatCancelledABooking) {
  const auto booking = numbered_id(41, 1);
  EXPECT_FALSE(store::canceller_of(session(), booking));
  auto cancel = entry(1, "2026-11-20T09:00:00Z");
  cancel.action = store::booking_cancel;
  cancel.subject = domain::to_string(booking);
  store::record_audit(session(), cancel);
  EXPECT_EQ(store::canceller_of(session(), booking), "ana@host");
  EXPECT_FALSE(store::canceller_of(session(), numbered_id(41, 2)));
}

} // namespace roost::testing::audit_test
