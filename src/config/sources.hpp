#pragma once

#include "config/findings.hpp"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::config {

/// One value that a layer gives, before anything is known about its key.
struct assignment {
  std::string section;
  std::string key; ///< empty: the value stands for the whole section
  std::shared_ptr<const toml::node> value;
  std::string source;     ///< the file's name, `default`, `environment` or `--set`
  std::uint32_t line = 0; ///< in the file; 0: in none

  /// `section.key`, or the section alone.
  std::string name() const;
  /// `config/my.toml:12`, or the source alone.
  std::string origin() const;
  /// The same for a part of the value that stands in another line.
  std::string origin(const toml::source_region& part) const;
};

/// A key as the environment and suggestions name it.
struct key_name {
  std::string section;
  std::string key;
};

/// The defaults that are built in.
std::vector<assignment> default_assignments(findings& findings);

/// The values of a TOML file, in the order of its lines. A file that cannot be read or parsed is a finding.
std::vector<assignment> file_assignments(const std::filesystem::path& file, findings& findings);

/// The values of ROOST_<SECTION>_<KEY>. Any other variable that begins with ROOST_ is a finding.
std::vector<assignment>
environment_assignments(std::span<const std::pair<std::string, std::string>> environment,
                        std::span<const key_name> known, findings& findings);

/// The values of `section.key=value` texts.
std::vector<assignment> set_assignments(std::span<const std::string> texts, findings& findings);

} // namespace roost::config
