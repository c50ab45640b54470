#pragma once

#include "config/checks.hpp"
#include "config/findings.hpp"
#include "config/loaded.hpp"
#include "config/rules.hpp"
#include "config/sources.hpp"

#include <map>
#include <string>
#include <vector>

namespace roost::config {

/// Applies layers of assignments, the weakest first, and makes the settings of them.
class reader {
public:
  explicit reader(findings& findings) : findings_(findings) {}

  void apply(const std::vector<assignment>& layer);

  /// Every key with a fixed name, and the roles of the layers so far.
  std::vector<key_name> known_names() const;

  /// What the layers so far have made, unchecked.
  const settings& values() const { return values_; }

  /// Checks the whole. Throws `invalid` when there is any finding of this or of an earlier step.
  loaded finish();

private:
  void apply(const assignment& assignment);
  void apply_role(const assignment& assignment);
  void apply_setting(const assignment& assignment, const rule<settings>& rule);
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
  std::map<std::string, assignment> in_force_; ///< by name
};

/// What `roost config` tells: the assignments in force as TOML, passwords masked.
std::vector<effective_section> effective_sections(const std::map<std::string, assignment>& in_force);

} // namespace roost::config
