#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"
#include "portfolio/words.hpp"

#include <algorithm>

namespace roost::portfolio {

namespace {

using domain::fee_mode;

constexpr int max_days = 36'500;
constexpr std::int64_t deposit_multiple_limit = 100;

bool read_month_rent(reader& in, const std::vector<domain::month_rent>& others, domain::month_rent& to) {
  int month = 0; // no month while it is bad
  const auto read_month = [&] {
    if (!read_integer(in, month, 1, 12)) return false;
    const auto is_same = [&](const auto& other) { return other.month == static_cast<unsigned>(month); };
    return std::ranges::none_of(others, is_same) || in.refuse("is priced already");
  };
  const bool good = in.object({
      required("month", read_month),
      required("rent", [&] { return read_amount(in, to.rent); }),
  });
  to.month = static_cast<unsigned>(month);
  return good;
}

bool read_tier(reader& in, const std::vector<domain::admin_fee_tier>& others, domain::admin_fee_tier& to) {
  to.from_days = 0; // below every other while it is bad
  const auto read_from = [&] {
    if (!read_integer(in, to.from_days, 1, max_days)) return false;
    const bool ascends = others.empty() || others.back().from_days < to.from_days;
    return ascends || in.refuse("must be greater than the one before");
  };
  return in.object({
      required("fromDays", read_from),
      required("value", [&] { return read_amount(in, to.value); }),
  });
}

} // namespace

bool read_rent(reader& in, domain::rent_terms& to) {
  bool has_amount = false, has_months = false;
  const auto read_amount_of_month = [&] {
    has_amount = true;
    return read_amount(in, to.amount);
  };
  const auto read_months = [&] {
    has_months = true;
    return in.list(to.per_month, [&](auto& month) { return read_month_rent(in, to.per_month, month); });
  };
  if (!in.object({
          optional("fixed", [&] { return read_boolean(in, to.fixed); }),
          optional("amount", read_amount_of_month),
          optional("perMonth", read_months),
      }))
    return false;
  std::ranges::sort(to.per_month, {}, &domain::month_rent::month);
  if (to.fixed && !to.per_month.empty())
    return in.refuse_member("perMonth", "must be left out when the rent is fixed");
  if (to.fixed && !has_amount) return in.refuse_member("amount", "is required when the rent is fixed");
  if (!to.fixed && has_amount) return in.refuse_member("amount", "must be left out when the rent varies");
  if (!to.fixed && !has_months) return in.refuse_member("perMonth", "is required when the rent varies");
  return true;
}

bool read_admin_fee(reader& in, domain::admin_fee& to) {
  to.enabled = true; // who names a fee means one
  bool has_value = false;
  const auto read_value = [&] {
    has_value = true;
    return read_amount(in, to.value);
  };
  const auto read_tiers = [&] {
    return in.list(to.tiers, [&](auto& tier) { return read_tier(in, to.tiers, tier); });
  };
  if (!in.object({
          optional("enabled", [&] { return read_boolean(in, to.enabled); }),
          optional("mode", [&] { return read_choice(in, to.mode, fee_modes); }),
          optional("value", read_value),
          optional("tiers", read_tiers),
      }))
    return false;
  const bool tiered = to.mode == fee_mode::tiered;
  if (tiered && has_value) return in.refuse_member("value", "must be left out when the fee is tiered");
  if (tiered && to.tiers.empty())
    return in.refuse_member("tiers", "must not be empty when the fee is tiered");
  if (!tiered && !to.tiers.empty())
    return in.refuse_member("tiers", "must be left out when the fee is fixed");
  if (!tiered && to.enabled && !has_value)
    return in.refuse_member("value", "is required when the fee is fixed");
  return true;
}

bool read_deposit(reader& in, domain::deposit_terms& to) {
  // The value's unit is the mode's: it is read as hundredths, which are cents too.
  const bool multiple = in.peek_text("mode") == "rentMultiple";
  const auto limit = multiple ? deposit_multiple_limit : domain::amount_limit.cents / 100;
  return in.object({
      required("mode", [&] { return read_choice(in, to.mode, deposit_modes); }),
      required("value", [&] { return read_hundredths(in, to.value, limit); }),
  });
}

bool read_bills(reader& in, domain::bills_terms& to) {
  const auto read_cap = [&](domain::money& cap) { return read_amount(in, cap); };
  return in.object({
      optional("included", [&] { return read_boolean(in, to.included); }),
      optional("maxValue", [&] { return in.nullable(to.max_value, read_cap); }),
  });
}

} // namespace roost::portfolio
