#pragma once

#include "config/formats.hpp"
#include "config/settings.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::config {

/// The description of one key: its name, type, check and help. Reading, reporting and printing
/// of settings follow these rules; the defaults are in config/roost.toml, which is compiled in.
template <class Target>
struct rule {
  std::string_view section;
  std::string_view key;
  std::string_view help; ///< one line
  bool secret = false;
  bool required = false;                                ///< in each entry of a list of tables
  std::function<void(Target&, const toml::node&)> read; ///< throws refusal

  std::string name() const { return std::string(section).append(".").append(key); }
};

/// The keys of all sections with fixed keys, in the order of config/roost.toml.
const std::vector<rule<settings>>& setting_rules();

/// The keys of an entry of [[platforms]].
const std::vector<rule<domain::platform>>& platform_rules();

/// The keys of an entry of [[short_term_hosts]].
const std::vector<rule<domain::short_term_host>>& short_term_host_rules();

/// The sections without fixed keys: the roles, and the lists of tables.
inline constexpr std::string_view roles_section = "roles";
inline constexpr std::string_view platforms_section = "platforms";
inline constexpr std::string_view short_term_hosts_section = "short_term_hosts";

} // namespace roost::config
