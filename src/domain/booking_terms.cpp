#include "domain/booking_terms.hpp"

#include <boost/uuid/name_generator_sha1.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace roost::domain {

namespace {

bool contains(const std::vector<due_item>& items, due_item item) {
  return std::ranges::find(items, item) != items.end();
}

/// Splits the nights of a stay at the ends of calendar months, into at most max_rent_lines runs.
std::vector<nights> months_of(const nights& stay) {
  std::vector<nights> months;
  for (auto first = stay.first; first <= stay.last;) {
    const auto next = months.size() + 1 < max_rent_lines ? add_months(first_of_month(first), 1) : no_end;
    months.push_back({first, std::min(stay.last, next - days{1})});
    first = months.back().last + days{1};
  }
  return months;
}

class plan_builder {
public:
  plan_builder(const terms_source& from, const booked_stay& stay, const payment_terms& due)
      : from_(from), stay_(stay), due_(due), months_(months_of(stay_nights(stay.check_in, stay.check_out))) {}

  std::vector<payment_line> build() {
    add_rent();
    add_fees();
    std::ranges::stable_sort(lines_, {}, &payment_line::due);
    add(payment_kind::provider_platform_payment, stay_.provider_payment, stay_.confirmed_on);
    if (!lines_.empty() && lines_.back().kind == payment_kind::provider_platform_payment)
      lines_.back().payer = payment_party::platform;
    return std::move(lines_);
  }

private:
  void add_rent() {
    for (const auto& month : months_) add(payment_kind::rent, rent_of(month), rent_due(month), month);
  }

  void add_fees() {
    const auto& unit = from_.unit;
    const auto extra = times(unit.extra_deposit_per_tenant, stay_.occupants - 1);
    add(payment_kind::deposit, deposit_for_one(unit) + extra, due_by(due_item::deposit));
    add(payment_kind::admin_fee, admin_fee_for(unit, stay_.check_in, stay_.check_out),
        due_by(due_item::admin_fee));
    add_cleaning();
    add(payment_kind::exit_fee, unit.exit_fee, stay_.check_out);
  }

  /// Adds a monthly fee to each month's rent, and any other fee once.
  void add_cleaning() {
    const auto& fee = from_.property.cleaning_fee;
    if (!fee.enabled) return;
    if (fee.frequency != "monthly")
      return add(payment_kind::cleaning_fee, fee.value, due_by(due_item::cleaning_fee));
    for (const auto& month : months_) {
      const bool first = month == months_.front();
      const auto due = first ? due_by(due_item::cleaning_fee) : monthly_due(month);
      add(payment_kind::cleaning_fee, fee.value, due, month);
    }
  }

  void add(payment_kind kind, money amount, date due, std::optional<nights> period = {}) {
    if (amount <= money{0}) return;
    lines_.push_back({.kind = kind,
                      .amount = std::min(amount, amount_limit - money{1}),
                      .due = std::max(due, stay_.confirmed_on),
                      .period = period});
  }

  /// Returns the rent of a run of nights, which exceeds a month only in the last line of a truncated plan.
  money rent_of(const nights& run) const {
    money sum;
    for (auto first = run.first; first <= run.last && sum < amount_limit;) {
      const auto month = first_of_month(first), next = add_months(month, 1);
      const auto last = std::min(run.last, next - days{1});
      sum = sum + rent_for(monthly_rent(month), last - first + days{1}, next - month);
      first = next;
    }
    return sum;
  }

  money rent_for(money whole, days nights, days in_month) const {
    constexpr days fortnight{15};
    if (nights < in_month) {
      if (from_.property.part_month == part_month::daily)
        return {divide_rounding(whole.cents * nights.count(), in_month.count())};
      if (from_.property.part_month == part_month::fortnightly && nights <= fortnight)
        return {divide_rounding(whole.cents, 2)};
    }
    return whole;
  }

