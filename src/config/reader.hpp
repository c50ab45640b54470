#pragma once

#include "config/problem.hpp"
#include "config/rules.hpp"
#include "config/settings.hpp"
#include "config/sources.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace roost::config {

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
