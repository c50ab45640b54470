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
  db.internals().read_rows({query.c_str(), query.c_str(), nullptr, columns}, {}, [&](const store::row& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += '|';
      if (row[i]) line += *row[i];
    }
    rows.push_back(std::move(line));
  });
  return rows;
}

} // namespace roost::testing
