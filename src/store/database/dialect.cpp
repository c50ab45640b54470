#include "store/database/dialect.hpp"

#include "json/writer.hpp"
#include "store/database/error.hpp"

#include <algorithm>
#include <array>

namespace roost::store {

namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Returns the time of the database's clock. `offset` is empty, or a sign and a parameter in milliseconds.
std::string clock_text(std::string_view offset, dialect dialect) {
  const std::string sign(offset.substr(0, 1)), milliseconds(offset.empty() ? "" : offset.substr(2));
  if (dialect == dialect::postgresql)
    return offset.empty() ? "clock_timestamp()"
                          : "clock_timestamp() " + sign + " cast(" + milliseconds +
                                " as bigint) * interval '1 millisecond'";
  const auto modifier = ", (" + (sign == "-" ? sign : "") + milliseconds + " / 1000.0) || ' seconds'";
  return "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'" + (offset.empty() ? "" : modifier) + ')';
}

std::string expand_placeholder(std::string_view inside, dialect dialect) {
  if (inside == "now") return clock_text({}, dialect);
  if (inside.starts_with("now ")) return clock_text(inside.substr(4), dialect);
  if (inside.starts_with("for ")) return dialect == dialect::sqlite ? "" : std::string(inside);
  const auto space = inside.find(' ');
  const std::string name(inside.substr(0, space)), type(inside.substr(space + 1));
  if (dialect == dialect::sqlite) return "in (select value from json_each(:" + name + "))";
  // Not `= any(…)`: a plan cached while the table was empty would compare every row with every element.
  return "in (select unnest(:" + name + "::" + type + "[]))";
}

} // namespace

std::string with_columns(std::string text, const std::string& names) {
  constexpr std::string_view placeholder = "{columns}";
  const auto at = text.find(placeholder);
  if (at == std::string::npos) throw failure("a selection without {columns}: " + text);
  return text.replace(at, placeholder.size(), names);
}

std::string expand(const query& sql, dialect dialect) {
  const std::string_view text = dialect == dialect::sqlite && sql.sqlite_text ? sql.sqlite_text : sql.text;
  std::string expanded;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    if (open == std::string_view::npos) return expanded += text.substr(at);
    const auto close = text.find('}', open);
    std::string_view before = text.substr(at, open - at);
    const auto inside = text.substr(open + 1, close - open - 1);
    if (before.ends_with("in ") && !inside.starts_with("now")) before.remove_suffix(3);
    expanded += before;
    expanded += expand_placeholder(inside, dialect);
    at = close + 1;
  }
  return expanded;
}

std::vector<std::string> parameter_names(std::string_view text) {
  std::vector<std::string> names;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (quoted || text[i] != ':') continue;
    std::size_t end = i + 1;
    if (end < text.size() && text[end] == ':') { // a cast
      ++i;
      continue;
    }
    while (end < text.size() && is_name(text[end])) ++end;
    std::string name(text.substr(i + 1, end - i - 1));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    i = end - 1;
  }
  return names;
}

/// Writes ids directly into the list: groups of decisions have hundreds.
std::string list_of(std::span<const domain::uuid> values, dialect dialect) {
  constexpr std::size_t bytes_per_id = 36 + 3; // including quotes and a comma
  const std::string_view quote = dialect == dialect::postgresql ? "" : "\"";
  std::string list = dialect == dialect::postgresql ? "{" : "[";
  list.reserve(values.size() * bytes_per_id + 2);
  for (const auto& value : values) {
    if (list.size() > 1) list += ',';
    list += quote;
    write_cell(list, value);
    list += quote;
  }
  return list += dialect == dialect::postgresql ? '}' : ']';
}

namespace {

constexpr auto unquoted_characters = [] {
  std::array<bool, 256> allowed{};
  for (const char c : std::string_view{"0123456789-:.+_@"}) allowed[static_cast<unsigned char>(c)] = true;
  for (char c = 'a'; c <= 'z'; ++c) allowed[static_cast<unsigned char>(c)] = true;
  for (char c = 'A'; c <= 'Z'; ++c) allowed[static_cast<unsigned char>(c)] = true;
  return allowed;
}();

/// Returns whether an element may be written without quotes, which are slower for both sides: ids, dates and
/// numbers may, the word NULL may not.
bool needs_no_quotes(std::string_view element) {
  constexpr std::size_t length_of_null = 4;
  return !element.empty() && element.size() != length_of_null && std::ranges::all_of(element, [](char c) {
    return unquoted_characters[static_cast<unsigned char>(c)];
  });
}

/// Appends an element to the text of a PostgreSQL array.
void append_element(std::string& array, cell_view element) {
  if (array.size() > 1) array += ',';
  if (!element || needs_no_quotes(*element)) {
    array += element.value_or("NULL");
    return;
  }
  array += '"';
  for (const char c : *element) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

} // namespace

std::string list_of(std::span<const std::string> values, dialect dialect) {
  if (dialect == dialect::postgresql) {
    std::string array = "{";
    for (const auto& value : values) append_element(array, value);
    return array += '}';
  }
  json::writer json;
  json.begin_array();
  for (const auto& value : values) json.value(value);
  json.end_array();
  return std::string(json.text());
}

std::vector<cell> arrays_of(const cell_list& rows, std::size_t width) {
  std::vector<cell> arrays;
  for (std::size_t column = 0; column < width; ++column) {
    std::string array = "{";
    for (std::size_t i = column; i < rows.size(); i += width) append_element(array, rows[i]);
    array += '}';
    arrays.emplace_back(std::move(array));
  }
  return arrays;
}

} // namespace roost::store
