#include "store/audit/audit.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/erasure.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <algorithm>
#include <future>
#include <stdexcept>
#include <thread>

namespace roost::testing::erasure_test {

using store::erasure_obstacle;

/// A guest with one stay in April 2027 and one refused request.
class Erasure : public on_each_store {
protected:
  void SetUp() override {
    desk_.emplace(session());
    import_sample(session(), sample_portfolio(2));
    desk_->follow();
    stay_.tenant.email = "Eva@Straße.example";
    stay_.tenant.fiscal_id = "X-1";
    stay_.tenant.phone = "+34 600";
    refused_.tenant.email = "EVA@STRASSE.example";
    desk_->insert({stay_, refused_});
    desk_->decide({accept(stay_, unit_id(1)), refuse(refused_)});
  }

  store::known_guest find(std::string_view address, domain::date today = later) {
    return store::find_guest(session(), address, today);
  }
  store::erasure erase(std::string_view address = "eva@straße.example") {
    return store::erase_guest(session(), find(address), later);
  }

  void book(const domain::booking_request& request, unsigned long unit) {
    desk_->insert({request});
    auto decision = accept(request, unit_id(unit));
    decide(decision);
  }
  void decide(const domain::decision& decision) {
    desk_->follow();
    ASSERT_TRUE(desk_->decide({decision}).stale.empty());
  }

  domain::tenant tenant() { return store::load_tenants(session(), std::vector{account_id(1)}).at(0); }
  std::string address_in(const domain::booking_request& request) {
    return store::find_request(session(), request.id)->request.tenant.email;
  }
  store::lease& lease() { return desk_->lease; }
  writer& desk() { return *desk_; }

