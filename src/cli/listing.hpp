#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace roost::cli {

/// How a list is printed: for people, or for programs.
enum class list_format { text, json, csv };

/// One value of a line: for programs, and as people read it.
struct list_cell {
  std::optional<std::string> value; ///< none: null, and empty in CSV
  std::string shown;                ///< empty: people are not told
  bool is_plain = false;            ///< a number or a truth value, which JSON has without quotes
};

/// Text that others may have written is one line for people.
list_cell shown(const std::string& text);
list_cell shown(const std::optional<std::string>& text);
list_cell shown(domain::date day);
list_cell shown(domain::timestamp moment);
list_cell shown(const domain::uuid& id);
list_cell shown(std::same_as<bool> auto flag) { return {flag ? "true" : "false", flag ? "yes" : "no", true}; }
template <std::integral T>
requires(!std::same_as<T, bool>) list_cell shown(T number) {
  return {std::to_string(number), std::to_string(number), true};
}
template <typename T>
list_cell shown(const std::optional<T>& maybe) {
  return maybe ? shown(*maybe) : list_cell{};
}

/// The same value, with other words for people.
template <typename T>
list_cell shown_as(const T& value, std::string words) {
  auto cell = shown(value);
  cell.shown = std::move(words);
  return cell;
}

/// For programs alone.
template <typename T>
list_cell unshown(const T& value) {
  return shown_as(value, "");
}

/// A list's limit where there is none: one more is still a number for the store.
inline constexpr std::size_t no_limit = std::numeric_limits<std::int64_t>::max() - 1;

/// Prints a list on standard output, line by line: as text with two spaces between values, as a JSON array of
/// objects, or as CSV (RFC 4180) with the columns' names first. In CSV a text that a spreadsheet would take
/// for a formula gets an apostrophe before it.
class printed_list {
public:
  printed_list(list_format format, std::vector<std::string> columns);
  ~printed_list(); ///< ends the JSON array, or tells people that there is more
  printed_list(const printed_list&) = delete;
  printed_list& operator=(const printed_list&) = delete;

  /// In the order of the columns.
  void add(const std::vector<list_cell>& line);

  /// At most `limit` rows of those that `read` gives when it is asked for so many. One more is asked for,
  /// which tells whether there is more.
  template <typename Read>
  auto first_of(std::size_t limit, Read read) {
    auto rows = read(limit + 1);
    if (rows.size() > limit) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(limit), rows.end());
      cut_at_ = limit;
    }
    return rows;
  }

private:
  const list_format format_;
  const std::vector<std::string> columns_;
  bool is_first_ = true;
  std::optional<std::size_t> cut_at_; ///< there is more than so many rows
};

} // namespace roost::cli
