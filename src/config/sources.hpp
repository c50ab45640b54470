#pragma once

#include "config/problem.hpp"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace roost::config {

/// One value from a layer, before its key is checked.
struct assignment {
  std::string section;
  std::string key; ///< empty: the value is the whole section
  std::shared_ptr<const toml::node> value;
  std::string source;     ///< the file name, `default`, `environment` or `--set`
  std::uint32_t line = 0; ///< 0: not from a file

  /// `section.key`, or only the section.
  std::string name() const;
  /// `config/my.toml:12`, or only the source.
  std::string origin() const;
  /// The origin of a part of the value, which may be on another line.
  std::string origin(const toml::source_region& part) const;
};

/// Returns the built-in defaults.
std::vector<assignment> default_assignments(findings& findings);

/// Returns the values of a TOML file in the order of its lines. Reports a file that cannot be read or parsed.
std::vector<assignment> file_assignments(const std::filesystem::path& file, findings& findings);

/// Returns the values of ROOST_<SECTION>_<KEY>. Reports any other variable that begins with ROOST_. `known`
/// has all names, `section.key`.
std::vector<assignment>
environment_assignments(std::span<const std::pair<std::string, std::string>> environment,
                        std::span<const std::string> known, findings& findings);

/// Returns the values of `section.key=value` texts.
std::vector<assignment> set_assignments(std::span<const std::string> texts, findings& findings);

} // namespace roost::config
