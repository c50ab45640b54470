#pragma once

#include "config/problem.hpp"
#include "config/settings.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roost::config {

/// The origins of the effective values, see effective_value::origin.
struct origins {
  std::map<std::string, std::string, std::less<>> keys; ///< by `section.key`
  std::vector<std::string> platforms;                   ///< one per entry
  std::vector<std::string> short_term_hosts;
};

/// Runs the checks that need more than one value. Skips keys that already have a problem.
void check_together(const settings& settings, const origins& origins, findings& findings);

} // namespace roost::config
