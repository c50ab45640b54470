#pragma once

#include "store/database/session.hpp"

#include <map>
#include <string>
#include <vector>

namespace roost::store {

/// A column as its database describes it, without what the database computes of others.
struct catalogue_column {
  std::string name;
  std::string type; ///< of PostgreSQL's domains the type below; in lower case
};

/// The columns of each table, in their order.
using catalogue = std::map<std::string, std::vector<catalogue_column>, std::less<>>;

catalogue read_catalogue(session& db);

} // namespace roost::store
