#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The output of commands: lists, labeled values and months on standard output, progress on stderr.
namespace roost::cli {

enum class list_format { text, json, csv };

/// One value of a list's row, in a form for programs (JSON and CSV) and in one for people.
struct list_cell {
  std::optional<std::string> value; ///< for programs; nullopt: null in JSON, empty in CSV
  std::string text;                 ///< for people; empty: not printed
  bool is_literal = false;          ///< whether JSON has it without quotes: a number or a boolean
};

/// Text is printed on one line for people, because it may be untrusted.
list_cell cell(const std::string& text);
list_cell cell(domain::date day);
list_cell cell(domain::timestamp time);
list_cell cell(const domain::uuid& id);
list_cell cell(std::same_as<bool> auto flag) { return {flag ? "true" : "false", flag ? "yes" : "no", true}; }
template <std::integral T>
requires(!std::same_as<T, bool>) list_cell cell(T number) {
  return {std::to_string(number), std::to_string(number), true};
}
template <typename T>
list_cell cell(const std::optional<T>& value) {
  return value ? cell(*value) : list_cell{};
}

/// A cell with a different text for people.
template <typename T>
list_cell cell_as(const T& value, std::string text) {
  auto result = cell(value);
  result.text = std::move(text);
  return result;
}

/// A cell that is padded for people, so that the next column is aligned.
list_cell padded_cell(const std::string& text, std::size_t width);

/// A cell that is printed only for programs.
template <typename T>
list_cell data_cell(const T& value) {
  return cell_as(value, "");
}

/// The limit of an unlimited list; the store can still count one row more.
inline constexpr std::size_t no_limit = std::numeric_limits<std::int64_t>::max() - 1;

/// Prints a list on standard output, row by row: as text with two spaces between values, as a JSON array of
/// objects, or as CSV (RFC 4180) with a header. In CSV, a text that a spreadsheet would evaluate as a formula
/// is prefixed with an apostrophe.
class list_printer {
public:
  list_printer(list_format format, std::vector<std::string> columns);
  ~list_printer(); ///< ends the JSON array, or reports on stderr that rows were left out
  list_printer(const list_printer&) = delete;
  list_printer& operator=(const list_printer&) = delete;

  /// Prints a row, whose cells are in the order of the columns.
  void add(const std::vector<list_cell>& row);

  /// Returns at most `limit` of the rows. One row more means that rows are left out.
  template <typename Row>
  std::vector<Row> limited(std::vector<Row> rows, std::size_t limit) {
    if (rows.size() > limit) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(limit), rows.end());
      truncated_at_ = limit;
    }
    return rows;
  }

private:
  const list_format format_;
  const std::vector<std::string> columns_;
  bool is_first_ = true;
  std::optional<std::size_t> truncated_at_;
};

/// Prints a labeled value; prints nothing if the value is empty.
void print_field(const char* label, const std::string& value);

/// `650.00 EUR`.
std::string amount_of(domain::money value, const std::string& currency);

/// Returns a month as a calendar with weeks from Monday to Sunday. `mark` returns a character for each night,
/// a space for a free one.
std::string month_picture(std::chrono::year_month month, const std::function<char(domain::date)>& mark);

/// A progress bar on stderr. It appears only on a terminal, and only once the work has taken a moment.
class progress_bar {
public:
  explicit progress_bar(std::string label);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::size_t done, std::size_t total);

private:
  std::string label_;
  bool on_terminal_;
  bool is_visible_ = false;
  int percent_ = -1;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

} // namespace roost::cli
