#include "actors/inventory/calendar_scene.hpp"

#include <future>

namespace roost::actors::unit_calendar_test {
using testing::day;
using testing::numbered_id;

class UnitCalendar : public testing::calendar_scene {};

TEST_F(UnitCalendar, HoldsNightsForOneRequestOnly) {
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 1).refused);
  EXPECT_EQ(reserve_nights("2027-02-28", "2027-03-02", 2).refused, domain::refusal::overlapping_nights);
}

TEST_F(UnitCalendar, LetsAStayStartOnTheDayAnotherEnds) {
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 1).refused);
  EXPECT_FALSE(reserve_nights("2027-03-01", "2027-04-01", 2).refused);
}

TEST_F(UnitCalendar, ShowsABookingOnlyOnceItIsDurable) {
  reserve_nights("2027-02-01", "2027-03-01");
  EXPECT_FALSE(shows("2027-02-28"));
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
}

TEST_F(UnitCalendar, ShowsACalendarBlockAfterTheLastBooking) {
  auto changed = setup();
  auto account = *changed->account;
  account.cards = {{.platform = "marketplace-a", .calendar_block_days = 30}};
  changed->account = std::make_shared<domain::account>(account);
  caf::anon_send(calendar, update_unit{changed});
  EXPECT_FALSE(shows("Calendar Block"));
  reserve_nights("2027-02-01", "2027-03-01");
  EXPECT_FALSE(shows("Calendar Block"));
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows(R"("from":"2027-02-28","to":"2029-02-28","reason":"Calendar Block")"));
  // It does not prevent bookings: it is only in feeds.
  EXPECT_FALSE(reserve_nights("2027-06-01", "2027-07-01", 2).refused);
}

TEST_F(UnitCalendar, RendersRowsForTheDayOfTheBuild) {
  auto changed = setup();
  changed->terms.advance_notice_days = 5;
  caf::anon_send(calendar, update_unit{changed});
  caf::scoped_actor self{rt.system()};
  const auto moment = domain::timestamp{day("2026-12-31")} + std::chrono::hours{9};
  self->send(calendar, render_row{caf::actor_cast<feed_row_sink>(self), room_sharing, 7, 3, moment});
  feed_row row;
  self->receive([&](feed_row& received) { row = std::move(received); },
                caf::after(std::chrono::seconds{5}) >> [] { FAIL() << "no row"; });
  EXPECT_EQ(row.build, 7U);
  EXPECT_EQ(row.index, 3U);
  EXPECT_NE(
      row.json.text.find(R"("from":"2026-12-31","to":"2027-01-04","reason":"Not available yet",)"
                         R"("createdAt":"2026-12-31T00:00:00.000Z","updatedAt":"2026-12-31T00:00:00.000Z")"),
      std::string::npos)
      << row.json.text;
}

TEST_F(UnitCalendar, ReturnsTheSameTextUntilTheUnitOrTheDayChanges) {
  auto linked = setup();
  linked->links.push_back({room_sharing, "u1"});
  linked->terms.advance_notice_days = 5; // so that there is a generated row
  caf::anon_send(calendar, update_unit{linked});
  const auto first = read(room_sharing);
  ASSERT_THAT(first.json, ::testing::HasSubstr("Not available yet"));
  EXPECT_EQ(first.digest, security::sha256(first.json));
  const auto read_later = [this] {
    now = now.load() + std::chrono::seconds{1};
    return read(room_sharing);
  };
  EXPECT_EQ(read_later().json, first.json);
  const auto other = read(marketplace);
  EXPECT_EQ(other.digest, security::sha256(other.json));
  EXPECT_EQ(read_later().json, first.json) << "another platform's read changes nothing";
  caf::anon_send(calendar, update_unit{linked});
  EXPECT_EQ(read_later().json, first.json) << "an update that changes nothing";
  reserve_nights("2027-02-01", "2027-03-01");
  settle(1, hold_outcome::booked);
  const auto booked = read_later().json;
  EXPECT_NE(booked, first.json);
  now = now.load() + domain::days{1};
  EXPECT_NE(read_later().json, booked);
}

TEST_F(UnitCalendar, FreesTheNightsOfAFailedDecision) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::given_up);
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 2).refused);
}

TEST_F(UnitCalendar, KeepsBookingsDuringAnImportThatDoesNotKnowThem) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::booked);
  const domain::block imported{numbered_id(5), {day("2027-06-01"), day("2027-06-30")}};
  caf::anon_send(calendar, update_unit{setup(), {imported}});
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
  EXPECT_TRUE(shows(R"("from":"2027-06-01","to":"2027-06-30")"));
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-12", 2).refused, domain::refusal::overlapping_nights);
}

