#pragma once

#include "cli/context.hpp"
#include "domain/portfolio.hpp"

#include <string>
#include <vector>

namespace roost::cli {

/// Prints what imports of these files would do to the store, each on its own. The exit status: 1 where a file
/// contradicts the store. Changes nothing.
int print_plans(const common_options& common, const config::settings& settings,
                const std::vector<std::string>& names, std::vector<domain::portfolio> files);

} // namespace roost::cli
