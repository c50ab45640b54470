#pragma once

#include "store/copy/comparison.hpp"
#include "store/copy/copy_errors.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Copies one store into another one, of the same database or of the other, and compares the two.
namespace roost::store {

enum class copy_step : std::uint8_t { copying, comparing };

struct copy_settings {
  std::string source_url, target_url;
  std::string node; ///< in whose name the leases are held
  std::size_t page_rows = 2000;
  /// How long it asks again for rows that a store does not give.
  std::chrono::milliseconds patience{120'000};
  /// Is told how far a table is, also while a store does not answer: `total` is the number of the source's
  /// rows, 0 where it is not known. What it throws ends the copy, which can go on later.
  std::function<void(copy_step step, std::string_view table, std::int64_t rows, std::int64_t total)>
      progress = [](copy_step, std::string_view, std::int64_t, std::int64_t) {};
  /// Runs in the transaction that finishes the copy, once everything was found to be equal.
  std::function<void(session& target, std::int64_t rows)> note = [](session&, std::int64_t) {};
};

struct copied_table {
  std::string name;
  std::int64_t rows = 0;
};

struct copy_result {
  std::vector<copied_table> tables; ///< with rows, in the order of the copy
  std::int64_t rows = 0;
  bool resumed = false; ///< with what an interrupted copy had written
  std::int64_t differing = 0;
  std::vector<copy_difference> differences; ///< the first of each table
  std::string changed;                      ///< the store that a command has changed meanwhile; empty: none

  bool is_identical() const { return differing == 0 && changed.empty(); }
};

/// Copies and then compares row by row. The source keeps its rows; its lease and the target's are held
/// meanwhile. A target that is empty is made a store. One that such a copy has left unfinished goes on where
/// it was, or begins anew when the source has changed. With differences, or when the source was changed
/// meanwhile, the target stays unfinished.
///
/// Throws copy_refused, target_rejected_row, and the errors of store/database/error.hpp, after which it can
/// be run again.
copy_result copy_store(const copy_settings& settings);

/// Only compares. Throws copy_refused when one of them is no finished store or is served.
copy_result compare_stores(const copy_settings& settings);

} // namespace roost::store
