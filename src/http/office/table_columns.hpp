#pragma once

#include "http/office/csv_reader.hpp"
#include "http/office/office_objects.hpp"
#include "json/schema.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Tables that clients send back: the columns that a list has as CSV, read by the same description. This
/// header is for the .cpp files that hold descriptions.
namespace roost::http {

/// A column of a table of described objects, in the order of for_each_column().
struct table_column {
  std::string name;      ///< `rent.amount`
  std::string member;    ///< of the object: `rent`
  std::string part;      ///< of the member: `amount`; empty: the member itself
  std::string_view type; ///< in JSON
  bool is_nullable = false;
  bool is_required = false;  ///< in its object
  bool is_read_only = false; ///< the whole member
  bool is_in_state = false;  ///< part of the entity tag; others are ignored
};

/// Returns the columns of objects with this schema; `state` are the members that the entity tag covers.
std::vector<table_column> columns_of(const json::schema& of, const std::vector<std::string_view>& state);

template <typename Object>
std::vector<table_column> columns_of(const Object& object) {
  return columns_of(json::schema_of(object), members_of(object));
}

/// The values of an object by column, as JSON; empty: none.
using column_values = std::vector<std::string>;

template <typename Object>
column_values values_of(const Object& object, const typename Object::source& from) {
  column_values values;
  const auto add = [&](const std::string&, std::string_view, std::string& value) {
    values.push_back(std::move(value));
  };
  for_each_column(object, &from, {}, add);
  return values;
}

/// What happens to cells of members that clients cannot change, if they differ from the stored value.
enum class read_only_cells { refused, ignored };

/// A table that a client has sent. Cells are in the order of its columns.
class sent_table {
public:
  /// Throws bad_request with all problems of the form: text that is no CSV, unknown or repeated columns, rows
  /// of another length, or too many of them. Empty rows are left out. `others` are further columns.
  sent_table(std::string_view text, std::vector<table_column> columns,
             std::initializer_list<std::string_view> others, std::size_t max_rows);

  std::size_t size() const { return rows_.size(); }

  /// Returns the number of a row in the table, in which the names of the columns are row 1.
  std::size_t number_of(std::size_t row) const { return rows_[row].number; }

  /// Returns a cell without the apostrophe before a formula; nullopt if the table has no such column.
  std::optional<std::string_view> cell(std::size_t row, std::string_view column) const;

  /// Returns the members that a row may change, as a JSON object. A cell with the text that a list shows for
  /// the stored value changes nothing. `stored` and `usual` are the values of the stored or new object, and
  /// of one with defaults, which empty cells stand for. A member's parts must not have parts themselves.
  std::string body_of(std::size_t row, const column_values& stored, const column_values& usual,
                      read_only_cells others = read_only_cells::refused) const;

private:
  struct sent_row {
    std::size_t number;
    std::vector<std::string> cells;
  };

  const std::string* find(std::size_t row, std::size_t column) const;
  void find_columns(const std::vector<std::string>& names, std::initializer_list<std::string_view> others);
  bool is_unchanged(std::size_t row, std::size_t first, std::size_t last, const column_values& stored,
                    const column_values& usual) const;
  void append_member(std::string& body, std::size_t row, std::size_t first, std::size_t last,
                     const column_values& stored, const column_values& usual) const;

  std::vector<table_column> columns_;
  std::vector<std::string> others_;
  std::vector<std::optional<std::size_t>> positions_; ///< in rows, of the columns and then of the others
  std::vector<sent_row> rows_;
};

} // namespace roost::http
