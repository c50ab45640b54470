#pragma once

#include "domain/uuid.hpp"
#include "store/database/cell.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The differences between the SQL of SQLite and of PostgreSQL.
namespace roost::store {

enum class dialect { sqlite, postgresql };

/// A named statement. `:name` is a parameter; `in {name type}` is a membership test in a list parameter of
/// that PostgreSQL type, formatted by list_of(); `{now}` is the database's clock, and `{now + :name}` or
/// `{now - :name}` the time that many milliseconds later or earlier; `{for …}` is a locking clause, which
/// SQLite does not need. `sqlite_text` is the text for SQLite where it differs otherwise. A selection creates
/// its own query.
struct query {
  const char* name;
  const char* text;
  const char* sqlite_text = nullptr;
  int columns = 0; ///< of the result; set by selections
};

/// Returns the text with its `{columns}` replaced by `names`. Throws failure if it has none.
std::string with_columns(std::string text, const std::string& names);

/// Returns the text of the query for a database, with its placeholders expanded.
std::string expand(const query& sql, dialect dialect);

/// Returns the distinct names of the `:name` parameters of an expanded text.
std::vector<std::string> parameter_names(std::string_view text);

/// Formats a list parameter.
std::string list_of(std::span<const std::string> values, dialect dialect);
std::string list_of(std::span<const domain::uuid> values, dialect dialect);

/// Converts rows of `width` cells to one PostgreSQL array for each column.
std::vector<cell> arrays_of(const cell_list& rows, std::size_t width);

} // namespace roost::store
