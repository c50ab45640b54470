#include "store/audit/audit.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/erasure.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/office/bookings.hpp"
#include "store/stays/payments.hpp"
#include "store/stays/stay_scene.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <span>

namespace roost::testing::office_payments_test {
using domain::payment_kind;
using store::office_payment, store::office_result, store::payment_receipt, store::payment_state;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A booking in April whose plan has 650 of rent, due on 1 April, and 650 of the platform, due on the same
/// day.
class PaymentsOfTheOffice : public stay_scene {
protected:
  void SetUp() override {
    stay_scene::SetUp();
    booking_ = decide(1, true).booking->id;
  }

  std::vector<office_payment> list(const store::office_scope& of, const store::payment_filter& filter = {}) {
    return store::list_payments(session(), of, filter, today, {}, 100).items;
  }
  std::vector<office_payment> list() { return list(scope); }
  office_payment rent() { return list().at(0); }

  store::office_outcome<office_payment>
  change(const domain::uuid& id, const std::optional<payment_receipt>& received, bool is_current = true) {
    store::office_change<office_payment> request{
        id, [=](const office_payment&) { return is_current; },
        [=](office_payment& stored) {
          stored.received = received;
          return store::office_edit{{}, {{"received", "null", "{}"}}};
        }};
    auto by = author();
    by.audit.action = "payment receipt";
    by.audit.subject = domain::to_string(id);
    return store::change_payment(session(), node_->lease, scope, request, by);
  }

  static payment_receipt receipt(std::int64_t cents) {
    return {day("2027-03-30"), domain::money{cents}, "By bank", "ana@landlord.example",
            moment("2027-03-30T10:00:00.000Z")};
  }

  /// Writes another plan of a booking, as a move does.
  void set_plan(const domain::uuid& booking, std::vector<domain::payment_line> plan) {
    domain::booking_terms terms;
    terms.contract_type = "x";
    terms.check_in_time = terms.check_out_time = "15:00";
    terms.cleaning_frequency = "monthly";
    terms.plan = std::move(plan);
    constexpr store::query update{"test_plan", "update bookings set terms = :terms where id = :id"};
    session().internals().write(update, {{"id", booking}, {"terms", store::json_of(terms)}});
  }

  /// Makes the booking one that was cancelled at this time.
  void set_cancelled(domain::timestamp cancelled_at, domain::cancelled_by by) {
    constexpr store::query update{"test_cancelled",
                                  "update bookings set status = 'cancelled', cancelled_by = :by,"
                                  " cancelled_at = :at, updated_at = :at where id = :id"};
    session().internals().write(update,
                                {{"id", booking_}, {"by", domain::to_string(by)}, {"at", cancelled_at}});
  }

