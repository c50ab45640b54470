#pragma once

#include "config/problem.hpp"
#include "config/settings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::config {

/// The sources of settings on top of the built-in defaults, in ascending priority.
struct options {
  std::optional<std::filesystem::path> file; ///< --config: it must exist
  /// Without --config: the first of these that exists, if any.
  std::vector<std::filesystem::path> search = {"config/roost.toml", "/etc/roost/roost.toml"};
  std::vector<std::pair<std::string, std::string>>
      environment;              ///< names and values; see process_environment()
  std::vector<std::string> set; ///< --set: `section.key=value`
};

/// Returns every environment variable of this process whose name starts with `ROOST_`.
std::vector<std::pair<std::string, std::string>> process_environment();

/// Reads all layers: the built-in defaults, the file, the variables ROOST_<SECTION>_<KEY>, --set.
/// Throws `invalid` with the problems of all layers.
loaded load(const options& options);

/// Returns the effective configuration as a TOML document without secrets, each value with a comment
/// `# from …`.
std::string describe(const loaded& loaded);

/// A setting whose value differs between two configurations.
struct changed_value {
  std::string key; ///< `scheduler.slow_run`; for a list of tables or the roles only the section's name
  std::string before, now; ///< as TOML, passwords masked; empty for a list
};

/// Returns the differences between two configurations, sorted by key.
std::vector<changed_value> changes_between(const loaded& before, const loaded& now);

} // namespace roost::config
