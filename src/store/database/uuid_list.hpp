#pragma once

#include "domain/uuid.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// A column with a list of ids: an array in PostgreSQL, JSON in SQLite. It reads both; parameters are written
/// with session::connection::list().
struct uuid_list_format {
  static constexpr auto type = "uuid[]";
  static bool write(std::string& to, const std::vector<domain::uuid>& ids);
  static bool read(const std::string* text, std::vector<domain::uuid>& into);
};

} // namespace roost::store