TEST_F(UnitCalendar, FreesTheNightsOfACancelledBooking) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::booked);
  settle(1, hold_outcome::cancelled);
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 2).refused);
}

TEST_F(UnitCalendar, FreesNightsThatAreCancelledBeforeTheyAreConfirmed) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::cancelled);
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-12", 2).refused, domain::refusal::overlapping_nights);
  settle(1, hold_outcome::booked);
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 3).refused);
}

TEST_F(UnitCalendar, ShowsNightsAsTakenWhileTheirDecisionIsInDoubt) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::in_doubt);
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-12", 2).refused, domain::refusal::overlapping_nights);
  settle(1, hold_outcome::given_up);
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 3).refused);
}

TEST_F(UnitCalendar, KeepsTheNightsOfADecisionThatWasInDoubt) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::in_doubt);
  settle(1, hold_outcome::in_doubt);
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
  settle(1, hold_outcome::given_up); // no-op: it no longer holds any nights
  EXPECT_TRUE(shows("2027-02-28"));
}

TEST_F(UnitCalendar, FreesNightsThatAreCancelledWhileTheirDecisionIsInDoubt) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  settle(1, hold_outcome::in_doubt);
  settle(1, hold_outcome::cancelled);
  EXPECT_FALSE(shows("2027-02-28"));
  settle(1, hold_outcome::booked);
  EXPECT_FALSE(shows("2027-02-28"));
}

TEST_F(UnitCalendar, AddsAMissedBooking) {
  domain::block missed{numbered_id(3007), {day("2027-02-01"), day("2027-02-28")}};
  missed.source = domain::block_source::booking;
  caf::anon_send(calendar, update_unit{setup(), {missed}});
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
  caf::anon_send(calendar, update_unit{setup(), {missed}});
  settle(7, hold_outcome::cancelled);
  EXPECT_FALSE(shows("2027-02-28")) << "it was added only once";
}

TEST_F(UnitCalendar, ReplacesABookingByItsNewestState) {
  domain::block stay{numbered_id(3007), {day("2027-02-01"), day("2027-02-28")}};
  stay.source = domain::block_source::booking;
  auto moved = stay, again = stay;
  moved.nights = {day("2027-03-01"), day("2027-03-31")};
  moved.revision = 1;
  again.nights = {day("2027-04-01"), day("2027-04-30")};
  again.revision = 2;
  caf::anon_send(calendar, learn_stay{stay});
  caf::anon_send(calendar, learn_stay{again});
  caf::anon_send(calendar, learn_stay{moved});
  caf::anon_send(calendar, update_unit{setup(), {stay}});
  EXPECT_TRUE(shows(R"("from":"2027-04-01","to":"2027-04-30")"));
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(shows("2027-03-31"));
  again.revision = 3;
  again.nights.last = day("2027-05-31");
  caf::anon_send(calendar, update_unit{setup(), {again}});
  EXPECT_TRUE(shows(R"("from":"2027-04-01","to":"2027-05-31")"));
}

TEST_F(UnitCalendar, KnowsAChangedStayBeforeItsDecisionIsSettled) {
  auto stay = reserve_nights("2027-02-01", "2027-03-01", 1).held;
  stay.revision = 1;
  stay.nights = {day("2027-03-01"), day("2027-03-31")};
  caf::anon_send(calendar, learn_stay{stay});
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows(R"("from":"2027-03-01","to":"2027-03-31")"));
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 2).refused);
}

TEST_F(UnitCalendar, DoesNotAddABookingThatItHolds) {
  const auto held = reserve_nights("2027-02-01", "2027-03-01", 1).held;
  caf::anon_send(calendar, update_unit{setup(), {held}});
  EXPECT_FALSE(shows("2027-02-28"));
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows("2027-02-28"));
}

TEST_F(UnitCalendar, CreatesThePaymentPlanFromTheCurrentTerms) {
  const auto terms = reserve_nights("2027-02-01", "2027-03-01").terms;
  ASSERT_TRUE(terms);
  ASSERT_FALSE(terms->plan.empty());
  EXPECT_EQ(terms->plan.front().kind, domain::payment_kind::rent);
  EXPECT_EQ(terms->plan.front().amount, setup()->terms.rent.amount);
  EXPECT_EQ(terms->plan.back().kind, domain::payment_kind::provider_platform_payment);
  EXPECT_EQ(terms->plan.back().amount, domain::money{65000});
}

TEST_F(UnitCalendar, KeepsAHoldDuringAnImport) {
  reserve_nights("2027-02-01", "2027-03-01", 1);
  caf::anon_send(calendar, update_unit{setup(), {}});
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-12", 2).refused, domain::refusal::overlapping_nights);
}

