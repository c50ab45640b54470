#pragma once

#include "http/pages/usage_period.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace roost::http {

/// What a day or a month of a period cost.
struct usage_step {
  std::string name; ///< `2026-11-20`, or `2026-11`
  std::map<domain::ai_feature, domain::decimal> costs;
  domain::decimal cost; ///< of all features
};

/// A period's days or months, without a gap.
struct usage_steps {
  std::vector<domain::ai_feature> features; ///< that were used at all, in their own order
  std::vector<usage_step> steps;
};

usage_steps steps_of(const usage_period& period, const std::vector<domain::ai_usage_day>& days);

/// Stacked columns as SVG, which gets its colours from the style sheet: a column for each step, a part of it
/// for each feature, with its cost as its title. It says nothing that the page's table does not.
std::string usage_chart(const usage_steps& of);

/// The number of a feature's colour, from 1: the same on every page.
std::size_t series_of(domain::ai_feature feature);

} // namespace roost::http
