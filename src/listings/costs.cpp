#include "listings/costs.hpp"

namespace roost::listings {

using domain::deposit_for_one, domain::fee_mode, domain::headline_admin_fee, domain::money, domain::property,
    domain::unit;

cost_lines costs_of(const unit& terms, const property_costs& property) {
  cost_lines lines;
  const auto add = [&](const cost_line& line) {
    if (line.value > money{}) lines.push_back(line);
  };
  add({.type = "security-deposit",
       .value = deposit_for_one(terms),
       .payable_at = "move-in",
       .refundable = true});
  add({.type = "administration-fee",
       .value = headline_admin_fee(terms),
       .payable_at = "move-in",
       .estimated = terms.admin_fee.mode == fee_mode::tiered});
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

} // namespace roost::listings