  domain::uuid booking_{};
  domain::date today = day("2027-03-15");
};
ROOST_ON_EACH_STORE(PaymentsOfTheOffice);

TEST_P(PaymentsOfTheOffice, AreTheLinesOfPlans) {
  const auto all = list();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].kind, payment_kind::rent);
  EXPECT_EQ(all[0].amount, domain::money{650'00});
  EXPECT_EQ(all[0].due, day("2027-04-01"));
  EXPECT_EQ(all[0].period, (domain::nights{day("2027-04-01"), day("2027-04-30")}));
  EXPECT_EQ(all[0].unit_name, "Room 1");
  EXPECT_EQ(all[0].platform, "marketplace-a");
  EXPECT_EQ(all[0].first_name, "Eva");
  EXPECT_TRUE(all[0].is_planned);
  EXPECT_EQ(all[0].id, domain::payment_id(booking_, payment_kind::rent, day("2027-04-01")));
  EXPECT_EQ(all[1].kind, payment_kind::provider_platform_payment);
  EXPECT_EQ(all[1].payer, domain::payment_party::platform);
  EXPECT_FALSE(all[1].period);
  EXPECT_NE(all[1].id, all[0].id);
}

TEST_P(PaymentsOfTheOffice, AreOwedToTheLandlordOnly) {
  set_plan(booking_, {{.kind = payment_kind::rent,
                       .amount = domain::money{10'00},
                       .due = day("2027-04-01"),
                       .payee = domain::payment_party::platform}});
  EXPECT_THAT(list(), IsEmpty());
}

TEST_P(PaymentsOfTheOffice, AreShownToOwnersOfTheUnit) {
  EXPECT_THAT(list(of_owner), SizeIs(2));
  EXPECT_THAT(list(of_other_owner), IsEmpty());
  EXPECT_THAT(list(other_account), IsEmpty());
}

TEST_P(PaymentsOfTheOffice, AreDueLateOrReceived) {
  const auto state = [&] { return store::state_of(rent(), today); };
  EXPECT_EQ(state(), payment_state::due);
  today = day("2027-04-01");
  EXPECT_EQ(state(), payment_state::due) << "on the day itself";
  today = day("2027-04-02");
  EXPECT_EQ(state(), payment_state::late);
  const auto id = rent().id;
  EXPECT_EQ(change(id, receipt(649'99)).result, office_result::changed);
  EXPECT_EQ(state(), payment_state::late) << "a cent is missing";
  EXPECT_EQ(change(id, receipt(650'00)).result, office_result::changed);
  EXPECT_EQ(state(), payment_state::received);
  EXPECT_EQ(rent().received, receipt(650'00));
  EXPECT_EQ(change(id, std::nullopt).result, office_result::changed);
  EXPECT_EQ(state(), payment_state::late);
}

/// Returns the ids of the payments of the whole table, which is read with this number of places at a time.
std::vector<domain::uuid> ids_in_table(store::session& db, const store::office_scope& scope,
                                       const store::payment_filter& filter, domain::date today,
                                       std::size_t places_per_read) {
  const auto places = store::places_of_payments(db, scope, filter, today);
  std::vector<domain::uuid> ids;
  for (std::size_t start = 0; start < places.size(); start += places_per_read) {
    const auto part = std::span(places).subspan(start, std::min(places_per_read, places.size() - start));
    for (const auto& each : store::payments_at(db, filter, today, part)) ids.push_back(each.id);
  }
  return ids;
}

TEST_P(PaymentsOfTheOffice, AreTheSameInATableAsInTheList) {
  const auto decided = [&](unsigned long number, const char* check_in, const char* check_out) {
    return decide(number, true,
                  [&](domain::booking_request& request) {
                    request.check_in = day(check_in);
                    request.check_out = day(check_out);
                  })
        .booking->id;
  };
  const auto june = decided(2, "2027-06-01", "2027-07-01"), july = decided(3, "2027-07-01", "2027-08-01");
  const auto line = [](payment_kind kind, const char* due, std::optional<domain::nights> period = {}) {
    return domain::payment_line{
        .kind = kind, .amount = domain::money{10'00}, .due = day(due), .period = period};
  };
  set_plan(june,
           {line(payment_kind::rent, "2027-07-01", domain::nights{day("2027-06-01"), day("2027-06-30")}),
            line(payment_kind::deposit, "2027-04-01"), line(payment_kind::exit_fee, "2027-04-01")});
  set_plan(july, {line(payment_kind::deposit, "2027-04-01"), line(payment_kind::cleaning_fee, "2027-08-01")});
  change(store::list_payments(session(), scope, {.booking_id = july}, today, {}, 1).items.at(0).id,
         receipt(10'00));
  set_plan(july, {line(payment_kind::deposit, "2027-05-01"), line(payment_kind::cleaning_fee, "2027-08-01")});
  const std::vector<store::payment_filter> filters{{},
                                                   {.due_from = day("2027-04-02")},
                                                   {.state = payment_state::received},
                                                   {.booking_id = june},
                                                   {.unit_id = unit_id(2)}};
  for (const auto& filter : filters) {
    std::vector<domain::uuid> listed;
    for (const auto& each : list(scope, filter)) listed.push_back(each.id);
    for (const std::size_t places_per_read : {1, 2, 100})
      EXPECT_EQ(ids_in_table(session(), scope, filter, today, places_per_read), listed);
  }
  EXPECT_THAT(list(), SizeIs(7));
  EXPECT_THAT(store::places_of_payments(session(), of_other_owner, {}, today), IsEmpty());
  EXPECT_THAT(
      store::places_of_payments(session(), scope, {.booking_id = june}, today),
      ElementsAre(store::due_booking{day("2027-04-01"), june}, store::due_booking{day("2027-07-01"), june}))
      << "a place has all payments of the day";
  const auto whole =
      store::payments_at(session(), {}, today, std::array{store::due_booking{day("2027-07-01"), june}});
  ASSERT_THAT(whole, SizeIs(1));
  EXPECT_EQ(whole[0].unit_name, "Room 1");
}

TEST_P(PaymentsOfTheOffice, AreFiltered) {
  const auto second = decide(2, true, [](domain::booking_request& request) {
                        request.check_in = day("2027-06-01");
                        request.check_out = day("2027-07-01");
                      }).booking->id;
  change(rent().id, receipt(650'00));
  today = day("2027-05-01");
  const auto count = [&](const store::payment_filter& filter) { return list(scope, filter).size(); };
  const auto june = day("2027-06-01"), april = day("2027-04-01");
  EXPECT_EQ(count({.due_from = june}), 2U);
  EXPECT_EQ(count({.due_to = april}), 2U);
  EXPECT_EQ(count({.due_from = day("2027-04-02"), .due_to = day("2027-05-31")}), 0U);
  EXPECT_EQ(count({.state = payment_state::received}), 1U);
  EXPECT_EQ(count({.state = payment_state::late}), 1U);
  EXPECT_EQ(count({.state = payment_state::due}), 2U);
  EXPECT_EQ(count({.booking_id = second}), 2U);
  EXPECT_EQ(count({.unit_id = unit_id(1)}), 4U);
  EXPECT_EQ(count({.unit_id = unit_id(2)}), 0U);
  EXPECT_EQ(count({.platform = "marketplace-a"}), 4U);
  EXPECT_EQ(count({.platform = "marketplace-b"}), 0U);
}

TEST_P(PaymentsOfTheOffice, ArePagedByDueDate) {
  for (unsigned long n = 2; n <= 9; ++n)
    decide(n, true, [&](domain::booking_request& request) {
      request.check_in = domain::add_months(day("2028-01-01"), static_cast<int>(12 - n));
      request.check_out = domain::add_months(request.check_in, 1);
    });
  const auto all = list();
  ASSERT_THAT(all, SizeIs(18));
  std::vector<domain::uuid> paged;
  std::optional<store::payment_place> after;
  for (bool more = true; more;) {
    const auto page = store::list_payments(session(), scope, {}, today, after, 5);
    EXPECT_EQ(page.total, 18);
    for (const auto& each : page.items) paged.push_back(each.id);
    after = place_of(page.items.back());
    more = page.has_more;
  }
  std::vector<domain::uuid> whole;
  for (const auto& each : all) whole.push_back(each.id);
  EXPECT_EQ(paged, whole);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &office_payment::due));
}

TEST_P(PaymentsOfTheOffice, LeaveATraceWhenReceived) {
  const auto before = position_of(session());
  const auto id = rent().id;
  const auto done = change(id, receipt(100'00));
  ASSERT_EQ(done.result, office_result::changed) << done.problem;
  EXPECT_EQ(done.resource.received, receipt(100'00));
  EXPECT_EQ(done.point.position, before + 1);
  const auto entry = store::entries_after(session(), before, 1).at(0);
  EXPECT_EQ(entry.change.kind, store::change_kind::payment);
  EXPECT_THAT(entry.change.units, ElementsAre(unit_id(1)));
  EXPECT_THAT(entry.change.subjects, ElementsAre(id, booking_));
  const auto audit = store::list_audit(session(), 1).at(0);
  EXPECT_EQ(audit.action, "payment receipt");
  EXPECT_EQ(audit.account_id, account_id(1));
  EXPECT_EQ(change(id, receipt(200'00), false).result, office_result::outdated);
  EXPECT_EQ(change(id, receipt(200'00), false).last.by, "ana@landlord.example");
  EXPECT_EQ(rent().received, receipt(100'00));
}

TEST_P(PaymentsOfTheOffice, WereChangedLastByWhoRecordedThemAlthoughTheStayHasBegunOrEndedSince) {
  const auto id = rent().id;
  const auto last = [&] { return change(id, receipt(200'00), false).last; };
  EXPECT_EQ(last().by, "marketplace-a");
  EXPECT_EQ(last().at, moment("2026-11-20T10:00:30.000Z")) << "when the plan was made";
  store::advance_stays(session(), node_->lease, day("2027-04-01"));
  EXPECT_EQ(last().at, moment("2026-11-20T10:00:30.000Z"));
  ASSERT_EQ(change(id, receipt(100'00)).result, office_result::changed);
  const auto recorded = store::list_audit(session(), 1).at(0).made_at;
  store::advance_stays(session(), node_->lease, day("2027-05-01"));
  EXPECT_EQ(last().by, "ana@landlord.example");
  EXPECT_EQ(last().at, recorded);
}

TEST_P(PaymentsOfTheOffice, WereChangedLastByACancellationSince) {
  const auto id = rent().id;
  change(id, receipt(100'00));
  set_cancelled(moment("2026-11-22T10:00:00.000Z"), domain::cancelled_by::platform);
  EXPECT_EQ(change(id, receipt(200'00), false).last.by, "marketplace-a");
  set_cancelled(moment("2026-11-23T10:00:00.000Z"), domain::cancelled_by::landlord);
  const auto by_landlord = change(id, receipt(200'00), false).last;
  EXPECT_EQ(by_landlord.by, store::changed_by_landlord) << "no entry names a person";
  EXPECT_EQ(by_landlord.at, moment("2026-11-23T10:00:00.000Z"));
}

TEST_P(PaymentsOfTheOffice, AreNotReceivedBeyondTheirAmount) {
  const auto refused = change(rent().id, receipt(650'01));
  EXPECT_EQ(refused.result, office_result::refused);
  EXPECT_EQ(refused.problem, "amount must not be more than 650");
  EXPECT_EQ(change(fresh_id(), receipt(1)).result, office_result::not_found);
  EXPECT_FALSE(rent().received);
}

TEST_P(PaymentsOfTheOffice, SurviveAnotherPlan) {
  const auto id = rent().id;
  change(id, receipt(100'00));
  set_plan(booking_, {{.kind = payment_kind::rent,
                       .amount = domain::money{700'00},
                       .due = day("2027-04-05"),
                       .period = domain::nights{day("2027-04-01"), day("2027-04-20")}}});
  ASSERT_THAT(list(), SizeIs(1));
  EXPECT_EQ(rent().id, id) << "the same kind and period";
  EXPECT_EQ(rent().amount, domain::money{700'00});
  EXPECT_EQ(rent().received, receipt(100'00));
  set_plan(booking_, {});
  ASSERT_THAT(list(), SizeIs(1));
  EXPECT_EQ(rent().id, id);
  EXPECT_FALSE(rent().is_planned);
  EXPECT_EQ(rent().amount, domain::money{650'00}) << "as it was when it was received";
  EXPECT_EQ(rent().due, day("2027-04-01"));
  EXPECT_EQ(store::state_of(rent(), day("2030-01-01")), payment_state::received);
  EXPECT_EQ(change(id, std::nullopt).result, office_result::changed);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_P(PaymentsOfTheOffice, StayReceivedWhenTheStayBeginsOnAnotherDayOfTheMonth) {
  const auto id = rent().id;
  change(id, receipt(600'00));
  const domain::payment_line line{.kind = payment_kind::rent,
                                  .amount = domain::money{600'00},
                                  .due = day("2027-04-03"),
                                  .period = domain::nights{day("2027-04-03"), day("2027-04-30")}};
  set_plan(booking_, {line});
  ASSERT_THAT(list(), SizeIs(1)) << "and nothing is asked for twice";
  EXPECT_EQ(rent().id, id);
  EXPECT_EQ(rent().period, line.period);
  EXPECT_EQ(store::state_of(rent(), day("2030-01-01")), payment_state::received);
}

TEST_P(PaymentsOfTheOffice, KeepWhatWasReceivedBeforeTheirAmountBecameLess) {
  const auto id = rent().id;
  change(id, receipt(650'00));
  set_plan(booking_, {{.kind = payment_kind::rent,
                       .amount = domain::money{600'00},
                       .due = day("2027-04-01"),
                       .period = domain::nights{day("2027-04-01"), day("2027-04-28")}}});
  auto corrected = receipt(650'00);
  corrected.note = "By card";
  EXPECT_EQ(change(id, corrected).result, office_result::changed);
  EXPECT_EQ(change(id, receipt(650'01)).result, office_result::refused);
  EXPECT_EQ(change(id, receipt(600'00)).result, office_result::changed);
  EXPECT_EQ(change(id, receipt(600'01)).result, office_result::refused);
}

TEST_P(PaymentsOfTheOffice, LoseTheirNotesWithTheGuest) {
  const auto id = rent().id;
  change(id, receipt(100'00));
  const auto later = day("2030-01-01");
  const auto guest = store::find_guest(session(), "eva1@tenant.example", later);
  ASSERT_EQ(store::erase_guest(session(), guest, later).tenants, 1);
  EXPECT_EQ(rent().received->note, "");
  EXPECT_EQ(rent().received->amount, domain::money{100'00});
  const auto log = store::list_audit(session(), 1);
  ASSERT_EQ(log.at(0).subject, domain::to_string(id));
  EXPECT_EQ(log.at(0).detail, "The guest's data was erased.");
}

TEST_P(PaymentsOfTheOffice, KeepTheNotesOfAnotherGuestWhoseBookingHasTheSameTime) {
  const auto other = decide(2, true, [](domain::booking_request& request) {
                       request.check_in = domain::add_months(request.check_in, 2);
                       request.check_out = domain::add_months(request.check_out, 2);
                     }).booking->id;
  const auto beginning = [](const domain::uuid& id) { return domain::to_string(id).substr(0, 13); };
  ASSERT_EQ(beginning(booking_), beginning(other));
  for (const auto& payment : list()) change(payment.id, receipt(100'00));
  const auto erased = list(scope, {.booking_id = booking_}).at(0).id;
  change(erased, std::nullopt); // no row leads to the booking any more
  const auto later = day("2030-01-01");
  ASSERT_EQ(store::erase_guest(session(), store::find_guest(session(), "eva1@tenant.example", later), later)
                .tenants,
            1);
  const auto count = [&](const domain::uuid& booking) {
    int found = 0;
    for (const auto& entry : store::list_audit(session(), 100)) {
      const auto id = domain::parse_uuid(entry.subject);
      if (id && domain::is_payment_of(*id, booking, later))
        found += entry.detail == "The guest's data was erased." ? 1 : 0;
    }
    return found;
  };
  EXPECT_EQ(count(booking_), 3);
  EXPECT_EQ(count(other), 0);
}

TEST_P(PaymentsOfTheOffice, OfACancelledBookingAreThoseReceived) {
  const auto id = rent().id;
  change(id, receipt(100'00));
  cancel_stay(session(), booking_);
  ASSERT_THAT(list(), SizeIs(1));
  EXPECT_EQ(rent().id, id);
  EXPECT_FALSE(rent().is_planned);
}

TEST_P(PaymentsOfTheOffice, AreFoundAmongBookingsOfTheSameTime) {
  for (unsigned long n = 2; n <= 4; ++n)
    decide(n, true, [&](domain::booking_request& request) {
      request.check_in = domain::add_months(request.check_in, static_cast<int>(n));
      request.check_out = domain::add_months(request.check_out, static_cast<int>(n));
    });
  for (const auto& each : list()) EXPECT_EQ(change(each.id, receipt(1)).resource.id, each.id);
  EXPECT_THAT(list(scope, {.state = payment_state::received}), IsEmpty());
  for (const auto& each : list()) EXPECT_EQ(each.received, receipt(1));
}

} // namespace roost::testing::office_payments_test