  /// Returns the rent of a month with any markup and the charge for extra occupants.
  money monthly_rent(date month) const {
    const auto rent = rent_in_month_of(from_.unit, month);
    return (from_.has_exact_rent ? rent : with_markup(rent, from_.card)) +
           times(extra_price_per_tenant(from_.unit), stay_.occupants - 1);
  }

  /// Returns when a month's rent is due. The first rent is due on confirmation unless the landlord wants it
  /// at check-in; the last rent can be due at either.
  date rent_due(const nights& month) const {
    if (month == months_.front())
      return contains(due_.check_in, due_item::first_rent) ? stay_.check_in : stay_.confirmed_on;
    if (month == months_.back()) {
      if (contains(due_.confirmation, due_item::last_rent)) return stay_.confirmed_on;
      if (contains(due_.check_in, due_item::last_rent)) return stay_.check_in;
    }
    return monthly_due(month);
  }

  date monthly_due(const nights& month) const {
    return first_of_month(month.first) + days{due_.monthly_due_day - 1};
  }

  /// Returns when an item is due: at check-in unless the landlord requires it at confirmation.
  date due_by(due_item item) const {
    return contains(due_.confirmation, item) ? stay_.confirmed_on : stay_.check_in;
  }

  const terms_source& from_;
  const booked_stay& stay_;
  const payment_terms& due_;
  std::vector<nights> months_;
  std::vector<payment_line> lines_;
};

} // namespace

booking_terms make_booking_terms(const terms_source& from, const booked_stay& stay) {
  booking_terms terms;
  terms.contract_type = from.property.contract_type.value_or(from.account.contract_type);
  terms.check_in_time = from.account.check_in_time;
  terms.check_out_time = from.account.check_out_time;
  terms.payment_terms = from.property.payment_terms.value_or(from.account.payment_terms);
  terms.bills = from.unit.bills;
  if (from.property.cleaning_fee.enabled) terms.cleaning_frequency = from.property.cleaning_fee.frequency;
  terms.plan = plan_builder(from, stay, terms.payment_terms).build();
  return terms;
}

money total_owed(const std::vector<payment_line>& plan) {
  return std::accumulate(plan.begin(), plan.end(), money{}, [](money sum, const payment_line& line) {
    return line.payer == payment_party::tenant ? sum + line.amount : sum;
  });
}

namespace {

constexpr std::size_t shared_bytes = 6; // of a time-ordered id, its milliseconds

} // namespace

uuid payment_id(const uuid& booking, payment_kind kind, std::optional<date> period_start) {
  const auto month = period_start ? to_string(first_of_month(*period_start)) : std::string{};
  auto id = boost::uuids::name_generator_sha1(booking)(std::string(to_string(kind)) + ' ' + month);
  std::copy_n(booking.begin(), shared_bytes, id.begin());
  constexpr std::uint8_t version = 0x80, hashed = 0x0f;
  id.data[shared_bytes] = static_cast<std::uint8_t>((id.data[shared_bytes] & hashed) | version);
  return id;
}

bool is_payment_of(const uuid& payment, const uuid& booking, date day_of_stay) {
  if (!std::equal(booking.begin(), booking.begin() + shared_bytes, payment.begin())) return false;
  const auto has_period = [&](std::optional<date> start) {
    for (std::size_t kind = 0; kind < payment_kind_names.size(); ++kind)
      if (payment_id(booking, static_cast<payment_kind>(kind), start) == payment) return true;
    return false;
  };
  if (has_period(std::nullopt)) return true;
  constexpr int months = 1'200;
  const auto month = first_of_month(day_of_stay);
  for (int distance = 0; distance <= months; ++distance) // most are near
    if (has_period(add_months(month, distance)) || has_period(add_months(month, -distance))) return true;
  return false;
}

booking_range bookings_of_payment(const uuid& payment) {
  constexpr std::uint8_t lowest = 0, highest = 0xff;
  booking_range range{payment, payment};
  std::fill(range.first.begin() + shared_bytes, range.first.end(), lowest);
  std::fill(range.last.begin() + shared_bytes, range.last.end(), highest);
  return range;
}

} // namespace roost::domain
