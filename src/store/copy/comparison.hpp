#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/copy/table_io.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roost::store {

/// The result of comparing one table.
struct table_comparison {
  std::int64_t rows = 0; ///< in the source
  std::int64_t differing = 0;
  /// Messages about the first differing rows; they contain no values except the key.
  std::vector<std::string> differences;
};

struct comparison_settings {
  std::size_t page_rows = 2000;
  /// Whether to ignore the audit entries that copies themselves write.
  bool ignores_copy_entries = false;
  /// Receives the number of compared rows regularly, even while a store is unavailable. An exception from it
  /// ends the comparison.
  std::function<void(std::int64_t rows)> progress = [](std::int64_t) {};
};

/// Compares all rows of a table, in the order of the key.
table_comparison compare_table(snapshot& source, snapshot& target, const planned_table& table,
                               const comparison_settings& settings);

} // namespace roost::store
