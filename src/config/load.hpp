#pragma once

#include "config/loaded.hpp"
#include "config/problem.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::config {

/// Where settings come from, besides the defaults that are built in; what comes later wins.
struct options {
  std::optional<std::filesystem::path> file; ///< --config: it must exist
  /// Without --config: the first of these that exists, if any.
  std::vector<std::filesystem::path> search = {"config/roost.toml", "/etc/roost/roost.toml"};
  std::vector<std::pair<std::string, std::string>>
      environment;              ///< names and values; see process_environment()
  std::vector<std::string> set; ///< --set: `section.key=value`
};

/// Every variable of this process's environment whose name starts with `ROOST_`.
std::vector<std::pair<std::string, std::string>> process_environment();

/// Reads every layer: the built-in defaults, the file, ROOST_<SECTION>_<KEY> of the environment, --set.
/// Throws `invalid` with all that is wrong in all of them.
loaded load(const options& options);

/// The effective configuration as a TOML document with a comment `# from …` at each value; no secrets.
std::string describe(const loaded& loaded);

} // namespace roost::config
