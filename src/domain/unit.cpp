#include "domain/unit.hpp"

#include <algorithm>

namespace roost::domain {

std::string_view to_string(property_type type) {
  switch (type) {
  case property_type::apartment:
    return "apartment";
  case property_type::house:
    return "house";
  case property_type::studio:
    return "studio";
  case property_type::residence:
    break;
  }
  return "residence";
}

std::string_view to_string(part_month cost) {
  switch (cost) {
  case part_month::daily:
    return "daily";
  case part_month::fortnightly:
    return "fortnightly";
  case part_month::monthly:
    break;
  }
  return "monthly";
}

std::string_view to_string(unit_kind kind) {
  switch (kind) {
  case unit_kind::property:
    return "property";
  case unit_kind::room:
    return "room";
  case unit_kind::bed:
    break;
  }
  return "bed";
}

money headline_rent(const unit& of) {
  if (of.rent.fixed) return of.rent.amount;
  money highest;
  for (const auto& month : of.rent.per_month) highest = std::max(highest, month.rent);
  return highest;
}

bool has_usable_rent(const unit& of) {
  if (of.rent.fixed) return of.rent.amount > money{0};
  return !of.rent.per_month.empty() && std::ranges::all_of(of.rent.per_month, [](const month_rent& month) {
    return month.rent > money{0};
  });
}

money deposit_for_one(const unit& of) {
  if (of.deposit.mode == deposit_mode::fixed) return {of.deposit.value};
  return hundredths(headline_rent(of), of.deposit.value);
}

money admin_fee_for(const unit& of, date check_in, date check_out) {
  const auto& fee = of.admin_fee;
  if (!fee.enabled) return {};
  if (fee.mode == fee_mode::fixed) return fee.value;
  const auto stayed = (check_out - check_in).count();
  money value;
  for (const auto& tier : fee.tiers) // ascending: the last one that applies wins
    if (tier.from_days <= stayed) value = tier.value;
  return value;
}

money headline_admin_fee(const unit& of) {
  const auto& fee = of.admin_fee;
  if (!fee.enabled) return {};
  if (fee.mode == fee_mode::fixed) return round_up(fee.value);
  money highest;
  for (const auto& tier : fee.tiers) highest = std::max(highest, tier.value);
  return round_up(highest);
}

} // namespace roost::domain
