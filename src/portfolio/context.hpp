#pragma once

#include "domain/platform.hpp"

#include <cstddef>
#include <functional>
#include <string>
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

} // namespace roost::portfolio
