#pragma once

#include "domain/unit.hpp"

#include <boost/container/static_vector.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace roost::listings {

/// The amounts of a property that marketplace B lists as costs.
struct property_costs {
  domain::cleaning_fee cleaning_fee;
  std::optional<domain::money> monthly_bills, membership_fee, parking;
};

/// One amount that the tenant pays beside the rent (Partner API, Full-feed objects).
struct cost_line {
  std::string_view type;       ///< `security-deposit`, `administration-fee`, …
  domain::money value;         ///< above 0
  std::string_view payable_at; ///< `move-in` or `monthly`
  bool required = true;
  bool refundable = false;
  bool estimated = false;
};

/// Everybody who pays one of these lines is the tenant.
inline constexpr std::string_view costs_payable_by = "tenant";

inline constexpr std::array<std::string_view, 2> costs_payable_at{"move-in", "monthly"};

using cost_lines = boost::container::static_vector<cost_line, 6>;

/// Deposit, fees, and what the property adds, as far as they are positive. Included bills are left out; bills
/// that are not are estimated. A tiered admin fee shows its highest tier as an estimate.
cost_lines costs_of(const domain::unit& terms, const property_costs& property);

} // namespace roost::listings
