#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The largest table, with empty rows, and its longest row: each row and each cell costs more memory than a
/// line end or a comma.
inline constexpr std::size_t max_csv_rows = 10'000, max_csv_cells = 1'000;

/// The rows of a table that a client has sent; all of them if there is no problem.
struct csv_rows {
  std::vector<std::vector<std::string>> rows;
  std::string problem; ///< why the text is no table, as a sentence without a full stop; empty: it is one
};

/// Reads a table as CSV (RFC 4180), with or without a byte order mark, with CRLF or LF after each row but the
/// last one. The text must be UTF-8 without NUL characters, within the limits above.
csv_rows read_csv(std::string_view text);

} // namespace roost::http
