#pragma once

#include "store/copy/catalogue.hpp"
#include "store/copy/tables.hpp"
#include "store/copy/value_form.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace roost::store {

struct planned_column {
  std::string name;
  value_form form = value_form::text;
  std::string source_type, target_type; ///< by the catalogues
};

struct planned_table {
  const table_entry* entry = nullptr;
  std::vector<planned_column> columns;
  std::vector<std::size_t> key; ///< the places of the key's columns
};

/// A store's tables, and which SQL it speaks.
struct described_store {
  catalogue tables;
  dialect in = dialect::sqlite;
};

described_store describe(session& db);

/// What differs between the list of tables and the store's own, a line each; empty when nothing does.
std::vector<std::string> unlisted(const catalogue& tables);

/// The tables that are copied or compared, in the order of the list. Throws failure when a table or a column
/// is in one of the stores only, or of a type that no form is known of.
std::vector<planned_table> plan_copy(const described_store& source, const described_store& target);

} // namespace roost::store
