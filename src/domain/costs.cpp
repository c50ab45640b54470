#include "domain/costs.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

money highest_tier(const admin_fee& fee) {
  money highest;
  for (const auto& tier : fee.tiers) highest = std::max(highest, tier.value);
  return highest;
}

} // namespace

cost_lines costs_of(const unit& terms, const property_costs& property) {
  cost_lines lines;
  const auto add = [&](const cost_line& line) {
    if (line.value > money{}) lines.push_back(line);
  };
  const auto& fee = terms.admin_fee;
  const bool tiered = fee.mode == fee_mode::tiered && !fee.tiers.empty();
  add({.type = "security-deposit",
       .value = deposit_for_one(terms),
       .payable_at = "move-in",
       .refundable = true});
  if (fee.enabled)
    add({.type = "administration-fee",
         .value = tiered ? highest_tier(fee) : round_up(fee.value),
         .payable_at = "move-in",
         .estimated = tiered});
  if (property.cleaning_fee.enabled)
    add({.type = "cleaning-fee", .value = property.cleaning_fee.value, .payable_at = "monthly"});
  add({.type = "membership-fee",
       .value = property.membership_fee.value_or(money{}),
       .payable_at = "move-in"});
  add({.type = "parking",
       .value = property.parking.value_or(money{}),
       .payable_at = "monthly",
       .required = false});
  if (!terms.bills.included)
    add({.type = "other-additional-costs",
         .value = property.monthly_bills.value_or(money{}),
         .payable_at = "monthly",
         .estimated = true});
  return lines;
}

} // namespace roost::domain
