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
  auto of_another_account = entry(4, "2026-11-23T09:00:00Z");
  issued.subject = of_another_account.subject = revoked.subject;
  revoked.account_id = issued.account_id = account_id(1);
  of_another_account.account_id = account_id(2);
  EXPECT_FALSE(store::newest_audit_of(session(), revoked.subject, account_id(1)));
  for (const auto& each : {revoked, issued, of_another_account, entry(3, "2026-11-22T09:00:00Z")})
    store::record_audit(session(), each);
  const auto newest = store::newest_audit_of(session(), revoked.subject, account_id(1));
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

/// Entries about two accounts, and about none.
class AccountAudit : public on_each_store {
protected:
  void SetUp() override {
    write(1, "2026-11-20T09:00:00Z", account_id(1));
    write(2, "2026-11-21T09:00:00Z", account_id(2));
    write(3, "2026-11-21T09:00:00Z", account_id(1));
    write(4, "2026-11-21T09:00:00Z", account_id(1));
    write(5, "2026-11-22T09:00:00.123Z", {});
    write(6, "2026-11-22T09:00:00.123Z", account_id(1));
  }

  void write(unsigned number, const char* at, const std::optional<domain::uuid>& account) {
    auto written = entry(number, at);
    written.account_id = account;
    store::record_audit(session(), written);
  }

  static store::audit_filter filter() { return {account_id(1)}; }

  /// Returns the subjects of the matching entries, read page by page; checks their number.
  std::vector<std::string> subjects(const store::audit_filter& of, std::size_t limit = 10) {
    std::vector<std::string> all;
    std::optional<store::audit_place> after;
    for (;;) {
      const auto page = store::list_audit(session(), of, after, limit);
      for (const auto& each : page) all.push_back(each.subject);
      if (page.size() < limit) break;
      after = {page.back().made_at, page.back().id};
    }
    EXPECT_EQ(store::count_audit(session(), of), std::ssize(all));
    return all;
  }
};
ROOST_ON_EACH_STORE(AccountAudit);

using subjects_of = std::vector<std::string>;

TEST_P(AccountAudit, HasTheEntriesOfTheAccountNewestFirst) {
  EXPECT_EQ(subjects(filter()), (subjects_of{"id 6", "id 4", "id 3", "id 1"}));
  EXPECT_EQ(subjects({account_id(2)}), subjects_of{"id 2"});
  EXPECT_EQ(subjects({account_id(3)}), subjects_of{});
}

TEST_P(AccountAudit, OmitsChangesOfTenantsFromThoseWhoMayNotSeeThem) {
  auto change = entry(7, "2026-11-22T10:00:00.000Z");
  change.account_id = account_id(1);
  change.action = store::tenant_change;
  store::record_audit(session(), change);
  EXPECT_EQ(subjects(filter()).front(), "id 7");
  auto limited = filter();
  limited.with_tenants = false;
  EXPECT_EQ(subjects(limited), (subjects_of{"id 6", "id 4", "id 3", "id 1"}));
}

TEST_P(AccountAudit, HidesReasonsAndNotesFromThoseWhoMayNotSeeTenants) {
  auto cancelled = entry(7, "2026-11-22T10:00:00.000Z"), paid = entry(8, "2026-11-22T11:00:00.000Z");
  cancelled.action = store::booking_cancel;
  cancelled.detail = "status: confirmed to cancelled; reason: Ida is ill";
  paid.action = store::payment_received;
  paid.detail = "received: null to {note: Ida's mother paid}";
  for (auto* each : {&cancelled, &paid}) {
    each->account_id = account_id(1);
    store::record_audit(session(), *each);
  }
  auto searched = filter();
  searched.text = "ida";
  EXPECT_EQ(subjects(searched), (subjects_of{"id 8", "id 7"}));
  EXPECT_EQ(store::list_audit(session(), searched, {}, 1).at(0).detail, paid.detail);
  searched.with_tenants = false;
  EXPECT_EQ(subjects(searched), subjects_of{}) << "hidden details are not searched";
  searched.text = "";
  const auto shown = store::list_audit(session(), searched, {}, 3);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0].action, store::payment_received);
  EXPECT_EQ(shown[0].detail, "");
  EXPECT_EQ(shown[1].action, store::booking_cancel);
  EXPECT_EQ(shown[1].detail, "");
  EXPECT_EQ(shown[2].detail, "by hand") << "of other actions";
}

TEST_P(AccountAudit, IsReadPageByPage) {
  for (const std::size_t limit : {1U, 2U, 3U, 4U, 5U})
    EXPECT_EQ(subjects(filter(), limit), (subjects_of{"id 6", "id 4", "id 3", "id 1"})) << limit;
}

TEST_P(AccountAudit, KeepsTheAccountOfAnEntry) {
  const auto newest = store::list_audit(session(), 6);
  EXPECT_EQ(newest[0].account_id, account_id(1));
  EXPECT_EQ(newest[1].account_id, std::nullopt);
  const auto of_account = store::list_audit(session(), filter(), {}, 1);
  EXPECT_EQ(of_account[0].made_at, moment("2026-11-22T09:00:00.123Z"));
  EXPECT_EQ(of_account[0].account_id, account_id(1));
}

TEST_P(AccountAudit, IsFilteredByTimeInclusively) {
  auto of = filter();
  of.since = moment("2026-11-21T09:00:00Z");
  EXPECT_EQ(subjects(of), (subjects_of{"id 6", "id 4", "id 3"}));
  of.until = of.since;
  EXPECT_EQ(subjects(of, 1), (subjects_of{"id 4", "id 3"}));
  of.since = moment("2026-11-21T09:00:00.001Z");
  EXPECT_EQ(subjects(of), subjects_of{});
  of.since = domain::parse_iso_moment("-0001");
  of.until = domain::parse_iso_moment("9999-12-31T23:59:59-12:00");
  EXPECT_EQ(subjects(of).size(), 4U);
}

TEST_P(AccountAudit, IsFilteredByActorAndText) {
  auto other = entry(7, "2026-11-23T09:00:00Z");
  other.actor = "user ana@host";
  other.action = "unit change";
  other.detail = R"(note: null to "Obras à 100%")";
  other.account_id = account_id(1);
  store::record_audit(session(), other);
  auto of = filter();
  of.actor = "user ana@host";
  EXPECT_EQ(subjects(of), subjects_of{"id 7"});
  of.actor = "ana";
  EXPECT_EQ(subjects(of), subjects_of{}) << "the whole actor";
  of.actor = "";
  for (const auto* text : {"UNIT", "d 7", "obras à", "0%"}) {
    of.text = text;
    EXPECT_EQ(subjects(of), subjects_of{"id 7"}) << text;
  }
  of.text = "%";
  EXPECT_EQ(subjects(of), subjects_of{"id 7"}) << "no wildcard";
  of.text = "_";
  EXPECT_EQ(subjects(of), subjects_of{}) << "no wildcard";
}

} // namespace roost::testing::audit_test
