#include "config/sources.hpp"

#include "config/formats.hpp"
#include "domain/entered_text.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace roost::embedded {
extern const std::string_view default_config;
} // namespace roost::embedded

namespace roost::config {

namespace {

constexpr std::string_view variable_prefix = "ROOST_";

using document = std::shared_ptr<const toml::table>;

/// Returns a pointer to the node that shares ownership of its document.
std::shared_ptr<const toml::node> part_of(const document& owner, const toml::node& node) {
  return {owner, &node};
}

/// Parses a TOML value; a bare word is a string. Blanks and line ends around it, as from a file that a
/// variable was set from, do not count.
std::shared_ptr<const toml::node> read_value(const std::string& text) {
  try {
    const auto owner = std::make_shared<const toml::table>(toml::parse("value = " + text));
    const auto* value = owner->get("value");
    if (owner->size() == 1 && value != nullptr) return part_of(owner, *value);
  } catch (const toml::parse_error&) {
    if (text.starts_with('"') || text.starts_with('\''))
      throw refusal{"the quoted text is not valid TOML; check its quotes"};
  }
  return std::make_shared<toml::value<std::string>>(std::string(domain::without_outer_blanks(text)));
}

document parse(std::string_view text, const std::string& source, findings& findings) {
  try {
    return std::make_shared<const toml::table>(toml::parse(text, source));
  } catch (const toml::parse_error& error) {
    findings.add(source + ':' + std::to_string(error.source().begin.line), "",
                 std::string(error.description()));
    return nullptr;
  }
}

/// Returns every value of a document; a table in it is a section.
std::vector<assignment> assignments_of(const document& document, const std::string& source) {
  std::vector<assignment> result;
  for (const auto& [section, node] : *document) {
    const auto* table = node.as_table();
    if (table == nullptr || table->empty()) {
      result.push_back(
          {std::string(section.str()), "", part_of(document, node), source, section.source().begin.line});
      continue;
    }
    for (const auto& [key, value] : *table)
      result.push_back({std::string(section.str()), std::string(key.str()), part_of(document, value), source,
                        key.source().begin.line});
  }
  std::ranges::stable_sort(result, {}, &assignment::line);
  return result;
}

/// Returns the environment variable of `section.key`: ROOST_<SECTION>_<KEY>.
std::string variable_name(std::string name) {
  if (const auto dot = name.find('.'); dot != std::string::npos) name[dot] = '_';
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == ' ') c = '_'; // in the name of a role
  }
  return std::string(variable_prefix) + name;
}

/// Returns the assignment of a value, given as text, to `section.key`. Throws refusal.
assignment assignment_of(const std::string& name, const std::string& value, const char* source) {
  const auto dot = name.find('.');
  return {name.substr(0, dot), name.substr(dot + 1), read_value(value), source};
}

} // namespace

std::string assignment::name() const { return key.empty() ? section : section + '.' + key; }

std::string assignment::origin() const { return line == 0 ? source : source + ':' + std::to_string(line); }

std::string assignment::origin(const toml::source_region& part) const {
  return line == 0 || !part.begin ? origin() : source + ':' + std::to_string(part.begin.line);
}

std::vector<assignment> default_assignments(findings& findings) {
  const auto document = parse(embedded::default_config, "default", findings);
  if (!document) return {};
  auto result = assignments_of(document, "default");
  for (auto& assignment : result) assignment.line = 0;
  return result;
}

std::vector<assignment> file_assignments(const std::filesystem::path& file, findings& findings) {
  std::error_code ignored;
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) {
    const auto reason = in ? "it is a folder" : std::generic_category().message(errno);
    findings.add(file.string(), "", "the file cannot be read: " + reason);
    return {};
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto document = parse(text, file.string(), findings);
  return document ? assignments_of(document, file.string()) : std::vector<assignment>();
}

std::vector<assignment>
environment_assignments(std::span<const std::pair<std::string, std::string>> environment,
                        std::span<const std::string> known, findings& findings) {
  std::vector<std::string> variables;
  for (const auto& name : known) variables.push_back(variable_name(name));
  std::vector<assignment> result;
  for (const auto& variable : environment) {
    const std::string& name = variable.first;
    if (!name.starts_with(variable_prefix)) continue;
    const auto match = std::ranges::find(variables, name);
    if (match == variables.end()) {
      findings.add("environment", name, "no setting has this name" + suggestion(nearest(name, variables)));
      continue;
    }
    const auto& key = known[static_cast<std::size_t>(match - variables.begin())];
    findings.check("environment", name,
                   [&] { result.push_back(assignment_of(key, variable.second, "environment")); });
  }
  return result;
}

std::vector<assignment> set_assignments(std::span<const std::string> texts, findings& findings) {
  std::vector<assignment> result;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    const auto dot = name.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == name.size()) {
      findings.add("--set", "", in_quotes(masked(name)) + " is not of the form section.key=value");
      continue;
    }
    findings.check("--set", name,
                   [&] { result.push_back(assignment_of(name, text.substr(equals + 1), "--set")); });
  }
  return result;
}

} // namespace roost::config
