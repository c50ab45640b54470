#pragma once

#include "config/load.hpp"
#include "domain/storable_text.hpp"
#include "fuzz/support/memory_file.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"

#include <optional>

/// Properties of all configurations.
namespace roost::fuzz {

/// Loads a configuration; nullopt if it is invalid. Requires that its problems are readable.
inline std::optional<config::loaded> load_configuration(const config::options& options) {
  try {
    return config::load(options);
  } catch (const config::invalid& invalid) {
    require(!invalid.problems().empty(), "an invalid configuration has a problem");
    for (const auto& problem : invalid.problems()) {
      require(!problem.where.empty() && !problem.text.empty(), "a problem has a place and a text");
      require_one_line(config::to_string(problem));
      require(domain::is_storable(config::to_string(problem)), "a problem is UTF-8");
    }
    return std::nullopt;
  }
}

/// Requires that a described configuration is loaded as the same, except for masked passwords.
inline void check_description(const config::loaded& loaded) {
  const auto text = config::describe(loaded);
  // Paths may contain other bytes than UTF-8, which TOML does not allow.
  if (text.find("***") != std::string::npos || !domain::is_storable(text)) return;
  static memory_file file;
  file.write(text);
  config::options options;
  options.file = file.path();
  const auto again = load_configuration(options);
  require(again.has_value(), "a described configuration is valid");
  require(config::changes_between(loaded, *again).empty(), "a described configuration is the same");
}

} // namespace roost::fuzz
