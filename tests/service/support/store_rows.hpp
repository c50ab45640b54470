#pragma once

#include "store/database/connection.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::testing {

/// The rows of a query, for what no route shows: each as its columns with a bar between them. Every column
/// must be text; NULL is empty.
inline std::vector<std::string> store_rows(store::session db, const std::string& query, int columns) {
  std::vector<std::string> rows;
  db.internals().read({query.c_str(), query.c_str(), columns}, {}, [&](store::row& row) {
    std::string line;
    for (int i = 0; i < columns; ++i) line += (i ? "|" : "") + row.optional_text().value_or("");
    rows.push_back(std::move(line));
  });
  return rows;
}

} // namespace roost::testing