TEST_F(UnitCalendar, BlocksPreparationDaysAfterAStay) {
  auto changed = setup();
  changed->terms.preparation_days = 2;
  caf::anon_send(calendar, update_unit{changed});
  const auto held = reserve_nights("2027-02-01", "2027-03-01").held.nights;
  EXPECT_EQ(held.first, day("2027-02-01"));
  EXPECT_EQ(held.last, day("2027-03-02"));
}

TEST_F(UnitCalendar, RefusesReversedDates) {
  EXPECT_EQ(reserve_nights("2027-03-01", "2027-03-01").refused,
            domain::refusal::check_out_not_after_check_in);
  EXPECT_EQ(reserve_nights("2027-03-02", "2027-03-01").refused,
            domain::refusal::check_out_not_after_check_in);
}

TEST_F(UnitCalendar, TreatsAnExcludedUnitAsNotLinked) {
  auto changed = setup();
  changed->excluded_from.set(marketplace);
  caf::anon_send(calendar, update_unit{changed});
  EXPECT_EQ(reserve_nights("2027-02-01", "2027-03-01").refused, domain::refusal::unit_not_linked);
}

TEST_F(UnitCalendar, HoldsAStayOutsideItsLimitsWithAWarning) {
  auto changed = setup();
  changed->terms.min_stay_months = 3;
  caf::anon_send(calendar, update_unit{changed});
  const auto response = reserve_nights("2027-02-01", "2027-03-01");
  EXPECT_FALSE(response.refused);
  EXPECT_EQ(response.warnings, std::vector{domain::stay_warning::shorter_than_minimum});
}

TEST_F(UnitCalendar, ExportsABookingOnlyOnceItIsDurable) {
  reserve_nights("2027-02-01", "2027-03-01");
  EXPECT_FALSE(exports("BEGIN:VEVENT"));
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(exports("DTSTART;VALUE=DATE:20270201\r\nDTEND;VALUE=DATE:20270301\r\nSUMMARY:Reserved\r\n"));
}

TEST_F(UnitCalendar, OmitsAReadersOwnBlocksFromItsExport) {
  domain::block imported{numbered_id(5), {day("2027-06-01"), day("2027-06-30")}};
  imported.source = domain::block_source::channel;
  imported.host = "host-one";
  caf::anon_send(calendar, update_unit{setup(), {imported}});
  EXPECT_FALSE(exports("BEGIN:VEVENT", "host-one"));
  EXPECT_TRUE(exports("BEGIN:VEVENT", "host-two"));
}

TEST_F(UnitCalendar, ExportsUnitsThatNoFeedShows) {
  auto changed = setup();
  changed->excluded_from.set(marketplace);
  changed->terms.rent.amount = domain::money{0};
  changed->links.clear();
  caf::anon_send(calendar, update_unit{changed});
  EXPECT_TRUE(ical().has_value());
}

TEST_F(UnitCalendar, DoesNotExportArchivedUnitsAndProperties) {
  auto changed = setup();
  changed->terms.archived = true;
  caf::anon_send(calendar, update_unit{changed});
  EXPECT_FALSE(ical().has_value());
  changed = setup();
  domain::property_terms archived;
  archived.archived = true;
  changed->property = std::make_shared<const domain::property_terms>(archived);
  caf::anon_send(calendar, update_unit{changed});
  EXPECT_FALSE(ical().has_value());
}

TEST_F(UnitCalendar, QuotesWhatItWouldDecide) {
  const auto free = quote("2027-02-01", "2027-05-01");
  EXPECT_EQ(free.decision.refused(), std::nullopt);
  const auto decided = reserve_nights("2027-02-01", "2027-05-01");
  ASSERT_FALSE(decided.refused);
  EXPECT_EQ(*free.decision.terms, *decided.terms);
  EXPECT_EQ(free.costs.total, domain::total_owed(decided.terms->plan));
  const auto held = quote("2027-04-20", "2027-05-20");
  EXPECT_EQ(held.decision.refused(), domain::refusal::overlapping_nights) << "while it is decided";
  ASSERT_EQ(held.decision.taken.size(), 1U);
  EXPECT_EQ(held.decision.taken[0].first, day("2027-04-20"));
  EXPECT_EQ(held.decision.taken[0].last, decided.held.nights.last);
  settle(1, hold_outcome::booked);
  EXPECT_EQ(quote("2027-04-20", "2027-05-20").decision.taken, held.decision.taken);
  EXPECT_EQ(quote("2027-07-01", "2027-08-01").decision.refused(), std::nullopt);
}