  static constexpr auto later = domain::date_of(std::chrono::year{2027} / 6 / 1);
  domain::booking_request stay_ = sample_request(1), refused_ = sample_request(2);

private:
  std::optional<writer> desk_;
};
ROOST_ON_EACH_STORE(Erasure);

TEST_P(Erasure, FindsGuestsByAddressInAnyCaseOfAnyScript) {
  const std::vector expected{store::tenant_key{account_id(1), tenant().id}};
  for (const auto* address :
       {"eva@straße.example", "EVA@STRASSE.EXAMPLE", "Eva@Strasse.example", "eva@xn--strae-oqa.example"}) {
    const auto guest = find(address);
    EXPECT_EQ(guest.tenants, expected) << address;
    EXPECT_EQ(guest.requests.size(), 2U) << address;
    EXPECT_FALSE(guest.obstacle) << address;
  }
  EXPECT_TRUE(find("nobody@tenant.example").tenants.empty());
}

TEST_P(Erasure, FindsADomainThatIsStoredInAscii) {
  auto request = sample_request(3);
  request.tenant.email = "Ivo@XN--MNCHEN-3YA.example";
  desk().insert({request});
  EXPECT_EQ(find("ivo@münchen.example").obstacle, store::erasure_obstacle::undecided_request);
}

TEST_P(Erasure, FindsAGuestBeyondTheFirstPage) {
  constexpr unsigned long others = 2'100;
  std::vector<domain::booking_request> requests;
  for (unsigned long n = 1; n <= others; ++n) {
    requests.push_back(sample_request(100 + n));
    requests.back().tenant.email = "müller" + std::to_string(n) + "@tenant.example";
  }
  desk().insert(requests);
  EXPECT_EQ(find("MÜLLER" + std::to_string(others) + "@tenant.example").obstacle,
            erasure_obstacle::undecided_request);
  EXPECT_EQ(find("MÜLLER1@tenant.example").obstacle, erasure_obstacle::undecided_request);
  EXPECT_FALSE(find("müller0@tenant.example").obstacle);
}

TEST_P(Erasure, LeavesATenantWithoutAnAddress) {
  const auto id = tenant().id;
  EXPECT_EQ(store::address_of_tenant(session(), id), "Eva@Straße.example");
  EXPECT_FALSE(store::address_of_tenant(session(), unit_id(1)));
  erase();
  EXPECT_FALSE(store::address_of_tenant(session(), id));
}

TEST_P(Erasure, LeavesNoValuesInTheAuditLog) {
  const auto at = moment("2026-11-21T09:00:00.000Z");
  const auto record = [&](const char* action, const domain::uuid& subject) {
    const store::audit_entry entry{fresh_id(),
                                   at,
                                   "user ana@landlord.example",
                                   action,
                                   domain::to_string(subject),
                                   "phone: \"1\" to \"2\"",
                                   account_id(1)};
    store::record_audit(session(), entry);
  };
  record(store::tenant_change, tenant().id);
  record(store::tenant_change, fresh_id());
  record("unit change", tenant().id);
  erase();
  int erased = 0;
  for (const auto& entry : store::list_audit(session(), 10)) {
    EXPECT_EQ(entry.made_at, at);
    erased += entry.detail == "The guest's data was erased.";
  }
  EXPECT_EQ(erased, 1);
}

TEST_P(Erasure, KeepsTheStayButNoPersonalData) {
  const auto before = position_of(session());
  const auto done = erase();
  EXPECT_EQ(done.tenants, 1);
  EXPECT_EQ(done.requests, 2) << "including the refused one";
  EXPECT_EQ(done.notifications, 2);
  ASSERT_TRUE(done.change);
  EXPECT_EQ(done.change->position, before + 2);
  const auto record = store::list_bookings(session(), {}, 1).at(0);
  const auto& details = record.tenant.details;
  EXPECT_EQ(details.first_name, "Erased");
  EXPECT_EQ(details.email, "");
  EXPECT_FALSE(details.last_name || details.fiscal_id || details.phone || details.nationality);
  EXPECT_EQ(record.booking.check_in, stay_.check_in);
  EXPECT_FALSE(record.booking.terms->plan.empty());
  EXPECT_EQ(count_rows(session(), "booking_requests where email <> '' or first_name <> 'Erased'"), 0);
  for (const auto& notification : store::list_notifications(session(), {}, 10))
    EXPECT_EQ(notification.body, "The guest's data was erased.");
}

TEST_P(Erasure, CoversAllAccounts) {
  auto elsewhere = sample_request(3);
  elsewhere.tenant.email = "eva@STRASSE.example";
  desk().insert({elsewhere});
  auto decision = accept(elsewhere, unit_id(3));
  decision.new_tenant->account_id = decision.booking->account_id = account_id(2);
  decide(decision);
  const auto done = erase(stay_.tenant.email);
  EXPECT_EQ(done.tenants, 2);
  EXPECT_EQ(count_rows(session(), "tenants where email <> ''"), 0);
}

TEST_P(Erasure, CoversARequestBookedForAnotherTenantButNotThatTenant) {
  auto partner = sample_request(3);
  partner.tenant.email = "partner@tenant.example";
  partner.tenant.fiscal_id = stay_.tenant.fiscal_id; // which identifies the same tenant
  desk().insert({partner});
  auto decision = accept(partner, unit_id(2));
  decision.new_tenant.reset();
  decision.booking->tenant_id = tenant().id;
  decide(decision);
  EXPECT_EQ(find("partner@tenant.example", stay_.check_out).obstacle, erasure_obstacle::unfinished_stay);
  const auto done = erase("partner@tenant.example");
  EXPECT_EQ(done.tenants, 0);
  EXPECT_EQ(done.requests, 1);
  EXPECT_FALSE(done.change);
  EXPECT_EQ(address_in(partner), "");
  EXPECT_EQ(address_in(stay_), stay_.tenant.email);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
}

TEST_P(Erasure, IsBlockedByAnUndecidedRequest) {
  auto waiting = sample_request(3);
  waiting.tenant.email = "eva@straße.EXAMPLE";
  const auto guest = find(stay_.tenant.email);
  desk().insert({waiting});
  EXPECT_EQ(find(stay_.tenant.email).obstacle, erasure_obstacle::undecided_request);
  EXPECT_EQ(store::erase_guest(session(), guest, later).obstacle, erasure_obstacle::undecided_request)
      << "it arrived after find_guest()";
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
  decide(refuse(waiting));
  EXPECT_EQ(erase().requests, 3);
}

TEST_P(Erasure, IsBlockedByAnUnfinishedStayUnlessItIsCancelled) {
  EXPECT_EQ(find(stay_.tenant.email, stay_.check_out).obstacle, erasure_obstacle::unfinished_stay);
  const auto guest = find(stay_.tenant.email, stay_.check_out + domain::days{1});
  EXPECT_FALSE(guest.obstacle);
  EXPECT_EQ(store::erase_guest(session(), guest, stay_.check_out).obstacle,
            erasure_obstacle::unfinished_stay);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
  session().internals().script("test_cancel", "update bookings set status = 'cancelled', cancelled_by ="
                                              " 'landlord', cancelled_at = created_at");
  EXPECT_FALSE(find(stay_.tenant.email, stay_.check_out).obstacle);
}

TEST_P(Erasure, CommitsTogetherWithTheCallersWrites) {
  const auto guest = find(stay_.tenant.email);
  EXPECT_THROW(store::erase_guest(session(), guest, later,
                                  [](const auto&) { throw std::runtime_error("the log is full"); }),
               std::runtime_error);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
  int calls = 0;
  const auto count = [&](const store::erasure& done) {
    ++calls;
    EXPECT_EQ(done.requests, 2);
  };
  store::erase_guest(session(), guest, later, count);
  const auto again = store::erase_guest(session(), guest, later, count);
  EXPECT_EQ(calls, 1) << "nothing is left to erase";
  EXPECT_EQ(again.tenants + again.requests + again.notifications, 0);
  EXPECT_FALSE(again.change);
}

TEST_P(Erasure, NamesABookingThatIsNotCancelledToReloadTheTenant) {
  auto second = sample_request(3);
  desk().insert({second});
  auto decision = accept(second, unit_id(2));
  decision.new_tenant.reset();
  decision.booking->tenant_id = tenant().id;
  decide(decision);
  session().internals().script("test_cancel", "update bookings set status = 'cancelled', cancelled_by ="
                                              " 'landlord', cancelled_at = created_at where request_id = '" +
                                                  domain::to_string(stay_.id) + "'");
  const auto before = position_of(session());
  erase();
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].change.subjects, std::vector{decision.booking->id});
  EXPECT_EQ(entries[1].change.kind, store::change_kind::account);
}

