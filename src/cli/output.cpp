#include "cli/output.hpp"

#include "domain/entered_text.hpp"
#include "domain/text.hpp"
#include "json/writer.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

namespace roost::cli {

namespace {

std::string text_row(const std::vector<list_cell>& row) {
  std::string text;
  for (const auto& cell : row)
    if (!cell.text.empty()) text.append(text.empty() ? "" : "  ").append(cell.text);
  return text;
}

std::string json_row(const std::vector<std::string>& columns, const std::vector<list_cell>& row) {
  json::writer json;
  json.begin_object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json.data_key(columns[i]);
    const auto& [value, text, is_literal] = row[i];
    if (!value)
      json.null();
    else if (is_literal)
      json.number(*value);
    else
      json.value(*value);
  }
  json.end_object();
  return std::string(json.text());
}

std::string csv_value(const list_cell& cell) {
  const auto text = cell.value.value_or("");
  return domain::csv_cell(cell.is_literal ? text : domain::escape_formula(text));
}

std::string csv_row(const std::vector<list_cell>& row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) text.append(i == 0 ? "" : ",").append(csv_value(row[i]));
  return text;
}

std::string csv_header(const std::vector<std::string>& columns) {
  std::vector<list_cell> names;
  names.reserve(columns.size());
  for (const auto& name : columns) names.push_back({name, name});
  return csv_row(names);
}

std::string day_cell(domain::date day, char mark) {
  char text[8];
  std::snprintf(text, sizeof text, " %2u%c", static_cast<unsigned>(std::chrono::year_month_day{day}.day()),
                mark);
  return text;
}

/// Ends the line, without trailing spaces.
void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

} // namespace

list_cell cell(const std::string& text) { return {text, domain::one_line(text)}; }
list_cell cell(domain::date day) { return {domain::to_string(day), domain::to_string(day)}; }
list_cell cell(domain::timestamp time) { return {domain::to_string(time), domain::to_string(time)}; }
list_cell cell(const domain::uuid& id) { return {domain::to_string(id), domain::to_string(id)}; }

list_cell padded_cell(const std::string& text, std::size_t width) {
  return cell_as(text, text + std::string(width - std::min(width, text.size()), ' '));
}

list_printer::list_printer(list_format format, std::vector<std::string> columns)
    : format_(format), columns_(std::move(columns)) {
  if (format_ == list_format::csv)
    std::printf("%s%s\r\n", domain::byte_order_mark.data(), csv_header(columns_).c_str());
  if (format_ == list_format::json) std::fputs("[", stdout);
}

list_printer::~list_printer() {
  if (format_ == list_format::json) std::puts(is_first_ ? "]" : "\n]");
  if (format_ != list_format::text || !truncated_at_) return;
  std::fflush(stdout);
  std::fprintf(stderr, "only the first %zu are shown; use --limit N for more, or --json or --csv for all\n",
               *truncated_at_);
}

void list_printer::add(const std::vector<list_cell>& row) {
  if (row.size() != columns_.size()) throw std::logic_error("the row does not match the columns of the list");
  switch (format_) {
  case list_format::text:
    std::puts(text_row(row).c_str());
    break;
  case list_format::csv:
    std::printf("%s\r\n", csv_row(row).c_str());
    break;
  case list_format::json:
    std::printf("%s\n  %s", is_first_ ? "" : ",", json_row(columns_, row).c_str());
    break;
  }
  is_first_ = false;
}

void print_field(const char* label, const std::string& value) {
  if (!value.empty()) std::printf("%-14s %s\n", label, value.c_str());
}

std::string amount_of(domain::money value, const std::string& currency) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%02lld", static_cast<long long>(value.cents / 100),
                static_cast<long long>(value.cents % 100));
  return std::string{text} + " " + currency;
}

std::string month_picture(std::chrono::year_month month, const std::function<char(domain::date)>& mark) {
  constexpr unsigned cell_width = 4;
  const auto first = domain::date_of(month / 1), last = domain::date_of(month / std::chrono::last);
  auto text = domain::written_out(first).substr(2); // "1 January 2027" without its day
  text += "\n Mo  Tu  We  Th  Fr  Sa  Su\n";
  const auto leading_days = std::chrono::weekday{first}.iso_encoding() - 1;
  text.append(std::size_t{leading_days} * cell_width, ' ');
  for (auto day = first; day <= last; day += domain::days{1}) {
    text += day_cell(day, mark(day));
    if (std::chrono::weekday{day}.iso_encoding() == 7 || day == last) end_line(text);
  }
  return text;
}

progress_bar::progress_bar(std::string label)
    : label_(std::move(label)), on_terminal_(isatty(STDERR_FILENO) == 1) {}

progress_bar::~progress_bar() {
  if (is_visible_) std::fputs("\r\033[K", stderr);
}

void progress_bar::show(std::size_t done, std::size_t total) {
  constexpr std::chrono::milliseconds show_after{300};
  constexpr int width = 40;
  if (!on_terminal_ || total == 0) return;
  const int percent = static_cast<int>(done * 100 / total);
  if (percent == percent_ || std::chrono::steady_clock::now() - started_ < show_after) return;
  percent_ = percent;
  is_visible_ = true;
  const int filled = percent * width / 100;
  std::fprintf(stderr, "\r%s [%s%s] %d %%", label_.c_str(), std::string(filled, '#').c_str(),
               std::string(width - filled, '.').c_str(), percent);
}

} // namespace roost::cli
