#pragma once

#include "domain/unit.hpp"
#include "json/object.hpp"

#include <boost/container/static_vector.hpp>

#include <array>
#include <optional>
#include <span>
#include <string_view>

/// What a tenant pays in addition to the rent, as listings show it.
namespace roost::listings {

/// An amount that the tenant pays in addition to the rent (Partner API, Full-feed objects).
struct cost_line {
  std::string_view type;       ///< `security-deposit`, `administration-fee`, …
  domain::money value;         ///< above 0
  std::string_view payable_at; ///< `move-in` or `monthly`
  bool required = true;
  bool refundable = false;
  bool estimated = false;
};

using cost_lines = boost::container::static_vector<cost_line, 6>;

/// Returns the positive amounts among the deposit, the admin fee and the fees of the property (a
/// domain::property or its property_terms). Included bills are omitted, other bills are estimated. A tiered
/// admin fee shows its highest tier as an estimate.
template <typename Property = domain::property_terms>
cost_lines costs_of(const domain::unit& terms, const Property& property) {
  constexpr std::string_view move_in = "move-in", monthly = "monthly";
  constexpr domain::money none;
  cost_lines lines;
  const auto add = [&](const cost_line& line) {
    if (line.value > none) lines.push_back(line);
  };
  add({.type = "security-deposit",
       .value = deposit_for_one(terms),
       .payable_at = move_in,
       .refundable = true});
  add({.type = "administration-fee",
       .value = headline_admin_fee(terms),
       .payable_at = move_in,
       .estimated = terms.admin_fee.mode == domain::fee_mode::tiered});
  add({"cleaning-fee", property.cleaning_fee.charged(), monthly});
  add({"membership-fee", property.membership_fee.value_or(none), move_in});
  add({.type = "parking",
       .value = property.parking.value_or(none),
       .payable_at = monthly,
       .required = false});
  if (!terms.bills.included)
    add({.type = "other-additional-costs",
         .value = property.monthly_bills.value_or(none),
         .payable_at = monthly,
         .estimated = true});
  return lines;
}

inline constexpr std::array<std::string_view, 2> costs_payable_at{"move-in", "monthly"};

/// The members of a cost line that all formats have.
inline constexpr auto cost_conditions = json::object<cost_line>(
    "",
    json::member(
        "payableBy", [](const cost_line&) { return json::plain_text{"tenant"}; }, "Who pays: always tenant"),
    json::member(
        "payableAt", [](const cost_line& line) { return json::plain_text{line.payable_at}; },
        "move-in: once; monthly: each month", json::one_of{costs_payable_at}),
    json::member("required", &cost_line::required, "Whether every tenant pays it; false for parking only"),
    json::member("refundable", &cost_line::refundable, "Whether it is paid back; true for the deposit only"),
    json::member("isEstimated", &cost_line::estimated,
                 "Whether the amount can differ: bills, and a tiered fee, which shows its highest tier"));

/// Returns the mode of the admin fee: fixed if there is none.
inline domain::fee_mode shown_fee_mode(const domain::unit& terms) {
  return terms.admin_fee.enabled ? terms.admin_fee.mode : domain::fee_mode::fixed;
}

/// Returns the tiers of the admin fee; empty unless it is tiered.
inline std::span<const domain::admin_fee_tier> shown_tiers(const domain::unit& terms) {
  if (shown_fee_mode(terms) != domain::fee_mode::tiered) return {};
  return terms.admin_fee.tiers;
}

/// Returns the cap of included bills; nullopt if there is none, or if bills are not included.
inline std::optional<domain::money> included_bills(const domain::unit& terms) {
  return terms.bills.included ? terms.bills.max_value : std::nullopt;
}

} // namespace roost::listings
