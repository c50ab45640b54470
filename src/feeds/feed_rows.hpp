#pragma once

#include "feeds/feed_text.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::feeds {

/// The rows of a list that is being built: those of units that have changed are asked for, all others are
/// taken from the pages of the list before, and a page without a change is taken whole. Of a list's rows only
/// their lengths are remembered.
class feed_rows {
public:
  /// Begins a list of units that last changed at these times (unit_changes::latest). `last` has the pages of
  /// the list that keep() was told of; null: every row is written anew.
  void begin(std::vector<std::uint64_t> changed, std::shared_ptr<const feed_pages> last);

  /// Which units' rows are wanted, by their place in the list.
  std::span<const std::uint32_t> wanted() const { return wanted_; }

  /// How many pages are not those of the list before.
  std::size_t changed_pages() const { return changed_pages_; }

  /// The row of the `number`th wanted unit, in any order; empty: not published.
  void take(std::size_t number, row_text row);

  /// Hands over the pages whose rows have all come, with all pages before them. How many of them are not
  /// those of the list before?
  std::size_t move_to(std::vector<page_draft>& sheet);

  /// Whether the list is the one before, row by row. Known from the beginning.
  bool is_as_before() const { return changed_pages_ == 0 && rows_.size() == kept_.size(); }

  /// The list is out.
  void keep();

private:
  struct row {
    std::uint64_t changed = 0;
    std::uint32_t size = 0;
    bool wanted = false;
  };

  struct page {
    bool kept = false;
    std::size_t wanted = 0; ///< rows
  };

  page begin_page(std::size_t first, std::span<const std::uint64_t> changed);
  page_draft draft_of(std::size_t number);

  std::vector<row> kept_; ///< of the list that is out
  std::vector<row> rows_;
  std::vector<page> pages_;
  std::size_t changed_pages_ = 0;
  std::shared_ptr<const feed_pages> last_;
  std::vector<std::uint32_t> wanted_;
  std::deque<std::optional<row_text>> come_; ///< wanted rows that have not been handed over
  std::size_t given_ = 0;                    ///< wanted rows that have been
  std::size_t ready_ = 0;                    ///< how many of come_ have come without a gap
  std::size_t placed_ = 0;                   ///< pages that were handed over
};

} // namespace roost::feeds
