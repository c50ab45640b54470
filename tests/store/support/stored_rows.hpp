#pragma once

#include "store/database/connection.hpp"
#include "store/database/old_rows.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Queries on the rows of any table.
namespace roost::testing {

/// Returns the number of rows of a table, or of any text that may follow `from`.
inline std::int64_t count_rows(store::session& db, const std::string& source) {
  const auto text = "select {columns} from " + source;
  return db.internals()
      .read_one(store::selection{text.c_str(), text.c_str(), store::named<std::int64_t>("count(*)")})
      .value();
}

/// Returns how many rows a function that deletes or corrects old rows writes.
template <typename Clean, typename... Arguments>
std::int64_t written_by(store::session& db, const store::lease& held, Clean clean,
                        const Arguments&... arguments) {
  store::old_rows rows(db, held);
  clean(rows, arguments...);
  return rows.finish();
}

/// Returns the rows of a table that contain this text in any letter case, sorted, with all columns as text.
inline std::vector<std::string> rows_of_table(store::session& db, const std::string& table,
                                              const std::string& containing = {}) {
  std::string columns;
  const auto name = "columns_of_" + table; // sessions cache statements by name
  const store::selection names{
      name.c_str(),
      {"select {columns} from information_schema.columns where table_schema = 'public' and table_name = '" +
           table + "' order by column_name",
       "select {columns} from pragma_table_info('" + table + "') order by name"},
      store::named<std::string>(db.is_sqlite() ? "name" : "cast(column_name as text)")};
  for (const auto& each : db.internals().read_all(names))
    columns += (columns.empty() ? "" : " || '|' || ") + ("coalesce(cast(" + each + " as text), '-')");
  const auto text = "select {columns} from (select '" + table + ": ' || " + columns + " as line from " +
                    table + ") as lines where lower(line) like lower(:containing) order by 1";
  const store::selection all{text.c_str(), text.c_str(), store::named<std::string>("line")};
  return db.internals().read_all(all, {{"containing", '%' + containing + '%'}});
}

/// Returns all rows of the tables of a portfolio file, with all columns as text.
inline std::vector<std::string> portfolio_rows(store::session& db) {
  std::vector<std::string> rows;
  for (const std::string table : {"accounts", "platform_cards", "users", "properties", "units",
                                  "unit_month_rents", "booking_windows", "blocks", "unit_calendars", "links",
                                  "exclusions", "ai_usage", "ai_usage_days", "former_links", "bookings"})
    for (auto& each : rows_of_table(db, table)) rows.push_back(std::move(each));
  return rows;
}

} // namespace roost::testing