TEST_P(Erasure, CoversFormerGuestsOnceTheirLastStayIsOver) {
  const auto early = store::erase_former_guests(session(), lease(), stay_.check_out, 10);
  EXPECT_EQ(early.tenants + early.requests, 0);
  EXPECT_FALSE(early.change);
  const auto done = store::erase_former_guests(session(), lease(), stay_.check_out + domain::days{1}, 10);
  EXPECT_EQ(done.tenants, 1);
  EXPECT_EQ(done.requests, 2);
  EXPECT_EQ(tenant().details.email, "");
  const auto again = store::erase_former_guests(session(), lease(), stay_.check_out + domain::days{1}, 10);
  EXPECT_EQ(again.tenants + again.requests, 0);
}

TEST_P(Erasure, CoversFormerGuestsUpToALimitAndSparesRecentOnes) {
  auto second = sample_request(3), recent = sample_request(4);
  recent.check_in = day("2027-07-01");
  recent.check_out = day("2027-08-01");
  book(second, 2);
  book(recent, 2);
  const auto before = stay_.check_out + domain::days{1};
  EXPECT_EQ(store::erase_former_guests(session(), lease(), before, 1).tenants, 1);
  EXPECT_EQ(store::erase_former_guests(session(), lease(), before, 1).tenants, 1);
  EXPECT_EQ(store::erase_former_guests(session(), lease(), before, 1).tenants, 0);
  EXPECT_EQ(address_in(recent), recent.tenant.email);
}

TEST_P(Erasure, LeavesOnlyFormerGuestsThatTheDatabaseRejects) {
  auto second = sample_request(3), third = sample_request(4);
  book(second, 2);
  third.tenant.email = "kept@tenant.example";
  third.check_in = day("2027-01-05");
  third.check_out = day("2027-01-20");
  book(third, 1);
  reject_changes(session(), "tenants", "email", "old.email = 'kept@tenant.example'");
  const auto done = store::erase_former_guests(session(), lease(), stay_.check_out + domain::days{1}, 10);
  EXPECT_EQ(done.tenants, 2);
  EXPECT_EQ(done.requests, 3);
  ASSERT_EQ(done.rejected.tenants.size(), 1U);
  EXPECT_EQ(store::address_of_tenant(session(), done.rejected.tenants[0].id), "kept@tenant.example");
  EXPECT_TRUE(done.change);
  EXPECT_EQ(address_in(stay_), "");
  EXPECT_EQ(address_in(second), "");
  EXPECT_EQ(address_in(third), "kept@tenant.example");
}

