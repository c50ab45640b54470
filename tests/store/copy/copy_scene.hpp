#pragma once

#include "store/copy/copy.hpp"
#include "store/copy/filled_store.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/store_state.hpp"
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

inline std::string to_string(const direction& of) {
  return testing::to_string(std::get<0>(of)) + "To" + testing::to_string(std::get<1>(of));
}

/// A filled store, an empty database, and a copy of the one into the other.
class copy_scene : public ::testing::TestWithParam<direction> {
protected:
  copy_scene() { fill_store(source_); }

  store::copy_settings settings() {
    store::copy_settings with;
    with.source_url = from_.url();
    with.target_url = to_.url();
    with.node = "copy";
    with.page_rows = 3; // so that most tables have several pages
    return with;
  }

  store::copy_result copy() { return store::copy_store(settings()); }

  /// Ends the copy once so many pages are written, as a signal does.
  void copy_pages(int pages) {
    auto with = settings();
    with.progress = [&pages](auto...) {
      if (--pages == 0) throw std::runtime_error("stop");
    };
    EXPECT_THROW(store::copy_store(with), std::runtime_error);
  }

  void expect_refusal(const std::string& words) {
    try {
      copy();
      FAIL() << "was not refused";
    } catch (const store::copy_refused& refused) {
      EXPECT_THAT(refused.what(), ::testing::HasSubstr(words));
    }
  }

  /// Copies, and calls `once` when `step` has come to that row of that table.
  store::copy_result copy_and(store::copy_step step, std::string_view table, std::int64_t rows,
                              const std::function<void()>& once) {
    bool is_done = false;
    auto with = settings();
    with.progress = [&, step, rows](store::copy_step at, std::string_view of, std::int64_t so_far, auto) {
      if (at == step && of == table && so_far >= rows && !std::exchange(is_done, true)) once();
    };
    return store::copy_store(with);
  }

  bool is_unfinished() { return store::read_copy_marker(target_).has_value(); }
  bool is_known_to_differ() {
    const auto marker = store::read_copy_marker(target_);
    return marker && marker->now == store::copy_marker::state::differs;
  }

  /// What `roost token revoke` leaves in a store.
  static void revoke_token(store::session& db) {
    run_script(db, "delete from partner_tokens");
    store::record_change(db, {});
  }

  test_store from_{std::get<0>(GetParam())}, to_{std::get<1>(GetParam()), false};
  store::session source_ = from_.open(), target_ = to_.open();
};

} // namespace roost::testing
