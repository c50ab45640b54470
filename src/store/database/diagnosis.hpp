#pragma once

#include "store/database/session.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace roost::store {

/// How the database under the store does, for an operator.
struct diagnosis {
  std::string version; ///< of the database
  std::string damage;  ///< what a check of SQLite's file found first; empty: nothing, or PostgreSQL
  std::optional<std::int64_t> free_connections; ///< PostgreSQL: how many more it would take
  bool is_durable = true;          ///< PostgreSQL: commits are on the disk before they are answered
  std::optional<std::string> file; ///< SQLite's
};

/// Reads the whole of SQLite's file. Throws the errors of store/database/error.hpp.
diagnosis diagnose(session& db);

} // namespace roost::store