TEST_P(Erasure, ReachesFormerGuestsBehindRejectedOnes) {
  auto second = sample_request(3);
  second.tenant.email = "kept@tenant.example";
  book(second, 2);
  reject_changes(session(), "tenants", "email", "old.email = 'kept@tenant.example'");
  const auto before = stay_.check_out + domain::days{1};
  store::guest_rows known;
  std::int64_t erased = 0;
  for (int pass = 0; pass < 3; ++pass) {
    const auto done = store::erase_former_guests(session(), lease(), before, 1, known);
    erased += done.tenants;
    known.tenants.insert(known.tenants.end(), done.rejected.tenants.begin(), done.rejected.tenants.end());
  }
  EXPECT_EQ(erased, 1);
  EXPECT_EQ(known.tenants.size(), 1U);
}

TEST_P(Erasure, RequiresTheLeaseForFormerGuests) {
  auto lost = lease();
  ++lost.epoch;
  EXPECT_THROW(store::erase_former_guests(session(), lost, stay_.check_out + domain::days{1}, 10),
               store::lease_lost);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
}

/// A concurrent transaction extends the guest's stay into 2028. It holds the stream, and commits once the
/// erasure waits for the stream.
class ErasureDuringABooking : public Erasure {
protected:
  template <typename Erase>
  store::erasure erase_during_extension(Erase erase) {
    const auto booking = store::list_bookings(session(), {}, 1).at(0).booking;
    store::transaction extension(session(), store::transaction::purpose::write);
    session().internals().script("test_extend",
                                 "update bookings set check_out = '2028-01-01', last_night = '2027-12-31'");
    store::append(session(), {store::change_kind::calendar, {account_id(1)}, {}, {booking.id}});
    auto done = std::async(std::launch::async, [&] {
      auto other = store().open();
      return erase(other);
    });
    const auto has_ended = [&] {
      return done.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    };
    while (!waits_for_a_lock() && !has_ended()) std::this_thread::yield();
    extension.commit();
    return done.get();
  }

  static constexpr auto extended_to = domain::date_of(std::chrono::year{2028} / 1 / 1);

private:
  bool waits_for_a_lock() {
    auto observer = store().open();
    return count_rows(observer,
                      "pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()") > 0;
  }
};
ROOST_ON_POSTGRESQL(ErasureDuringABooking);

TEST_P(ErasureDuringABooking, IsRefusedForTheUnfinishedStay) {
  const auto guest = find(stay_.tenant.email);
  const auto done =
      erase_during_extension([&](store::session& db) { return store::erase_guest(db, guest, later); });
  EXPECT_EQ(done.obstacle, erasure_obstacle::unfinished_stay);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
}

TEST_P(ErasureDuringABooking, IsRetriedIfTheExtendedStayIsOverToo) {
  const auto guest = find(stay_.tenant.email);
  const auto after_extension = extended_to + domain::days{1};
  const auto done = erase_during_extension(
      [&](store::session& db) { return store::erase_guest(db, guest, after_extension); });
  EXPECT_EQ(done.tenants, 1);
  EXPECT_EQ(tenant().details.email, "");
}

TEST_P(ErasureDuringABooking, SparesAGuestWhoIsNoLongerAFormerOne) {
  const auto done = erase_during_extension([&](store::session& db) {
    return store::erase_former_guests(db, lease(), stay_.check_out + domain::days{1}, 10);
  });
  EXPECT_EQ(done.tenants, 0);
  EXPECT_EQ(done.requests, 1) << "the refused one";
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
  EXPECT_EQ(address_in(stay_), stay_.tenant.email);
}

/// A piecewise SQLite import is pending.
class ErasureDuringAnImport : public Erasure {
protected:
  void SetUp() override {
    Erasure::SetUp();
    session().internals().script(
        "pending",
        "insert into pending_import (id, import, now, accounts, left_out_units, left_out_properties)"
        " values (1, 'x', '2027-01-01T00:00:00.000Z', '[]', '[]', '[]')");
  }
};
ROOST_ON_STORES(OnSqlite, ErasureDuringAnImport, store_kind::sqlite);

/// Memory applies neither accounts nor later entries before the import ends.
TEST_P(ErasureDuringAnImport, IsRefused) {
  EXPECT_THROW(erase(), store::unavailable);
  EXPECT_EQ(tenant().details.email, stay_.tenant.email);
}

TEST_P(ErasureDuringAnImport, PostponesFormerGuestsToTheNextRun) {
  const auto done = store::erase_former_guests(session(), lease(), later, 10);
  EXPECT_EQ(done.tenants + done.requests, 0);
  session().internals().script("written", "delete from pending_import");
  EXPECT_EQ(store::erase_former_guests(session(), lease(), later, 10).tenants, 1);
}

} // namespace roost::testing::erasure_test
