#pragma once

#include "config/loaded.hpp"

#include <string>
#include <vector>

namespace roost::config {

/// A setting that two configurations do not have in common.
struct changed_value {
  std::string key; ///< `scheduler.slow_run`; of a list of tables or the roles the section's name alone
  std::string before, now; ///< as TOML, passwords masked; empty for a list
};

/// What differs between two configurations, in the order of their keys.
std::vector<changed_value> changes_between(const loaded& before, const loaded& now);

} // namespace roost::config
