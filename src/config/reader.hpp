#pragma once

#include "config/formats.hpp"
#include "config/problem.hpp"
#include "config/settings.hpp"
#include "config/sources.hpp"

#include <functional>
#include <map>
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

/// The origins of the effective values, see effective_value::origin.
struct origins {
  std::map<std::string, std::string, std::less<>> keys; ///< by `section.key`
  std::vector<std::string> platforms;                   ///< one per entry
  std::vector<std::string> short_term_hosts;
};

/// Runs the checks that need more than one value. Skips keys that already have a problem.
void check_together(const settings& settings, const origins& origins, findings& findings);

/// Builds the settings from layers of assignments, applied in ascending priority.
class reader {
public:
  explicit reader(findings& findings) : findings_(findings) {}

  void apply(const std::vector<assignment>& layer);

  /// Returns the names of all keys with fixed names, and of the roles of the layers applied so far.
  std::vector<std::string> known_names() const;

  /// The settings from the layers applied so far, unchecked.
  const settings& values() const { return values_; }

  /// Checks the result. Throws `invalid` if this or an earlier step has found a problem.
  loaded finish();

private:
  void apply(const assignment& assignment);
  void apply_value(const assignment& assignment, const std::function<void()>& read);
  template <class Entry>
  void apply_entries(const assignment& list, const std::vector<rule<Entry>>& rules,
                     std::vector<Entry>& entries, std::vector<std::string>& origins);
  template <class Entry>
  Entry read_entry(const assignment& list, const toml::table& table, const std::string& name,
                   const std::vector<rule<Entry>>& rules);
  void report_unknown(const assignment& assignment);

  findings& findings_;
  settings values_;
  origins origins_;
  std::map<std::string, assignment> effective_; ///< by name
};

} // namespace roost::config
