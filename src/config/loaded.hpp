#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace roost::config {

/// An effective setting.
struct effective_value {
  std::string key;
  std::string value;  ///< as TOML; passwords are masked
  std::string origin; ///< `default`, `config/my.toml:12`, `environment` or `--set`
  std::string help;
};

/// The settings below one header.
struct effective_section {
  std::string header; ///< `[server]`, `[[platforms]]`
  std::vector<effective_value> values;
};

/// A changed setting that has no effect in combination with the others.
struct idle_setting {
  std::string key; ///< `section.key`
  std::string reason;
};

/// A loaded configuration with what `roost config` prints about it.
struct loaded {
  settings values;
  std::vector<effective_section> sections;
  std::vector<idle_setting> idle;
};

} // namespace roost::config
