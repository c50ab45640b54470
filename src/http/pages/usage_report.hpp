#pragma once

#include "domain/ai_usage.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The parts of the AI usage page: its period, chart and CSV.
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

/// The costs of a day or a month.
struct usage_step {
  std::string name; ///< `2026-11-20`, or `2026-11`
  std::map<domain::ai_feature, domain::decimal> costs;
  domain::decimal cost; ///< the total
};

/// All days or months of a period.
struct usage_steps {
  std::vector<domain::ai_feature> features; ///< those that were used, in their declared order
  std::vector<usage_step> steps;
};

usage_steps steps_of(const usage_period& period, const std::vector<domain::ai_usage_day>& days);

/// Returns an SVG of stacked columns, with colors from the style sheet: one column per step, with one part
/// per feature and its cost as the title. The page's table contains the same data.
std::string usage_chart(const usage_steps& steps);

/// Returns the number of a feature's color, from 1: the same on every page.
std::size_t series_of(domain::ai_feature feature);

} // namespace roost::http
