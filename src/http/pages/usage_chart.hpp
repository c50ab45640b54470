#pragma once

#include "http/pages/usage_steps.hpp"

#include <cstddef>
#include <string>

namespace roost::http {

/// Stacked columns as SVG, which gets its colours from the style sheet: a column for each step, a part of it
/// for each feature, with its cost as its title. It says nothing that the page's table does not.
std::string usage_chart(const usage_steps& of);

/// The number of a feature's colour, from 1: the same on every page.
std::size_t series_of(domain::ai_feature feature);

} // namespace roost::http
