#pragma once

#include "config/findings.hpp"
#include "config/settings.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roost::config {

/// Where the values in force came from.
struct origins {
  std::map<std::string, std::string, std::less<>> keys; ///< by `section.key`
  std::vector<std::string> platforms;                   ///< one for each entry
  std::vector<std::string> short_term_hosts;
};

/// The checks that need more than one value. Keys that are a finding already are left alone.
void check_together(const settings& settings, const origins& origins, findings& findings);

} // namespace roost::config
