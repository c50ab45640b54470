#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// Conflicts of the file with other accounts of the store, each as `JSON pointer: what is wrong`.
std::vector<std::string> portfolio_conflicts(session& db, const domain::portfolio& file);

} // namespace roost::store
