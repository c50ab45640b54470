#pragma once

#include "domain/platform.hpp"
#include "domain/portfolio.hpp"
#include "portfolio/problem.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::portfolio {

/// What the configuration adds to the rules of a portfolio file.
struct context {
  std::vector<domain::platform> platforms;
  std::vector<std::string> roles;
  std::vector<std::string> short_term_hosts;
  /// Told how many bytes of the file are read, about once a megabyte and at its end. May be empty.
  std::function<void(std::size_t bytes)> progress;
};

/// Reads a portfolio file (format `roost-portfolio/1`) and checks every rule that the file alone can break.
/// Answers all of its problems in the document's order; of a text that is no JSON, only where it breaks. A
/// block whose id is null keeps the nil id; times of creation and change are not set.
std::variant<domain::portfolio, std::vector<problem>> parse(std::string_view document, const context& with);

} // namespace roost::portfolio
