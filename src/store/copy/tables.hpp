#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace roost::store {

/// What a copy does with a table.
enum class table_use : std::uint8_t {
  copied,  ///< its rows are written as they are
  counted, ///< the database fills it itself from other tables; it is only compared
  own,     ///< each store has its own rows
};

/// What a copy must know of a table that the databases' catalogues do not tell.
struct table_entry {
  std::string_view name;
  table_use use = table_use::copied;
  std::vector<std::string_view> key{}; ///< unique and never null; rows are read in its order
  std::string_view counter{};          ///< a column whose values the database gives out
  bool has_first_rows = false;         ///< the schema comes with rows, which the source's replace
};

/// Every table of the schema, those that others refer to first.
std::span<const table_entry> table_entries();

} // namespace roost::store
