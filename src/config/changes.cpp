#include "config/changes.hpp"

#include <algorithm>
#include <map>

namespace roost::config {

namespace {

/// Sections whose keys are not fixed: they are compared as a whole.
bool is_list(const std::string& header) { return header.starts_with("[[") || header == "[roles]"; }

std::string name_of(const std::string& header) {
  const auto begin = header.find_first_not_of('[');
  return header.substr(begin, header.find(']') - begin);
}

/// The values by key. A list is one value.
std::map<std::string, std::string> values_of(const loaded& configuration) {
  std::map<std::string, std::string> values;
  for (const auto& section : configuration.sections) {
    const auto name = name_of(section.header);
    for (const auto& each : section.values) {
      if (is_list(section.header))
        values[name] += each.key + '=' + each.value + '\n';
      else
        values[name + '.' + each.key] = each.value;
    }
    if (is_list(section.header)) values[name] += '\n';
  }
  return values;
}

/// Texts that are alike only because a password is masked.
bool differs_in_secret(const std::string& key, const settings& before, const settings& now) {
  if (key == "store.url") return before.store.url != now.store.url;
  if (key == "mail.transport") return before.mail.transport != now.mail.transport;
  return false;
}

} // namespace

std::vector<changed_value> changes_between(const loaded& before, const loaded& now) {
  std::vector<changed_value> changes;
  auto earlier = values_of(before);
  const auto later = values_of(now);
  for (const auto& [key, value] : later) earlier.try_emplace(key);
  for (const auto& [key, old_value] : earlier) {
    const auto found = later.find(key);
    const auto value = found == later.end() ? std::string{} : found->second;
    if (value == old_value && !differs_in_secret(key, before.values, now.values)) continue;
    const bool is_whole = key.find('.') == std::string::npos;
    changes.push_back({key, is_whole ? "" : old_value, is_whole ? "" : value});
  }
  return changes;
}

} // namespace roost::config
