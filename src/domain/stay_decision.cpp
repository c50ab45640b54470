#include "domain/stay_decision.hpp"

#include <algorithm>

namespace roost::domain {

std::optional<money> provider_payment_of(const bookable_unit& unit, const requested_stay& stay) {
  if (unit.sold_on == nullptr) return stay.provider_payment.value_or(money{});
  return provider_payment_of(unit.terms.unit, unit.sold_on->kind, unit.terms.card, stay.check_in,
                             stay.occupants, stay.provider_payment);
}

booking_terms terms_of(const bookable_unit& unit, const requested_stay& stay, money payment) {
  return make_booking_terms(unit.terms,
                            {stay.check_in, stay.check_out, stay.occupants, payment, stay.confirmed_on});
}

std::vector<stay_warning> warnings_of(const unit& unit, const requested_stay& stay) {
  const int min_months = unit.min_stay_months.value_or(0), max_months = unit.max_stay_months.value_or(0);
  std::vector<stay_warning> warnings;
  if (stay.occupants > unit.capacity) warnings.push_back(stay_warning::above_capacity);
  if (min_months > 0 && stay.check_out < add_months(stay.check_in, min_months))
    warnings.push_back(stay_warning::shorter_than_minimum);
  if (max_months > 0 && stay.check_out > add_months(stay.check_in, max_months))
    warnings.push_back(stay_warning::longer_than_maximum);
  return warnings;
}

std::vector<nights> taken_nights(const calendar& calendar, const nights& among) {
  std::vector<nights> taken;
  for (const auto& block : calendar.blocks()) { // ascending by first night
    if (!overlap(block.nights, among)) continue;
    const nights part{std::max(block.nights.first, among.first), std::min(block.nights.last, among.last)};
    if (!taken.empty() && part.first <= taken.back().last + days{1})
      taken.back().last = std::max(taken.back().last, part.last);
    else
      taken.push_back(part);
  }
  return taken;
}

std::optional<refusal> taken_by(const calendar& calendar, const nights& stay,
                                const std::optional<uuid>& claimed_hold) {
  std::optional<refusal> reason;
  for (const auto& block : calendar.blocks()) {
    if (!overlap(block.nights, stay) || block.id == claimed_hold) continue;
    if (block.source != block_source::hold) return refusal::overlapping_nights;
    reason = refusal::held_nights;
  }
  return reason;
}

stay_decision decide(const bookable_unit& unit, const requested_stay& stay, const calendar& calendar) {
  stay_decision decision;
  decision.warnings = warnings_of(unit.terms.unit, stay);
  const bool is_in_order = stay.check_in < stay.check_out;
  if (is_in_order) decision.taken = taken_nights(calendar, stay_nights(stay.check_in, stay.check_out));
  for_each_refusal(
      unit, stay, decision.provider_payment, [&](const nights& among) { return taken_by(calendar, among); },
      [&](refusal reason) {
        decision.refusals.push_back(reason);
        return false;
      });
  if (!is_in_order) return decision;
  decision.blocked = booked_nights(stay.check_in, stay.check_out, unit.terms.unit.preparation_days);
  decision.terms = std::make_shared<const booking_terms>(terms_of(unit, stay, decision.provider_payment));
  return decision;
}

stay_costs costs_of(const std::vector<payment_line>& plan, const unit& unit, const requested_stay& stay) {
  stay_costs costs;
  for (const auto& line : plan) {
    switch (line.kind) {
    case payment_kind::rent:
      costs.rent.push_back(
          {line.period->first, (line.period->last - line.period->first).count() + 1, line.amount});
      break;
    case payment_kind::deposit:
      costs.deposit = costs.deposit + line.amount;
      break;
    case payment_kind::admin_fee:
      costs.admin_fee = costs.admin_fee + line.amount;
      break;
    case payment_kind::cleaning_fee:
      costs.cleaning_fee = costs.cleaning_fee + line.amount;
      break;
    case payment_kind::exit_fee:
      costs.exit_fee = costs.exit_fee + line.amount;
      break;
    case payment_kind::provider_platform_payment:
      break;
    }
  }
  std::ranges::sort(costs.rent, {}, &month_of_stay::first_night); // the plan is sorted by due date
  if (const auto* tier = admin_fee_tier_for(unit, stay.check_in, stay.check_out))
    costs.admin_fee_from_days = tier->from_days;
  costs.total = total_owed(plan);
  return costs;
}

stay_quote quote_of(const bookable_unit& unit, const requested_stay& stay, const calendar& calendar) {
  stay_quote quote{decide(unit, stay, calendar), {}, unit.terms.account.currency};
  quote.costs = costs_of(quote.decision.terms->plan, unit.terms.unit, stay);
  return quote;
}

} // namespace roost::domain
