#pragma once

#include "domain/ai_usage.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The part of the ledger that a page shows: whole UTC days, both inclusive.
struct usage_period {
  domain::date from, to;
  std::optional<domain::ai_feature> feature;

  domain::ai_usage_filter filter() const;
  /// Returns the period as the query of a URL.
  std::string query() const;
  /// Whether the period is shown by months, because it is too long for days.
  bool by_months() const;
};

/// Reads a query; the default is the last 30 days. Throws bad_request with a text for people, also for more
/// than three years.
usage_period read_usage_period(std::string_view query, domain::date today);

/// Returns the last 30 days.
usage_period default_usage_period(domain::date today);

/// A period that the page offers as a link.
struct usage_shortcut {
  std::string text;
  usage_period period;
};
std::vector<usage_shortcut> usage_shortcuts(domain::date today);

/// Returns a feature's name for people, such as `Landlord chat`.
std::string feature_title(domain::ai_feature feature);

/// Returns the days as CSV (RFC 4180) with a header line. Costs are exact. An apostrophe precedes texts that
/// a spreadsheet would run as a formula.
std::string usage_csv(const std::vector<domain::ai_usage_day>& days);

} // namespace roost::http
