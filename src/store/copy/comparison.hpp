#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/copy/snapshot.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roost::store {

/// A table, a row's key and a column, in words. It tells no value but the key's.
using copy_difference = std::string;

/// What a comparison of one table found.
struct table_comparison {
  std::int64_t rows = 0; ///< of the source
  std::int64_t differing = 0;
  std::vector<copy_difference> differences; ///< the first of them
};

struct comparison_settings {
  std::size_t page_rows = 2000;
  /// Leaves out what a copy itself has written into the audit log.
  bool without_copies = false;
  /// Is told the number of rows that were compared, now and then, also while a store does not answer. What it
  /// throws ends the comparison.
  std::function<void(std::int64_t rows)> progress = [](std::int64_t) {};
};

/// Compares all rows, both sides in the order of the key.
table_comparison compare_table(snapshot& source, snapshot& target, const planned_table& table,
                               const comparison_settings& settings);

} // namespace roost::store
