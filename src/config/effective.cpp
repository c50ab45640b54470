#include "config/reader.hpp"
#include "config/text.hpp"

#include <algorithm>

namespace roost::config {

namespace {

/// A value as TOML writes it, on one line.
std::string toml_text(const toml::node& node, bool secret) {
  if (const auto* text = node.as_string()) return in_quotes(secret ? masked(text->get()) : text->get());
  const auto* array = node.as_array();
  if (array == nullptr) return shown(node);
  std::string result = "[";
  for (std::size_t i = 0; i < array->size(); ++i)
    result.append(i == 0 ? "" : ", ").append(toml_text(*array->get(i), secret));
  return result + ']';
}

/// A key as TOML writes it: quoted unless it is a bare one.
std::string toml_key(const std::string& key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::ranges::all_of(key, bare) ? key : in_quotes(key);
}

void add_settings(const std::map<std::string, assignment>& in_force,
                  std::vector<effective_section>& sections) {
  for (const auto& rule : setting_rules()) {
    const auto header = '[' + std::string(rule.section) + ']';
    if (sections.empty() || sections.back().header != header) sections.push_back({header, {}});
    const auto& assignment = in_force.at(rule.name());
    sections.back().values.push_back({std::string(rule.key), toml_text(*assignment.value, rule.secret),
                                      assignment.origin(), std::string(rule.help)});
  }
}

void add_roles(const std::map<std::string, assignment>& in_force, std::vector<effective_section>& sections) {
  effective_section roles{'[' + std::string(roles_section) + ']', {}};
  for (const auto& [name, assignment] : in_force)
    if (assignment.section == roles_section)
      roles.values.push_back(
          {toml_key(assignment.key), toml_text(*assignment.value, false), assignment.origin(), ""});
  sections.push_back(std::move(roles));
}

/// One section for each entry of a list of tables, its keys in the order of the rules.
template <class Entry>
void add_entries(const std::map<std::string, assignment>& in_force, const std::vector<rule<Entry>>& rules,
                 std::string_view section, std::vector<effective_section>& sections) {
  const auto& list = in_force.at(std::string(section));
  const auto& array = *list.value->as_array();
  for (std::size_t i = 0; i < array.size(); ++i) {
    const auto& table = *array.get(i)->as_table();
    effective_section entry{"[[" + std::string(section) + "]]", {}};
    for (const auto& rule : rules)
      if (const auto* node = table.get(rule.key))
        entry.values.push_back(
            {std::string(rule.key), toml_text(*node, rule.secret), list.origin(node->source()), ""});
    sections.push_back(std::move(entry));
  }
}

} // namespace

std::vector<effective_section> effective_sections(const std::map<std::string, assignment>& in_force) {
  std::vector<effective_section> sections;
  add_settings(in_force, sections);
  add_roles(in_force, sections);
  add_entries(in_force, short_term_host_rules(), short_term_hosts_section, sections);
  add_entries(in_force, platform_rules(), platforms_section, sections);
  return sections;
}

std::string describe(const loaded& loaded) {
  std::string text;
  for (const auto& section : loaded.sections) {
    if (!text.empty()) text += '\n';
    text += section.header + '\n';
    for (const auto& value : section.values) {
      if (!value.help.empty()) text += "# " + value.help + '\n';
      text += value.key + " = " + value.value + "  # from " + value.origin;
      const auto idle = std::ranges::find(
          loaded.idle, section.header.substr(1, section.header.size() - 2) + '.' + value.key,
          &idle_setting::key);
      if (idle != loaded.idle.end()) text += "; does nothing: " + idle->reason;
      text += '\n';
    }
  }
  return text;
}

} // namespace roost::config
