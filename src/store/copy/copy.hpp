#pragma once

#include "store/database/error.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Copies a store into another one, of either kind of database, and compares the two.
namespace roost::store {

enum class copy_step : std::uint8_t { copying, comparing };

struct copy_settings {
  std::string source_url, target_url;
  std::string target_name = "another store"; ///< for messages: the target's URL without a password
  std::string node;                          ///< the holder's name for the leases
  std::size_t page_rows = 2000;
  /// How long to retry a read while a store is unavailable.
  std::chrono::milliseconds retry_timeout{120'000};
  /// Receives a table's progress, even while a store is unavailable. `total` is the number of rows in the
  /// source, or 0 if unknown. An exception from it ends the copy, which can be resumed later.
  std::function<void(copy_step step, std::string_view table, std::int64_t rows, std::int64_t total)>
      progress = [](copy_step, std::string_view, std::int64_t, std::int64_t) {};
  /// Called in the transaction that finishes the copy, after all rows were found to be equal.
  std::function<void(session& target, std::int64_t rows)> note = [](session&, std::int64_t) {};
};

struct copied_table {
  std::string name;
  std::int64_t rows = 0;
};

struct copy_result {
  std::vector<copied_table> tables; ///< those with rows, in the order of the copy
  std::int64_t rows = 0;
  bool resumed = false; ///< whether it continued an interrupted copy
  std::int64_t differing = 0;
  std::vector<std::string> differences; ///< messages about the first ones of each table
  std::string changed;                  ///< the store that a command changed during the copy; empty if none

  bool is_identical() const { return differing == 0 && changed.empty(); }
};

/// Copies all rows, then compares them. Holds the leases of both stores and does not change the source's
/// rows. Creates a store in an empty target. Resumes an unfinished copy, or starts over if the source has
/// changed. The target stays unfinished if rows differ or the source was changed during the copy. Otherwise
/// marks the source as moved, and then finishes the target: servers can take the lease of one of them at
/// most, and of neither if the copy is killed in between.
///
/// Throws copy_refused, target_rejected_row and the errors of store/database/error.hpp; it can be run again
/// after any of them.
copy_result copy_store(const copy_settings& settings);

/// Compares the stores without copying. Throws copy_refused if one of them is no finished store or is served.
copy_result compare_stores(const copy_settings& settings);

} // namespace roost::store
