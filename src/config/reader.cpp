#include "config/reader.hpp"

#include <algorithm>

namespace roost::config {

namespace {

template <class Entry>
const rule<Entry>* find_rule(const std::vector<rule<Entry>>& rules, std::string_view section,
                             std::string_view key) {
  const auto match = std::ranges::find_if(
      rules, [&](const rule<Entry>& rule) { return rule.section == section && rule.key == key; });
  return match == rules.end() ? nullptr : &*match;
}

template <class Entry>
std::vector<std::string> names_of(const std::vector<rule<Entry>>& rules) {
  std::vector<std::string> names;
  names.reserve(rules.size());
  for (const auto& rule : rules) names.push_back(rule.name());
  return names;
}

/// Returns the key that was probably intended: one with a similar name, or the same key in another section.
std::optional<std::string> intended_setting(const assignment& unknown) {
  const auto names = names_of(setting_rules());
  if (auto close = nearest(unknown.name(), names)) return close;
  const auto& key = unknown.key.empty() ? unknown.section : unknown.key;
  for (const auto& rule : setting_rules())
    if (rule.key == key) return rule.name();
  return std::nullopt;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names = {std::string(roles_section), std::string(platforms_section),
                                    std::string(short_term_hosts_section)};
  for (const auto& rule : setting_rules())
    if (names.back() != rule.section) names.emplace_back(rule.section);
  return names;
}

/// Formats a value as TOML on one line.
std::string toml_text(const toml::node& node, bool secret) {
  if (const auto* text = node.as_string()) return in_quotes(secret ? masked(text->get()) : text->get());
  const auto* array = node.as_array();
  if (array == nullptr) return shown(node);
  std::string result = "[";
  for (std::size_t i = 0; i < array->size(); ++i)
    result.append(i == 0 ? "" : ", ").append(toml_text(*array->get(i), secret));
  return result + ']';
}

/// Formats a TOML key; only bare keys stay unquoted.
std::string toml_key(const std::string& key) { return is_alphanumeric_or(key, "_-") ? key : in_quotes(key); }

void add_settings(const std::map<std::string, assignment>& assignments,
                  std::vector<effective_section>& sections) {
  for (const auto& rule : setting_rules()) {
    const auto header = '[' + std::string(rule.section) + ']';
    if (sections.empty() || sections.back().header != header) sections.push_back({header, {}});
    const auto& assignment = assignments.at(rule.name());
    sections.back().values.push_back({std::string(rule.key), toml_text(*assignment.value, rule.secret),
                                      assignment.origin(), std::string(rule.help)});
  }
}

void add_roles(const std::map<std::string, assignment>& assignments,
               std::vector<effective_section>& sections) {
  effective_section roles{'[' + std::string(roles_section) + ']', {}};
  for (const auto& [name, assignment] : assignments)
    if (assignment.section == roles_section)
      roles.values.push_back(
          {toml_key(assignment.key), toml_text(*assignment.value, false), assignment.origin(), ""});
  sections.push_back(std::move(roles));
}

/// Adds one section for each entry of a list of tables, its keys in the order of the rules.
template <class Entry>
void add_entries(const std::map<std::string, assignment>& assignments, const std::vector<rule<Entry>>& rules,
                 std::string_view section, std::vector<effective_section>& sections) {
  const auto& list = assignments.at(std::string(section));
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

std::vector<effective_section> effective_sections(const std::map<std::string, assignment>& assignments) {
  std::vector<effective_section> sections;
  add_settings(assignments, sections);
  add_roles(assignments, sections);
  add_entries(assignments, short_term_host_rules(), short_term_hosts_section, sections);
  add_entries(assignments, platform_rules(), platforms_section, sections);
  return sections;
}

} // namespace

void reader::apply(const std::vector<assignment>& layer) {
  for (const auto& assignment : layer) apply(assignment);
}

void reader::apply(const assignment& assignment) {
  if (assignment.section == roles_section && !assignment.key.empty())
    apply_value(assignment, [&] { values_.roles[assignment.key] = permissions().read(*assignment.value); });
  else if (assignment.section == platforms_section)
    apply_entries(assignment, platform_rules(), values_.platforms, origins_.platforms);
  else if (assignment.section == short_term_hosts_section)
    apply_entries(assignment, short_term_host_rules(), values_.short_term_hosts, origins_.short_term_hosts);
  else if (const auto* rule = find_rule(setting_rules(), assignment.section, assignment.key))
    apply_value(assignment, [&] { rule->read(values_, *assignment.value); });
  else
    report_unknown(assignment);
}

void reader::apply_value(const assignment& assignment, const std::function<void()>& read) {
  findings_.check(assignment.origin(), assignment.name(), [&] {
    read();
    origins_.keys.insert_or_assign(assignment.name(), assignment.origin());
    effective_.insert_or_assign(assignment.name(), assignment);
  });
}

template <class Entry>
void reader::apply_entries(const assignment& list, const std::vector<rule<Entry>>& rules,
                           std::vector<Entry>& entries, std::vector<std::string>& origins) {
  const auto* array = list.value->as_array();
  if (array == nullptr || !list.key.empty()) {
    findings_.add(list.origin(), list.name(),
                  "is not a list of tables; start each entry with [[" + list.section + "]]");
    return;
  }
  entries.clear();
  origins.clear();
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::node& node = *array->get(i);
    const auto name = list.section + '[' + std::to_string(i) + ']';
    if (const auto* table = node.as_table()) {
      entries.push_back(read_entry(list, *table, name, rules));
      origins.push_back(list.origin(table->source()));
    } else {
      findings_.add(list.origin(node.source()), name, shown(node) + " is not a table");
    }
  }
  effective_.insert_or_assign(list.name(), list);
}

template <class Entry>
Entry reader::read_entry(const assignment& list, const toml::table& table, const std::string& name,
                         const std::vector<rule<Entry>>& rules) {
  Entry entry{};
  for (const auto& [key, node] : table) {
    const auto full_name = name + '.' + std::string(key.str());
    const auto where = list.origin(key.source());
    const auto* rule = find_rule(rules, list.section, key.str());
    if (rule == nullptr) {
      const auto intended = nearest(list.section + '.' + std::string(key.str()), names_of(rules));
      findings_.add(where, full_name, "unknown key" + suggestion(intended));
      continue;
    }
    findings_.check(where, full_name, [&, &value = node] { rule->read(entry, value); });
  }
  for (const auto& rule : rules)
    if (rule.required && !table.contains(rule.key))
      findings_.add(list.origin(table.source()), name + '.' + std::string(rule.key), "is missing");
  return entry;
}

void reader::report_unknown(const assignment& assignment) {
  const auto sections = section_names();
  if (assignment.key.empty() && std::ranges::find(sections, assignment.section) != sections.end()) {
    // An empty section is valid.
    if (!assignment.value->is_table())
      findings_.add(assignment.origin(), assignment.section,
                    "is a section; write [" + assignment.section + "] and its keys below it");
    return;
  }
  findings_.add(assignment.origin(), assignment.name(),
                "unknown key" + suggestion(intended_setting(assignment)));
}

std::vector<std::string> reader::known_names() const {
  auto names = names_of(setting_rules());
  for (const auto& [role, permissions] : values_.roles)
    names.push_back(std::string(roles_section) + '.' + role);
  return names;
}

loaded reader::finish() {
  check_together(values_, origins_, findings_);
  findings_.throw_if_any();
  return {std::move(values_), effective_sections(effective_)};
}

} // namespace roost::config
