#pragma once

#include "feeds/feed_text.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace roost::feeds {

/// The rows of a list while it is built. Rows of changed units are requested, all others are taken from the
/// pages of the previous list, and a page without changes is reused as a whole. Only the lengths of a list's
/// rows are kept.
class feed_rows {
public:
  /// Begins a list of units with these times of their last change (unit_changes::latest). `last` has the
  /// pages of the list for which keep() was called last; null: all rows are requested.
  void begin(std::vector<std::uint64_t> changed, std::shared_ptr<const feed_pages> last);

  /// The units whose rows are requested, as positions in the list.
  std::span<const std::uint32_t> requested() const { return requested_; }

  /// The number of pages that differ from those of the previous list.
  std::size_t changed_pages() const { return changed_pages_; }

  /// Takes the row of the `number`th requested unit, in any order; empty: not published.
  void take(std::size_t number, row_text row);

  /// Moves the next pages whose rows are complete to `sheet`, in order. Returns how many of them differ from
  /// those of the previous list.
  std::size_t move_complete_pages_to(std::vector<page_draft>& sheet);

  /// Whether the list has the same rows as the previous one. Known right after begin().
  bool is_unchanged() const { return changed_pages_ == 0 && rows_.size() == kept_.size(); }

  /// Remembers this list as the previous one: it is published.
  void keep();

private:
  struct row {
    std::uint64_t changed = 0;
    std::uint32_t size = 0;
    bool requested = false;
  };

  struct page {
    bool reused = false;
    std::size_t requested = 0; ///< rows
  };

  page begin_page(std::size_t first, std::span<const std::uint64_t> changed);
  page_draft draft_of(std::size_t number);

  std::vector<row> kept_; ///< of the previous list
  std::vector<row> rows_;
  std::vector<page> pages_;
  std::size_t changed_pages_ = 0;
  std::shared_ptr<const feed_pages> last_;
  std::vector<std::uint32_t> requested_;
  std::deque<std::optional<row_text>> received_; ///< requested rows that have not been moved yet
  std::size_t moved_rows_ = 0;                   ///< requested rows that have been moved
  std::size_t ready_ = 0;                        ///< rows at the front of received_ without a gap
  std::size_t moved_pages_ = 0;
};

} // namespace roost::feeds
