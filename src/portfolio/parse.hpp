#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/context.hpp"
#include "portfolio/problem.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace roost::portfolio {

/// Reads a portfolio file (format `roost-portfolio/1`) and checks every rule that the file alone can break.
/// Returns all of its problems in the document's order; of a text that is no JSON, only where it breaks. A
/// block whose id is null keeps the nil id; times of creation and change are not set.
std::variant<domain::portfolio, std::vector<problem>> parse(std::string_view document, const context& with);

} // namespace roost::portfolio
