#include "domain/booking_terms.hpp"
#include "domain/unit.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace roost::domain::booking_terms_test {

/// Prints a line of a plan in GoogleTest's messages.
void PrintTo(const payment_line& line, std::ostream* out) {
  *out << to_string(line.kind) << ' ' << to_string(line.amount) << " due " << to_string(line.due);
  if (line.period) *out << " for " << text_of(*line.period);
}

/// A landlord's setup, which tests change before making the terms.
struct setup {
  domain::account account;
  property_terms property;
  domain::unit unit;
  platform_card card;
  booked_stay stay{.check_in = "2027-01-15"_date,
                   .check_out = "2027-04-10"_date,
                   .occupants = 1,
                   .provider_payment = 683'00_cents,
                   .confirmed_on = "2026-11-20"_date};

  setup() {
    unit.rent.amount = 650'00_cents;
    unit.capacity = 2;
    card.markup = {markup_mode::percentage, 5'00};
  }

  booking_terms terms() const { return make_booking_terms({account, property, unit, &card}, stay); }
  std::vector<payment_line> plan() const { return terms().plan; }

  std::vector<payment_line> lines_of(payment_kind kind) const {
    auto lines = plan();
    std::erase_if(lines, [kind](const auto& line) { return line.kind != kind; });
    return lines;
  }
};

payment_line rent_line(money amount, date due, date first, date last) {
  return {.kind = payment_kind::rent, .amount = amount, .due = due, .period = nights{first, last}};
}

TEST(PaymentPlan, MatchesAStayCalculatedByHand) {
  setup from;
  from.unit.extra_price_per_tenant = 40'00_cents;
  from.unit.extra_deposit_per_tenant = 100'00_cents;
  from.unit.deposit = {deposit_mode::rent_multiple, 1'00};
  from.unit.admin_fee = {true, fee_mode::fixed, 150'00_cents, {}};
  from.unit.exit_fee = 80'00_cents;
  from.property.cleaning_fee = {true, 30'00_cents, "monthly"};
  from.stay.occupants = 2;
  const auto january = nights{"2027-01-15"_date, "2027-01-31"_date};
  const auto february = nights{"2027-02-01"_date, "2027-02-28"_date};
  const auto march = nights{"2027-03-01"_date, "2027-03-31"_date};
  const auto april = nights{"2027-04-01"_date, "2027-04-09"_date};
  using enum payment_kind;
  const std::vector<payment_line> expected{
      rent_line(396'48_cents, "2026-11-20"_date, january.first, january.last), // 723 for 17 of 31 nights
      {.kind = deposit, .amount = 750'00_cents, .due = "2027-01-15"_date},
      {.kind = admin_fee, .amount = 150'00_cents, .due = "2027-01-15"_date},
      {.kind = cleaning_fee, .amount = 30'00_cents, .due = "2027-01-15"_date, .period = january},
      rent_line(723'00_cents, "2027-02-01"_date, february.first, february.last),
      {.kind = cleaning_fee, .amount = 30'00_cents, .due = "2027-02-01"_date, .period = february},
      rent_line(723'00_cents, "2027-03-01"_date, march.first, march.last),
      {.kind = cleaning_fee, .amount = 30'00_cents, .due = "2027-03-01"_date, .period = march},
      rent_line(216'90_cents, "2027-04-01"_date, april.first, april.last), // 723 for 9 of 30 nights
      {.kind = cleaning_fee, .amount = 30'00_cents, .due = "2027-04-01"_date, .period = april},
      {.kind = exit_fee, .amount = 80'00_cents, .due = "2027-04-10"_date},
      {.kind = provider_platform_payment,
       .amount = 683'00_cents,
       .due = "2026-11-20"_date,
       .payer = payment_party::platform},
  };
  EXPECT_EQ(from.plan(), expected);
  EXPECT_EQ(total_owed(from.plan()), 3'159'38_cents);
}

TEST(PaymentPlan, ChargesEachMonthItsOwnRent) {
  setup from;
  from.card.markup = {};
  from.unit.rent = {.fixed = false,
                    .per_month = {{.month = 1, .rent = 310'00_cents}, {.month = 2, .rent = 280'00_cents}}};
  from.stay.check_in = "2027-01-31"_date;
  from.stay.check_out = "2027-03-01"_date;
  const auto lines = from.lines_of(payment_kind::rent);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].amount, 10'00_cents);
  EXPECT_EQ(lines[1].amount, 280'00_cents);
}

TEST(PaymentPlan, HasOnePartForAStayWithinOneMonth) {
  setup from;
  from.card.markup = {};
  from.unit.rent.amount = 300'00_cents;
  from.stay.check_in = "2027-04-10"_date;
  from.stay.check_out = "2027-04-11"_date;
  EXPECT_EQ(from.lines_of(payment_kind::rent),
            std::vector{rent_line(10'00_cents, "2026-11-20"_date, "2027-04-10"_date, "2027-04-10"_date)});
}

TEST(PaymentPlan, ChargesAPartMonthAsThePropertySays) {
  setup from;
  from.card.markup = {};
  from.unit.rent.amount = 301'00_cents;
  from.stay.check_in = "2027-04-01"_date;
  const auto rent_until = [&](part_month rule, date check_out) {
    from.property.part_month = rule;
    from.stay.check_out = check_out;
    return from.lines_of(payment_kind::rent).front().amount;
  };
  using enum part_month;
  EXPECT_EQ(rent_until(daily, "2027-04-11"_date), 100'33_cents);
  EXPECT_EQ(rent_until(fortnightly, "2027-04-02"_date), 150'50_cents);
  EXPECT_EQ(rent_until(fortnightly, "2027-04-16"_date), 150'50_cents); // 15 nights
  EXPECT_EQ(rent_until(fortnightly, "2027-04-17"_date), 301'00_cents);
  EXPECT_EQ(rent_until(monthly, "2027-04-02"_date), 301'00_cents);
  for (const auto rule : {daily, fortnightly, monthly})
    EXPECT_EQ(rent_until(rule, "2027-05-01"_date), 301'00_cents);
}

TEST(PaymentPlan, FollowsTheLandlordsPaymentTerms) {
  setup from;
  from.unit.deposit = {deposit_mode::fixed, 500'00};
  from.unit.admin_fee = {true, fee_mode::fixed, 150'00_cents, {}};
  from.property.cleaning_fee = {true, 60'00_cents, "once"};
  using enum due_item;
  from.account.payment_terms = {{deposit, admin_fee, cleaning_fee, last_rent}, {first_rent}, 5};
  const auto due = [&](payment_kind kind) { return from.lines_of(kind).front().due; };
  EXPECT_EQ(due(payment_kind::deposit), from.stay.confirmed_on);
  EXPECT_EQ(due(payment_kind::admin_fee), from.stay.confirmed_on);
  EXPECT_EQ(due(payment_kind::cleaning_fee), from.stay.confirmed_on);
  std::map<date, date> rents; // due by first night
  for (const auto& line : from.lines_of(payment_kind::rent)) rents[line.period->first] = line.due;
  EXPECT_EQ(rents, (std::map<date, date>{{"2027-01-15"_date, "2027-01-15"_date},
                                         {"2027-02-01"_date, "2027-02-05"_date},
                                         {"2027-03-01"_date, "2027-03-05"_date},
                                         {"2027-04-01"_date, "2026-11-20"_date}}));
}

TEST(PaymentPlan, PlacesOtherAmountsAtCheckIn) {
  setup from;
  from.unit.deposit = {deposit_mode::fixed, 500'00};
  from.unit.admin_fee = {true, fee_mode::fixed, 150'00_cents, {}};
  from.property.cleaning_fee = {true, 60'00_cents, "once"};
  from.account.payment_terms = {{}, {due_item::last_rent}, 1};
  for (const auto kind : {payment_kind::deposit, payment_kind::admin_fee, payment_kind::cleaning_fee})
    EXPECT_EQ(from.lines_of(kind).front().due, from.stay.check_in) << to_string(kind);
  EXPECT_EQ(from.lines_of(payment_kind::rent).front().due, from.stay.confirmed_on);
  EXPECT_EQ(from.lines_of(payment_kind::rent)[1].due,
            from.stay.check_in); // sorted stably: before February's
}

TEST(PaymentPlan, IsDueAtConfirmationIfTheStayHasStarted) {
  setup from;
  from.stay.confirmed_on = "2027-03-15"_date;
  for (const auto& line : from.plan()) EXPECT_GE(line.due, from.stay.confirmed_on);
  EXPECT_EQ(from.lines_of(payment_kind::rent).back().due, "2027-04-01"_date);
}

TEST(PaymentPlan, UsesTheTierOfTheStay) {
  setup from;
  from.unit.admin_fee = {
      true, fee_mode::tiered, {}, {{1, 50'25_cents}, {85, 99'50_cents}, {86, 120'00_cents}}};
  EXPECT_EQ(from.lines_of(payment_kind::admin_fee).front().amount, 99'50_cents); // a stay of 85 nights
}

TEST(PaymentPlan, OmitsZeroAmounts) {
  setup from;
  from.property.cleaning_fee = {false, 60'00_cents, "once"};
  for (const auto kind :
       {payment_kind::deposit, payment_kind::admin_fee, payment_kind::cleaning_fee, payment_kind::exit_fee})
    EXPECT_TRUE(from.lines_of(kind).empty()) << to_string(kind);
}

TEST(PaymentPlan, HasOneLastLineForTheRemainderOfManyCenturies) {
  setup from;
  from.card.markup = {};
  from.unit.rent.amount = 31'00_cents;
  from.stay.check_out = "9999-12-31"_date;
  const auto lines = from.lines_of(payment_kind::rent);
  ASSERT_EQ(lines.size(), max_rent_lines);
  EXPECT_EQ(lines.back().period->last, "9999-12-30"_date);
  EXPECT_GT(lines.back().amount, 2'000'000'00_cents);
}

TEST(PaymentPlan, KeepsEveryAmountBelowTheLimit) {
  setup from;
  from.unit.rent.amount = amount_limit - 1_cents;
  from.unit.extra_price_per_tenant = from.unit.extra_deposit_per_tenant = amount_limit - 1_cents;
  from.stay.occupants = std::numeric_limits<int>::max();
  from.stay.check_out = "9999-12-31"_date;
  for (const auto& line : from.plan()) EXPECT_LT(line.amount, amount_limit);
}

TEST(PaymentPlan, CoversEachNightOnceAndEachMonthWithItsShare) {
  for_random_cases(2'000, [](std::mt19937& random) {
    setup from;
    from.unit.rent = {.fixed = false, .per_month = {}};
    for (unsigned month = 1; month <= 12; ++month)
      from.unit.rent.per_month.push_back({.month = month, .rent = {between(random, 1, 200'000)}});
    from.unit.extra_price_per_tenant = {between(random, 0, 10'000)};
    from.card.markup = {markup_mode::fixed, between(random, 0, 10'000)};
    from.account.payment_terms.monthly_due_day = int_between(random, 1, 28);
    from.stay.occupants = int_between(random, 1, 4);
    from.stay.check_in += days{between(random, 0, 800)};
    from.stay.check_out = from.stay.check_in + days{between(random, 1, 800)};
    std::map<date, int> covered;
    for (const auto& line : from.lines_of(payment_kind::rent)) {
      double exact = 0;
      for (auto night = line.period->first; night <= line.period->last; night += days{1}) {
        ++covered[night];
        const std::chrono::year_month_day parts{night};
        const auto last_day =
            std::chrono::year_month_day_last{parts.year(), parts.month() / std::chrono::last};
        const auto monthly = with_markup(rent_in_month_of(from.unit, night), &from.card) +
                             from.unit.extra_price_per_tenant * (from.stay.occupants - 1);
        exact += static_cast<double>(monthly.cents) / static_cast<unsigned>(last_day.day());
      }
      EXPECT_NEAR(exact, static_cast<double>(line.amount.cents), 0.5 + 1e-6);
    }
    EXPECT_EQ(covered.size(), static_cast<std::size_t>((from.stay.check_out - from.stay.check_in).count()));
    for (const auto& [night, times] : covered) EXPECT_EQ(times, 1) << to_string(night);
  });
}

TEST(BookingTerms, AreCopiedFromTheAccount) {
  setup from;
  from.account.contract_type = "Student lease";
  from.account.check_in_time = "16:00";
  from.account.check_out_time = "10:00";
  from.account.payment_terms.monthly_due_day = 7;
  from.unit.bills = {true, 60'00_cents};
  from.property.cleaning_fee = {true, 60'00_cents, "every two weeks"};
  const auto terms = from.terms();
  EXPECT_EQ(terms.contract_type, "Student lease");
  EXPECT_EQ(terms.check_in_time, "16:00");
  EXPECT_EQ(terms.check_out_time, "10:00");
  EXPECT_EQ(terms.payment_terms, from.account.payment_terms);
  EXPECT_TRUE(terms.bills.included);
  EXPECT_EQ(terms.bills.max_value, 60'00_cents);
  EXPECT_EQ(terms.cleaning_frequency, "every two weeks");
}

TEST(BookingTerms, ArePropertySpecificIfSet) {
  setup from;
  from.property.contract_type = "Seasonal";
  from.property.payment_terms =
      payment_terms{{due_item::first_rent}, {due_item::deposit, due_item::last_rent}, 3};
  const auto terms = from.terms();
  EXPECT_EQ(terms.contract_type, "Seasonal");
  EXPECT_EQ(terms.payment_terms, from.property.payment_terms);
}

TEST(PaymentId, FollowsFromBookingKindAndPeriod) {
  const auto booking = domain::parse_uuid("01935a1c-7b2e-7d4f-8123-456789abcdef").value();
  const auto april = domain::parse_date("2027-04-01").value(), may = domain::parse_date("2027-05-01").value();
  const auto id = domain::payment_id(booking, payment_kind::rent, april);
  EXPECT_EQ(id, domain::payment_id(booking, payment_kind::rent, april));
  EXPECT_EQ(domain::to_string(id).substr(0, 15), "01935a1c-7b2e-8") << "the booking's time, version 8";
  EXPECT_TRUE(domain::is_rfc_uuid(domain::to_string(id)));
  auto other_booking = booking;
  ++other_booking.data[15];
  const std::set<domain::uuid> all{id, domain::payment_id(booking, payment_kind::rent, may),
                                   domain::payment_id(booking, payment_kind::cleaning_fee, april),
                                   domain::payment_id(booking, payment_kind::rent, std::nullopt),
                                   domain::payment_id(other_booking, payment_kind::rent, april)};
  EXPECT_EQ(all.size(), 5U);
}

TEST(PaymentId, IsThatOfOneBookingOnlyAlsoIfOthersBeginLikeIt) {
  const auto booking = domain::parse_uuid("01935a1c-7b2e-7d4f-8123-456789abcdef").value();
  auto other_booking = booking;
  ++other_booking.data[15];
  const auto day = domain::parse_date("2027-04-20").value();
  const std::vector<std::optional<domain::date>> periods{
      std::nullopt, domain::parse_date("2027-04-01").value(), domain::parse_date("2019-12-31").value(),
      domain::parse_date("2049-02-01").value()};
  for (const auto kind : {payment_kind::rent, payment_kind::provider_platform_payment})
    for (const auto& period : periods) {
      const auto id = domain::payment_id(booking, kind, period);
      EXPECT_TRUE(domain::is_payment_of(id, booking, day));
      EXPECT_FALSE(domain::is_payment_of(id, other_booking, day));
    }
  EXPECT_FALSE(domain::is_payment_of(booking, booking, day));
}

TEST(PaymentId, LeadsToItsBooking) {
  const auto booking = domain::parse_uuid("01935a1c-7b2e-7d4f-8123-456789abcdef").value();
  const auto range =
      domain::bookings_of_payment(domain::payment_id(booking, payment_kind::deposit, std::nullopt));
  EXPECT_LE(range.first, booking);
  EXPECT_GE(range.last, booking);
  EXPECT_EQ(domain::to_string(range.first), "01935a1c-7b2e-0000-0000-000000000000");
  EXPECT_EQ(domain::to_string(range.last), "01935a1c-7b2e-ffff-ffff-ffffffffffff");
}

} // namespace roost::domain::booking_terms_test
