#include "domain/listing_edit.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

constexpr unsigned months_a_year = 12;

rent_terms edited_rent(const rent_terms& before, const listing_edit& edit, timestamp now) {
  rent_terms rent{edit.rent_fixed, edit.rent, {}};
  if (edit.rent_fixed) return rent;
  for (unsigned month = 1; month <= months_a_year; ++month) {
    const auto sent = edit.per_month.find(month);
    rent.per_month.push_back(
        {.month = month, .rent = sent != edit.per_month.end() ? sent->second : edit.rent});
  }
  set_times(rent, before, now);
  return rent;
}

std::optional<int> edited_limit(const std::optional<int>& before, int sent) {
  return before.value_or(0) == sent ? before : sent;
}

std::string json_of(bool flag) { return flag ? "true" : "false"; }
std::string json_of(money amount) { return to_string(amount); }
std::string json_of(const std::optional<int>& number) { return number ? std::to_string(*number) : "null"; }
std::string json_of(const month_rent* month) { return month ? to_string(month->rent) : "null"; }

} // namespace

bool are_stay_limits(int min_months, int max_months) { return max_months == 0 || min_months <= max_months; }

editable_terms edited(const editable_terms& before, const listing_edit& edit, timestamp now) {
  return {.rent = edited_rent(before.rent, edit, now),
          .min_stay_months = edited_limit(before.min_stay_months, edit.min_stay_months),
          .max_stay_months = edited_limit(before.max_stay_months, edit.max_stay_months),
          .extra_price_per_tenant = edit.extra_price_per_tenant};
}

void apply(const editable_terms& terms, unit& to) {
  to.rent = terms.rent;
  to.min_stay_months = terms.min_stay_months;
  to.max_stay_months = terms.max_stay_months;
  to.extra_price_per_tenant = terms.extra_price_per_tenant;
}

std::vector<field_change> changes_between(const editable_terms& before, const editable_terms& after) {
  std::vector<field_change> changes;
  const auto compare = [&](std::string field, const auto& old_value, const auto& new_value) {
    auto old_json = json_of(old_value), new_json = json_of(new_value);
    if (old_json != new_json) changes.push_back({std::move(field), std::move(old_json), std::move(new_json)});
  };
  compare("isRentFixed", before.rent.fixed, after.rent.fixed);
  compare("rent", before.rent.amount, after.rent.amount);
  for (unsigned month = 1; month <= months_a_year; ++month)
    compare("rentsPerMonth." + std::to_string(month), find_month(before.rent, month),
            find_month(after.rent, month));
  compare("minStayPeriod", before.min_stay_months, after.min_stay_months);
  compare("maxStayPeriod", before.max_stay_months, after.max_stay_months);
  compare("extraPricePerTenant", before.extra_price_per_tenant, after.extra_price_per_tenant);
  return changes;
}

} // namespace roost::domain
