#pragma once

#include "store/copy/copy.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/store_state.hpp"
#include "store/support/filled_store.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace roost::testing {

inline std::vector<std::string> rows_of(store::session& db, const std::string& text) {
  std::vector<std::string> rows;
  db.internals().read_rows({text.c_str(), text.c_str(), nullptr, 1}, {},
                           [&](const store::row& row) { rows.push_back(row[0] ? *row[0] : "NULL"); });
  return rows;
}

using direction = std::tuple<store_kind, store_kind>;

inline std::string to_string(const direction& value) {
  return testing::to_string(std::get<0>(value)) + "To" + testing::to_string(std::get<1>(value));
}

/// A filled store, an empty database, and helpers that copy the first into the second.
class copy_scene : public ::testing::TestWithParam<direction> {
protected:
  copy_scene() { fill_store(source_); }

  store::copy_settings settings() {
    store::copy_settings result;
    result.source_url = source_store_.url();
    result.target_url = target_store_.url();
    result.node = "copy";
    result.page_rows = 3; // so that most tables have several pages
    return result;
  }

  store::copy_result copy() { return store::copy_store(settings()); }

  /// Interrupts the copy after this number of pages, as a signal does.
  void copy_pages(int pages) {
    auto options = settings();
    options.progress = [&pages](auto...) {
      if (--pages == 0) throw std::runtime_error("stop");
    };
    EXPECT_THROW(store::copy_store(options), std::runtime_error);
  }

  void expect_refusal(const std::string& message) {
    try {
      copy();
      FAIL() << "was not refused";
    } catch (const store::copy_refused& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(message));
    }
  }

  /// Copies, and calls `action` once when `step` has reached this row of this table.
  store::copy_result copy_and(store::copy_step step, std::string_view table, std::int64_t rows,
                              const std::function<void()>& action) {
    bool is_done = false;
    auto options = settings();
    options.progress = [&, step, rows](store::copy_step current_step, std::string_view current_table,
                                       std::int64_t so_far, auto) {
      if (current_step == step && current_table == table && so_far >= rows && !std::exchange(is_done, true))
        action();
    };
    return store::copy_store(options);
  }

  bool is_unfinished() { return store::read_copy_marker(target_).has_value(); }
  bool is_marked_as_different() {
    const auto marker = store::read_copy_marker(target_);
    return marker && marker->now == store::copy_marker::state::differs;
  }

  /// Changes a store as `roost token revoke` does.
  static void revoke_token(store::session& db) {
    run_script(db, "delete from partner_tokens");
    store::record_change(db, {});
  }

  test_store source_store_{std::get<0>(GetParam())}, target_store_{std::get<1>(GetParam()), false};
  store::session source_ = source_store_.open(), target_ = target_store_.open();
};

} // namespace roost::testing
