#include "domain/text.hpp"
#include "fuzz/support/target.hpp"
#include "http/office/csv_reader.hpp"
#include "http/office/table_columns.hpp"
#include "http/office/unit_objects.hpp"
#include "http/protocol/error.hpp"

#include <string>
#include <string_view>
#include <utility>

/// A table of units that a client of the office sends: any text.
namespace roost::fuzz::unit_table {
namespace {

using http::office_unit_object;

/// Requires that a table that is written again has the same cells.
void check_rows(std::string_view input) {
  const auto read = http::read_csv(input);
  if (!read.problem.empty()) {
    require(read.problem == domain::one_line(read.problem), "a problem is one line");
    return;
  }
  std::string written;
  for (const auto& row : read.rows) {
    for (const auto& cell : row)
      written.append(&cell == &row.front() ? "" : ",").append(domain::csv_cell(cell));
    written += "\r\n";
  }
  const auto again = http::read_csv(written);
  require(again.problem.empty() && again.rows == read.rows, "a written table is read as the same");
}

http::sent_table table_of(std::string_view text) {
  constexpr std::size_t max_rows = 20;
  return {text, http::columns_of(office_unit_object), {"etag"}, max_rows};
}

std::string body_of(const http::sent_table& table, std::size_t row, const domain::portfolio_unit& unit) {
  return table.body_of(row, http::values_of(office_unit_object, unit),
                       http::values_of(office_unit_object, {}));
}

/// Requires that a unit that a row describes is unchanged by the table that shows it.
void check_unit(const http::sent_table& table, std::size_t row) {
  static const portfolio::context nothing_configured;
  domain::portfolio_unit unit;
  const auto found = portfolio::read_body(body_of(table, row, unit), office_unit_object, unit,
                                          nothing_configured, portfolio::expected_members::any);
  require(!found.broken, "a row becomes JSON");
  for (const auto& problem : found.problems)
    require(!portfolio::to_message(problem).empty(), "a problem has a message");
  if (!found.problems.empty()) return;
  http::csv_table shown;
  const auto add = http::rows_of(office_unit_object, http::tag_column::yes);
  add(shown, nullptr);
  add(shown, &unit);
  require(body_of(table_of(std::move(shown).take_text()), 0, unit) == "{}", "an export changes nothing");
}

void check(std::string_view input) {
  check_rows(input);
  try {
    const auto table = table_of(input);
    for (std::size_t row = 0; row < table.size(); ++row) check_unit(table, row);
  } catch (const http::error& refused) {
    require(refused.status == 400 && !refused.message.empty(), "a table is refused with 400");
  }
}

const target registered{"unit_table", "TablesOfUnitsAreReadAsWritten", check};

} // namespace
} // namespace roost::fuzz::unit_table
