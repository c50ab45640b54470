#pragma once

#include "http/json/query_reader.hpp"
#include "http/protocol/message.hpp"
#include "json/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Lists with cursors, as JSON and as CSV (docs/office-api.md, Lists).
namespace roost::http {

inline constexpr int default_list_limit = 50, max_list_limit = 200;

/// A cursor: the texts that place an item in the order of its list, as one opaque word.
std::string cursor_of(const std::vector<std::string>& place);

/// Returns the texts of a cursor; nullopt for any other text.
std::optional<std::vector<std::string>> place_in(std::string_view cursor, std::size_t texts);

/// Reads `limit`, 1 to 200.
std::size_t read_list_limit(query_reader& query);

/// Reads `after`, the cursor of a list whose items are placed by this number of texts.
std::optional<std::vector<std::string>> read_cursor(query_reader& query, std::size_t texts);

/// Reads `true` or `false`.
std::optional<bool> parse_flag(std::string_view text);

/// Reads a text that the store can compare.
std::optional<std::string> parse_storable(std::string_view text);
inline constexpr std::string_view storable_rule = " must be given once, without NUL characters";

/// Refuses a cursor that names no place in its list. Returns nullopt.
std::nullopt_t refuse_cursor(query_reader& query);
/// The same for a place that only the read list shows to be none.
error invalid_cursor();

/// Returns `{"items":[…],"next":…,"total":…}`. `next` is empty at the end of the list.
std::string list_json(const std::vector<std::string>& items, std::string_view next, std::int64_t total);

/// Whether the client prefers CSV to JSON (RFC 9110, 12.5.1).
bool wants_csv(const request& req);

/// A table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before
/// it.
class csv_table {
public:
  /// Adds a cell to the current row.
  void add(std::string_view text);
  void end_row();
  /// Returns the rows that were added.
  std::string take_text() && { return std::move(text_); }
  response to_response(std::string_view name) &&;

private:
  std::string text_;
  bool is_first_ = true;
};

} // namespace roost::http
