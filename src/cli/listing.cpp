#include "cli/listing.hpp"

#include "domain/text.hpp"
#include "json/writer.hpp"

#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

std::string text_line(const std::vector<list_cell>& line) {
  std::string text;
  for (const auto& cell : line)
    if (!cell.shown.empty()) text.append(text.empty() ? "" : "  ").append(cell.shown);
  return text;
}

std::string json_line(const std::vector<std::string>& columns, const std::vector<list_cell>& line) {
  json::writer json;
  json.begin_object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json.data_key(columns[i]);
    const auto& [value, words, is_plain] = line[i];
    if (!value)
      json.null();
    else if (is_plain)
      json.number(*value);
    else
      json.value(*value);
  }
  json.end_object();
  return std::string(json.text());
}

/// RFC 4180, 2: what holds a comma, a quote or a line's end is quoted, and quotes are doubled.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string inside = "\"";
  for (const char each : text) {
    if (each == '"') inside += '"';
    inside += each;
  }
  return inside + '"';
}

/// Others write names, and a spreadsheet runs a text that begins so.
std::string csv_value(const list_cell& cell) {
  const auto text = cell.value.value_or("");
  const bool is_formula = !cell.is_plain && text.find_first_of("=+-@\t\r") == 0;
  return quoted(is_formula ? "'" + text : text);
}

std::string csv_line(const std::vector<list_cell>& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) text.append(i == 0 ? "" : ",").append(csv_value(line[i]));
  return text;
}

std::string csv_head(const std::vector<std::string>& columns) {
  std::vector<list_cell> names;
  names.reserve(columns.size());
  for (const auto& name : columns) names.push_back({name, name});
  return csv_line(names);
}

} // namespace

list_cell shown(const std::string& text) { return {text, domain::one_line(text)}; }
list_cell shown(const std::optional<std::string>& text) { return text ? shown(*text) : list_cell{}; }
list_cell shown(domain::date day) { return {domain::to_string(day), domain::to_string(day)}; }
list_cell shown(domain::timestamp moment) { return {domain::to_string(moment), domain::to_string(moment)}; }
list_cell shown(const domain::uuid& id) { return {domain::to_string(id), domain::to_string(id)}; }

printed_list::printed_list(list_format format, std::vector<std::string> columns)
    : format_(format), columns_(std::move(columns)) {
  if (format_ == list_format::csv) std::printf("%s\r\n", csv_head(columns_).c_str());
  if (format_ == list_format::json) std::fputs("[", stdout);
}

printed_list::~printed_list() {
  if (format_ == list_format::json) std::puts(is_first_ ? "]" : "\n]");
  if (format_ != list_format::text || !cut_at_) return;
  std::fflush(stdout);
  std::fprintf(stderr, "there are more than the %zu shown; --limit N shows more, --json and --csv show all\n",
               *cut_at_);
}

void printed_list::add(const std::vector<list_cell>& line) {
  if (line.size() != columns_.size()) throw std::logic_error("a line of another list");
  switch (format_) {
  case list_format::text:
    std::puts(text_line(line).c_str());
    break;
  case list_format::csv:
    std::printf("%s\r\n", csv_line(line).c_str());
    break;
  case list_format::json:
    std::printf("%s\n  %s", is_first_ ? "" : ",", json_line(columns_, line).c_str());
    break;
  }
  is_first_ = false;
}

} // namespace roost::cli
