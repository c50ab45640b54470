#pragma once

#include "config/settings.hpp"
#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::testing {

/// Returns the portfolio in a file, which must have no problem.
domain::portfolio parsed_portfolio(const std::string& text, const config::settings& settings);

/// Exports all accounts as a file, and imports it again. Returns descriptions of what that refuses or
/// changes: nothing should.
std::vector<std::string> export_differences(store::session& db, const config::settings& settings);

} // namespace roost::testing
