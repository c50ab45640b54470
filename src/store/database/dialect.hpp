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
/// that PostgreSQL type, made by list_of(); `{now}` is the database's clock. Where one text cannot serve
/// both, `sqlite_text` is SQLite's. What reads is a selection, which makes its query.
struct query {
  const char* name;
  const char* text;
  const char* sqlite_text = nullptr;
  int columns = 0; ///< of its result: a selection knows them
};

/// The query as this database reads it.
std::string expand(const query& of, dialect in);

/// The names of the `:name` parameters of an expanded text, each once.
std::vector<std::string> parameter_names(std::string_view text);

/// A list parameter.
std::string list_of(std::span<const std::string> values, dialect in);
std::string list_of(std::span<const domain::uuid> values, dialect in);

/// A PostgreSQL array's text, written one element at a time.
class array_literal {
public:
  void add(cell_view element);
  std::string finish(); ///< its text; the next element starts a new array

private:
  std::string text_ = "{";
};

/// Rows of `width` cells as one array for each column.
std::vector<cell> arrays_of(const cell_list& rows, std::size_t width);

} // namespace roost::store
