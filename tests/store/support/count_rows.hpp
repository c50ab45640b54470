#pragma once

#include "store/database/connection.hpp"

#include <cstdint>
#include <string>

namespace roost::testing {

/// How many rows there are of a table, or of what else may follow `from`.
inline std::int64_t count_rows(store::session& db, const std::string& of) {
  const auto text = "select {columns} from " + of;
  return db.internals()
      .read_one(store::selection{text.c_str(), text.c_str(), store::named<std::int64_t>("count(*)")})
      .value();
}

} // namespace roost::testing