/// Nights held by a write of the office.
class NightsOfTheOffice : public UnitCalendar {
protected:
  /// Returns whether the calendar grants the nights in time.
  bool hold(int write, const char* first, const char* last,
            std::chrono::milliseconds patience = std::chrono::seconds{5}) {
    caf::scoped_actor self{rt.system()};
    bool is_granted = false;
    self->request(calendar, patience, hold_nights{id_of(write), {day(first), day(last)}})
        .receive([&](const nights_held&) { is_granted = true; }, [](const caf::error&) {});
    return is_granted;
  }

  void release(int write) { caf::anon_send(calendar, release_nights{id_of(write)}); }

  static domain::uuid id_of(int write) { return numbered_id(4000 + write); }
};

TEST_F(NightsOfTheOffice, AreNotShown) {
  ASSERT_TRUE(hold(1, "2027-02-01", "2027-02-10"));
  EXPECT_FALSE(shows("2027-02-10"));
  EXPECT_EQ(quote("2027-02-10", "2027-03-01").decision.refused(), domain::refusal::overlapping_nights)
      << "but a booking is unlikely";
}

TEST_F(NightsOfTheOffice, DecideOverARequestOnlyOnceTheyAreReleased) {
  ASSERT_TRUE(hold(1, "2027-02-05", "2027-02-10"));
  auto booked = std::async(std::launch::async, [&] { return reserve_nights("2027-02-01", "2027-03-01"); });
  EXPECT_EQ(booked.wait_for(std::chrono::milliseconds{50}), std::future_status::timeout);
  release(1); // the write has failed
  EXPECT_FALSE(booked.get().refused);
}

TEST_F(NightsOfTheOffice, RefuseARequestOnceTheyAreBlocked) {
  ASSERT_TRUE(hold(1, "2027-02-05", "2027-02-10"));
  auto booked = std::async(std::launch::async, [&] { return reserve_nights("2027-02-01", "2027-03-01"); });
  domain::block block;
  block.id = numbered_id(5000);
  block.nights = {day("2027-02-05"), day("2027-02-10")};
  caf::anon_send(calendar, update_unit{setup(), {block}});
  release(1);
  EXPECT_EQ(booked.get().refused, domain::refusal::overlapping_nights);
}

TEST_F(NightsOfTheOffice, DoNotDelayRequestsForOtherNights) {
  ASSERT_TRUE(hold(1, "2027-02-05", "2027-02-10"));
  EXPECT_FALSE(reserve_nights("2027-02-11", "2027-03-01").refused);
}

TEST_F(NightsOfTheOffice, WaitForABookingThatIsBeingDecided) {
  ASSERT_FALSE(reserve_nights("2027-02-01", "2027-03-01").refused);
  auto held = std::async(std::launch::async, [&] { return hold(1, "2027-02-28", "2027-03-05"); });
  EXPECT_EQ(held.wait_for(std::chrono::milliseconds{50}), std::future_status::timeout);
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(held.get());
}

TEST_F(NightsOfTheOffice, AreHeldByOneWriteAtATime) {
  ASSERT_TRUE(hold(1, "2027-02-01", "2027-02-10"));
  auto second = std::async(std::launch::async, [&] { return hold(2, "2027-02-10", "2027-02-20"); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds{50}), std::future_status::timeout);
  release(1);
  EXPECT_TRUE(second.get());
}

TEST_F(NightsOfTheOffice, AreNotHeldForAWriteThatHasGivenUp) {
  ASSERT_TRUE(hold(1, "2027-02-01", "2027-02-10"));
  EXPECT_FALSE(hold(2, "2027-02-10", "2027-02-20", std::chrono::milliseconds{50}));
  release(2);
  release(1);
  EXPECT_FALSE(reserve_nights("2027-02-10", "2027-03-01").refused);
}

TEST_F(NightsOfTheOffice, LeaveNoRequestWithoutAResponseWhenTheUnitIsRemoved) {
  ASSERT_TRUE(hold(1, "2027-02-05", "2027-02-10"));
  caf::scoped_actor self{rt.system()};
  bool has_failed = false;
  reserve message;
  message.platform = marketplace;
  message.check_in = day("2027-02-01");
  message.check_out = day("2027-03-01");
  auto response = self->request(calendar, std::chrono::seconds{5}, message);
  caf::anon_send_exit(calendar, caf::exit_reason::user_shutdown);
  const auto sent_at = std::chrono::steady_clock::now();
  response.receive([](const reserve_response&) { FAIL() << "decided"; },
                   [&](const caf::error&) { has_failed = true; });
  EXPECT_TRUE(has_failed);
  EXPECT_LT(std::chrono::steady_clock::now() - sent_at, std::chrono::seconds{4});
}

} // namespace roost::actors::unit_calendar_test
