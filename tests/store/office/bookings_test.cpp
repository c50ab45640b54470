#include "store/bookings/erasure.hpp"
#include "store/office/booking_scene.hpp"
#include "store/office/history.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gmock/gmock.h>

#include <set>

/// Bookings that the office makes and cancels.
namespace roost::testing::office_bookings_test {
using store::office_result;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class OfficeBookings : public booking_scene {
protected:
  std::vector<std::string> details_of_cancellations() {
    std::vector<std::string> details;
    for (const auto& each : store::list_audit(session(), 100))
      if (each.action == store::booking_cancel) details.push_back(each.detail);
    return details;
  }
};
ROOST_ON_EACH_STORE(OfficeBookings);

TEST_P(OfficeBookings, AreStoredWithoutARequestOrAPlatform) {
  const auto made = book_by_hand("2027-04-01", "2027-05-01");
  ASSERT_EQ(made.result, office_result::created) << made.problem;
  const auto& booking = made.booking.booking;
  EXPECT_EQ(booking.request_id, std::nullopt);
  EXPECT_EQ(booking.platform, std::nullopt);
  EXPECT_EQ(booking.status, domain::booking_status::confirmed);
  EXPECT_EQ(made.booking.tenant.details.email, "ida@guests.example");
  EXPECT_EQ(made.booking.tenant.category, std::nullopt) << "no platform created the tenant";
  EXPECT_EQ(made.point, store::newest_point(session()));
  EXPECT_THAT(notices(), ElementsAre("booking_created"));
  const auto change = store::entries_after(session(), made.point.position - 1, 1).at(0).change;
  EXPECT_EQ(change.kind, store::change_kind::calendar);
  EXPECT_THAT(change.subjects, ElementsAre(booking.id));
}

TEST_P(OfficeBookings, CostWhatTheirQuoteSays) {
  auto request = stay_by_hand("2027-04-11", "2027-06-05");
  request.stay.occupants = 2;
  const auto quote = store::quote_stay(session(), scope, unit_id(1), nullptr, request.stay).value();
  EXPECT_EQ(quote.decision.refused(), std::nullopt);
  const auto made = book_by_hand(request);
  ASSERT_EQ(made.result, office_result::created);
  EXPECT_EQ(*made.booking.booking.terms, *quote.decision.terms);
  EXPECT_EQ(quote.costs.total, domain::total_owed(made.booking.booking.terms->plan));
  const auto again = store::quote_stay(session(), scope, unit_id(1), nullptr, request.stay).value();
  EXPECT_EQ(again.decision.refused(), domain::refusal::overlapping_nights);
  EXPECT_EQ(*again.decision.terms, *quote.decision.terms);
}

TEST_P(OfficeBookings, UseTheCardOfTheirPlatformAndItsRules) {
  auto request = stay_by_hand("2027-04-01", "2027-05-01");
  request.platform = platform_;
  EXPECT_EQ(book_by_hand(request).refused, domain::refusal::provider_payment_missing);
  request.stay.provider_payment = domain::money{683'00};
  const auto made = book_by_hand(request);
  ASSERT_EQ(made.result, office_result::created);
  EXPECT_EQ(made.booking.booking.platform, "marketplace-a");
  EXPECT_EQ(made.booking.booking.provider_payment, domain::money{683'00});
}

TEST_P(OfficeBookings, AreMadeForAPlatformThatCanNameTheUnit) {
  auto request = stay_by_hand("2027-06-01", "2027-07-01");
  request.stay.provider_payment = domain::money{683'00};
  const auto refusal_on = [&](domain::platform_kind kind, std::optional<domain::uuid> landlord = {}) {
    request.platform = domain::platform{.name = "unlinked", .kind = kind, .prefix = "unlinked"};
    request.platform->account = landlord;
    return store::quote_stay(session(), scope, unit_id(1), &*request.platform, request.stay)
        .value()
        .decision.refused();
  };
  using enum domain::platform_kind;
  EXPECT_EQ(refusal_on(marketplace_c), domain::refusal::unit_not_linked);
  EXPECT_EQ(book_by_hand(request).refused, domain::refusal::unit_not_linked);
  EXPECT_EQ(refusal_on(single_landlord, account_id(2)), domain::refusal::unit_not_linked);
  EXPECT_EQ(refusal_on(single_landlord, account_id(1)), std::nullopt);
  EXPECT_EQ(refusal_on(marketplace_a), std::nullopt) << "its webhook can name the unit by its UUID";
  EXPECT_EQ(book_by_hand(request).result, office_result::created);
}

TEST_P(OfficeBookings, NameTheirAuthorAsTheOneWhoGaveTheTenantACategory) {
  ASSERT_EQ(book_by_hand("2027-04-01", "2027-05-01").result, office_result::created);
  auto request = stay_by_hand("2027-06-01", "2027-07-01");
  request.platform = platform_;
  request.stay.provider_payment = domain::money{683'00};
  const auto made = book_by_hand(request);
  ASSERT_EQ(made.booking.tenant.category, "Platform guest");
  const auto entry =
      store::newest_audit_of(session(), domain::to_string(made.booking.tenant.id), account_id(1));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->action, store::tenant_change);
  EXPECT_EQ(entry->actor, "user ana@landlord.example");
  EXPECT_EQ(entry->detail, R"(category: null to "Platform guest")");
}

TEST_P(OfficeBookings, NameTheNightsThatAreTaken) {
  book("2027-04-10", "2027-04-20");
  create("2027-04-25", "2027-04-26");
  const auto before = store::newest_point(session());
  const auto refused = book_by_hand("2027-04-15", "2027-05-01");
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_EQ(refused.refused, domain::refusal::overlapping_nights);
  EXPECT_THAT(refused.taken, ElementsAre(domain::nights{day("2027-04-15"), day("2027-04-19")},
                                         domain::nights{day("2027-04-25"), day("2027-04-26")}));
  EXPECT_EQ(store::newest_point(session()), before) << "nothing was written";
  EXPECT_THAT(store::load_tenants(session(), std::vector{account_id(1)}), SizeIs(1)) << "the other guest";
}

TEST_P(OfficeBookings, TakeTheNightsOfPreparation) {
  file_.accounts[0].properties[0].units[0].terms.preparation_days = 2;
  import();
  ASSERT_EQ(book_by_hand("2027-04-01", "2027-04-10").result, office_result::created);
  EXPECT_THAT(book_by_hand("2027-04-11", "2027-04-20").taken,
              ElementsAre(domain::nights{day("2027-04-11"), day("2027-04-11")}));
  EXPECT_EQ(book_by_hand("2027-04-12", "2027-04-20").result, office_result::created);
}

TEST_P(OfficeBookings, ShareNoIdWithABlock) {
  auto request = stay_by_hand("2027-04-01", "2027-05-01");
  request.id = create("2027-06-01", "2027-06-02").block.block.id;
  EXPECT_EQ(book_by_hand(request).result, office_result::other_request);
  const auto booked = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  EXPECT_EQ(create(creation("2027-07-01", "2027-07-02", booked)).result, office_result::other_request);
}

TEST_P(OfficeBookings, CanBeMadeAgainByTheSameRequest) {
  auto request = stay_by_hand("2027-04-01", "2027-05-01");
  request.request_hash = "first";
  const auto made = book_by_hand(request);
  const auto again = book_by_hand(request);
  EXPECT_EQ(again.result, office_result::repeated);
  EXPECT_EQ(again.booking.booking.id, made.booking.booking.id);
  EXPECT_EQ(list().total, 1);
  request.request_hash = "other";
  EXPECT_EQ(book_by_hand(request).result, office_result::other_request);
  scope = {account_id(2), {}};
  request.request_hash = "first";
  EXPECT_EQ(book_by_hand(request).result, office_result::other_request) << "another account's id";
}

TEST_P(OfficeBookings, KeepATenantWhoIsKnownByEmailOrFiscalId) {
  auto first = stay_by_hand("2027-04-01", "2027-05-01");
  first.tenant.fiscal_id = "X1";
  const auto tenant = book_by_hand(first).booking.tenant;
  auto by_email = stay_by_hand("2027-05-01", "2027-06-01");
  by_email.tenant.first_name = "Someone else";
  by_email.tenant.email = "IDA@guests.example";
  EXPECT_EQ(book_by_hand(by_email).booking.tenant.id, tenant.id);
  auto by_fiscal_id = stay_by_hand("2027-06-01", "2027-07-01");
  by_fiscal_id.tenant.email = "other@guests.example";
  by_fiscal_id.tenant.fiscal_id = "X1";
  EXPECT_EQ(book_by_hand(by_fiscal_id).booking.tenant.details.first_name, "Ida") << "details stay unchanged";
  auto other = stay_by_hand("2027-07-01", "2027-08-01");
  other.tenant.email = "Third@Straße.example";
  const auto third = book_by_hand(other).booking.tenant.id;
  EXPECT_NE(third, tenant.id);
  other = stay_by_hand("2027-08-01", "2027-09-01");
  other.tenant.email = "third@STRASSE.example";
  EXPECT_EQ(book_by_hand(other).booking.tenant.id, third) << "the same key, which only the program computes";
  EXPECT_THAT(store::load_tenants(session(), std::vector{account_id(1)}), SizeIs(2));
}

TEST_P(OfficeBookings, OfOtherAccountsAndOwnersAreUnknown) {
  const auto id = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  scope.owner_id = fresh_id();
  EXPECT_FALSE(store::find_booking(session(), scope, id));
  EXPECT_EQ(list().total, 0);
  EXPECT_EQ(cancel(id).result, office_result::not_found);
  EXPECT_EQ(book_by_hand("2027-06-01", "2027-07-01").problem, "unitId must be a unit of the account");
  scope = {account_id(2), {}};
  EXPECT_FALSE(store::find_booking(session(), scope, id));
  EXPECT_EQ(cancel(id).result, office_result::not_found);
}

TEST_P(OfficeBookings, FreeTheirNightsWhenTheyAreCancelled) {
  const auto made = book_by_hand("2027-04-01", "2027-05-01");
  const auto id = made.booking.booking.id;
  const auto cancelled = cancel(id);
  ASSERT_EQ(cancelled.result, office_result::changed) << cancelled.problem;
  EXPECT_EQ(cancelled.booking.cancelled_by, domain::cancelled_by::landlord);
  EXPECT_EQ(*cancelled.booking.booking.terms, *made.booking.booking.terms) << "payments stay recorded";
  EXPECT_EQ(cancelled.point, store::newest_point(session()));
  EXPECT_THAT(notices(), ElementsAre("booking_cancelled", "booking_created"));
  EXPECT_THAT(store::list_audit(session(), 1).at(0).detail, HasSubstr("reason: Ill"));
  EXPECT_EQ(store::canceller_of(session(), id), "user ana@landlord.example");
  EXPECT_EQ(book_by_hand("2027-04-01", "2027-05-01").result, office_result::created);
}

TEST_P(OfficeBookings, AreCancelledOnlyOnceAndBeforeTheirEnd) {
  const auto id = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  EXPECT_EQ(cancel(id, {}).result, office_result::unconditional);
  EXPECT_EQ(cancel(id, no_booking).result, office_result::outdated);
  EXPECT_EQ(cancel(id, no_booking).last.by, "ana@landlord.example");
  ASSERT_EQ(cancel(id).result, office_result::changed);
  const auto again = cancel(id);
  EXPECT_EQ(again.result, office_result::conflicting);
  EXPECT_EQ(again.problem, "The booking is already cancelled");
  EXPECT_EQ(cancel(id, no_booking).last.by, "ana@landlord.example");
  const auto over = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  store::advance_stays(session(), node_->lease, day("2027-04-01"));
  EXPECT_EQ(cancel(over, no_booking).last.by, store::changed_by_date);
  store::advance_stays(session(), node_->lease, day("2027-05-01"));
  EXPECT_EQ(cancel(over).problem, "The stay is over");
}

TEST_P(OfficeBookings, AreInTheChangelogOfTheirUnit) {
  const auto id = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  const auto entries = store::list_unit_changes(session(), scope, unit_id(1), {}, 10, store::with_total::no);
  ASSERT_THAT(entries->items, SizeIs(1));
  EXPECT_EQ(entries->items[0].subject_id, id);
  EXPECT_THAT(entries->items[0].changes,
              ElementsAre(domain::field_change{"checkInDate", "null", R"("2027-04-01")"}));
  create("2027-06-01", "2027-06-02");
  const auto without = store::list_unit_changes(session(), scope, unit_id(1), {}, 10, store::with_total::yes,
                                                store::with_bookings::no);
  ASSERT_THAT(without->items, SizeIs(1));
  EXPECT_NE(without->items[0].subject_id, id);
  EXPECT_EQ(without->total, 1);
}

TEST_P(OfficeBookings, AreListedNewestFirstAndPageByPage) {
  std::vector<domain::uuid> made;
  for (const auto* month : {"2027-04-01", "2027-05-01", "2027-06-01"})
    made.push_back(
        book_by_hand(month, domain::to_string(domain::add_months(day(month), 1)).c_str()).booking.booking.id);
  const auto first = list({}, 2);
  ASSERT_THAT(first.items, SizeIs(2));
  EXPECT_EQ(first.items[0].booking.id, made[2]);
  EXPECT_TRUE(first.has_more);
  EXPECT_EQ(first.total, 3);
  const auto& last = first.items[1].booking;
  const auto second =
      store::list_office_bookings(session(), scope, {}, store::booking_place{last.created_at, last.id}, 2);
  ASSERT_THAT(second.items, SizeIs(1));
  EXPECT_EQ(second.items[0].booking.id, made[0]);
  EXPECT_FALSE(second.has_more);
}

TEST_P(OfficeBookings, AreFoundByWhatTheyAre) {
  const auto by_hand = book_by_hand("2027-04-01", "2027-05-01").booking;
  const auto sold = book("2027-06-01", "2027-07-01");
  const auto ids = [&](const store::office_booking_filter& filter) {
    std::vector<domain::uuid> found;
    const auto page = list(filter);
    for (const auto& each : page.items) found.push_back(each.booking.id);
    EXPECT_EQ(static_cast<std::size_t>(page.total), found.size());
    return found;
  };
  const auto& id = by_hand.booking.id;
  EXPECT_THAT(ids({.status = domain::booking_status::cancelled}), IsEmpty());
  EXPECT_THAT(ids({.platform = "marketplace-a"}), ElementsAre(sold));
  EXPECT_THAT(ids({.unit_id = unit_id(2)}), IsEmpty());
  EXPECT_THAT(ids({.property_id = by_hand.property_id}), SizeIs(2));
  EXPECT_THAT(ids({.tenant_id = by_hand.tenant.id}), ElementsAre(id));
  EXPECT_THAT(ids({.check_in = {day("2027-04-01"), day("2027-04-01")}}), ElementsAre(id));
  EXPECT_THAT(ids({.check_in = {day("2027-04-02"), {}}}), ElementsAre(sold));
  EXPECT_THAT(ids({.check_out = {{}, day("2027-05-01")}}), ElementsAre(id));
  EXPECT_THAT(ids({.text = "ÍDA", .finds_guests = true}), ElementsAre(id));
  EXPECT_THAT(ids({.text = "ida"}), IsEmpty()) << "guests' names are for those who may see tenants";
  EXPECT_THAT(ids({.text = "Reference-"}), ElementsAre(sold));
}

TEST_P(OfficeBookings, LoseTheGuestWithTheirTraces) {
  auto request = stay_by_hand("2027-04-01", "2027-05-01");
  request.request_hash = "first";
  const auto made = book_by_hand(request).booking;
  ASSERT_EQ(cancel(made.booking.id).result, office_result::changed);
  ASSERT_EQ(book_by_hand(request).result, office_result::repeated);
  const auto of_platform = book("2027-06-01", "2027-07-01");
  ASSERT_EQ(cancel(of_platform, any_booking, "Eva is ill").result, office_result::changed);
  const auto guest = store::find_guest(session(), "ida@guests.example", day("2026-11-21"));
  const auto erased = store::erase_guest(session(), guest, day("2026-11-21"));
  EXPECT_EQ(erased.tenants, 1);
  EXPECT_EQ(erased.notifications, 2);
  EXPECT_EQ(store::find_booking(session(), scope, made.booking.id)->tenant.details.email, "");
  EXPECT_EQ(book_by_hand(request).result, office_result::other_request) << "its hash covers the guest";
  EXPECT_THAT(details_of_cancellations(),
              UnorderedElementsAre("The guest's data was erased.", HasSubstr("reason: Eva is ill")));
  const auto eva = store::find_booking(session(), of_platform)->tenant.details.email;
  store::erase_guest(session(), store::find_guest(session(), eva, day("2026-11-21")), day("2026-11-21"));
  EXPECT_THAT(details_of_cancellations(), Each("The guest's data was erased."));
}

TEST_P(OfficeBookings, NameWhoChangedThemLast) {
  const auto sold = book("2027-04-01", "2027-05-01");
  EXPECT_EQ(cancel(sold, no_booking).last.by, "marketplace-a");
  EXPECT_EQ(cancel(sold, no_booking).last.at, store::find_booking(session(), sold)->booking.created_at);
  cancel_stay(session(), sold);
  EXPECT_EQ(cancel(sold, no_booking).last.by, store::changed_by_landlord) << "no entry names a person";
}

TEST_P(OfficeBookings, AreOverOnTheDayOfTheirEndWhateverTheirStatus) {
  const auto id = book_by_hand("2026-10-21", "2026-11-21").booking.booking.id;
  EXPECT_EQ(cancel(id).problem, "The stay is over");
  const auto last_day = book_by_hand("2026-11-21", "2026-11-22").booking.booking.id;
  EXPECT_EQ(cancel(last_day).result, office_result::changed);
}

TEST_P(OfficeBookings, AreFoundByTextAmongMany) {
  const auto first = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  ASSERT_EQ(cancel(first).result, office_result::changed);
  constexpr int further = 2'100; // more than two batches
  const std::string id = session().is_sqlite()
                             ? "printf('00000000-0000-4000-9000-%012d', i)"
                             : "cast('00000000-0000-4000-9000-' || lpad(cast(i as text), 12, '0') as uuid)";
  session().internals().script(
      "copies", "with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < " +
                    std::to_string(further) +
                    ") insert into bookings (id, account_id, unit_id, tenant_id, check_in, check_out,"
                    " last_night, occupants, status, provider_payment_cents, terms, cancelled_by,"
                    " cancelled_at, created_at, updated_at) select " +
                    id +
                    ", account_id, unit_id, tenant_id, check_in, check_out, last_night, occupants, status,"
                    " provider_payment_cents, terms, cancelled_by, cancelled_at, created_at, updated_at"
                    " from bookings cross join numbers");
  const auto last = book("2027-06-01", "2027-07-01");
  const store::office_booking_filter idas{.text = "ida", .finds_guests = true};
  std::set<domain::uuid> found;
  std::optional<store::booking_place> after;
  for (bool more = true; more;) {
    const auto page = store::list_office_bookings(session(), scope, idas, after, 700, store::with_total::no);
    for (const auto& each : page.items) EXPECT_TRUE(found.insert(each.booking.id).second);
    more = page.has_more;
    after = store::booking_place{page.items.back().booking.created_at, page.items.back().booking.id};
  }
  EXPECT_THAT(found, SizeIs(further + 1));
  EXPECT_EQ(list(idas, 1).total, further + 1);
  const auto rare = list({.text = "reference-"}, 1);
  ASSERT_THAT(rare.items, SizeIs(1));
  EXPECT_EQ(rare.items[0].booking.id, last);
  EXPECT_FALSE(rare.has_more);
}

} // namespace roost::testing::office_bookings_test
