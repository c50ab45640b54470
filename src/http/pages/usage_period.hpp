#pragma once

#include "domain/ai_usage.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// What part of the ledger a page shows: whole UTC days, both inclusive.
struct usage_period {
  domain::date from, to;
  std::optional<domain::ai_feature> feature;

  domain::ai_usage_filter filter() const;
  /// As it stands in an address.
  std::string query() const;
  /// Whether it is too long to be shown by days: then it is by months.
  bool by_months() const;
};

/// The longest one.
inline constexpr domain::days longest_usage_period{3 * 366};

/// What a query asks for; what it leaves out is the last 30 days. Throws bad_request with a text for people.
usage_period read_usage_period(std::string_view query, domain::date today);

/// The last 30 days.
usage_period usual_usage_period(domain::date today);

/// A period that many ask for.
struct usage_shortcut {
  std::string text;
  usage_period period;
};
std::vector<usage_shortcut> usage_shortcuts(domain::date today);

/// `Landlord chat`.
std::string feature_title(domain::ai_feature feature);

/// The days as a table for other programs (RFC 4180), with a line of names. Costs are exact. A text that a
/// spreadsheet would take for a formula has an apostrophe before it.
std::string usage_csv(const std::vector<domain::ai_usage_day>& days);

} // namespace roost::http
