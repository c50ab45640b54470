#pragma once

#include "domain/unit.hpp"

#include <boost/container/static_vector.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace roost::listings {

/// The fees of a property that marketplace B lists as costs.
struct property_costs {
  domain::cleaning_fee cleaning_fee;
  std::optional<domain::money> monthly_bills, membership_fee, parking;
};

/// An amount that the tenant pays in addition to the rent (Partner API, Full-feed objects).
struct cost_line {
  std::string_view type;       ///< `security-deposit`, `administration-fee`, …
  domain::money value;         ///< above 0
  std::string_view payable_at; ///< `move-in` or `monthly`
  bool required = true;
  bool refundable = false;
  bool estimated = false;
};

/// The payer of all cost lines.
inline constexpr std::string_view costs_payable_by = "tenant";

inline constexpr std::array<std::string_view, 2> costs_payable_at{"move-in", "monthly"};

using cost_lines = boost::container::static_vector<cost_line, 6>;

/// Returns the positive amounts among the deposit, the admin fee and the property's fees. Included bills are
/// omitted, other bills are estimated. A tiered admin fee shows its highest tier as an estimate.
cost_lines costs_of(const domain::unit& terms, const property_costs& property);

} // namespace roost::listings
