#pragma once

#include "store/copy/value_form.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// The treatment of a table by a copy.
enum class table_use : std::uint8_t {
  copied,   ///< writes its rows unchanged
  computed, ///< only compares it: the database fills it from other tables
  own,      ///< leaves it alone: each store has its own rows
};

/// The properties of a table that a copy needs beyond the databases' catalogs.
struct table_entry {
  std::string_view name;
  table_use use = table_use::copied;
  std::vector<std::string_view> key{}; ///< unique and not null; rows are read in its order
  std::string_view sequence{};         ///< the column whose values the database generates
  /// SQL: selects rows other than those that the schema inserts, which the source's rows replace; empty: it
  /// inserts none.
  std::string_view other_than_initial{};
};

/// Returns all tables of the schema, referenced tables first.
std::span<const table_entry> table_entries();

/// A column in the database's catalog.
struct catalog_column {
  std::string name;
  std::string type; ///< in lower case; for PostgreSQL's domains the base type
};

/// The columns of each table in order, without generated ones.
using catalog = std::map<std::string, std::vector<catalog_column>, std::less<>>;

catalog read_catalog(session& db);

/// A store's tables and its kind of database.
struct store_schema {
  catalog tables;
  dialect kind = dialect::sqlite;
};

store_schema read_schema(session& db);

/// Returns the differences between table_entries() and a store's tables, one line each.
std::vector<std::string> schema_mismatches(const catalog& tables);

struct planned_column {
  std::string name;
  value_form form = value_form::text;
  std::string source_type, target_type; ///< from the catalogs
};

struct planned_table {
  const table_entry* entry = nullptr;
  std::vector<planned_column> columns;
  std::vector<std::size_t> key; ///< indices of the key's columns
};

/// Returns the tables to copy or compare, in the order of table_entries(). Throws failure if a table or
/// column exists in only one of the stores, or has an unknown type.
std::vector<planned_table> plan_copy(const store_schema& source, const store_schema& target);

} // namespace roost::store
