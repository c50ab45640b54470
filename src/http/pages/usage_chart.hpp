#pragma once

#include "http/pages/usage_period.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace roost::http {

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
