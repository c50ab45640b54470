#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// What of the file cannot stand beside what the store holds of other accounts, each as
/// `JSON pointer: what is wrong`.
std::vector<std::string> portfolio_conflicts(session& db, const domain::portfolio& file);

} // namespace roost::store
