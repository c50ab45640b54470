#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::actors {

/// A part of a feed's text: one row that was written for it, or a run of rows of the list before, joined by
/// commas, as long as that list lives.
struct feed_piece {
  std::string fresh; ///< empty: nothing is published, or it is a run
  std::string_view kept;
  std::size_t units = 1; ///< rows in a run

  std::string_view text() const { return kept.empty() ? fresh : kept; }
};

/// The rows of a list that is being built: those of units that have changed are asked for, all others are
/// taken from the text of the list before. Of a list's rows only their lengths are remembered.
class feed_rows {
public:
  /// Begins a list of units that last changed at these times (unit_changes::latest). `last` is the text of
  /// the list that keep() was told of; empty: every row is written anew.
  void begin(std::vector<std::uint64_t> changed, std::string_view last);

  /// Which units' rows are wanted, by their place in the list.
  std::span<const std::uint32_t> wanted() const { return wanted_; }

  /// The row of the `number`th wanted unit, in any order; empty: not published. One that is true at this
  /// moment only is never used again.
  void take(std::size_t number, std::string row, bool of_this_moment);

  /// Hands over what has come and has its place in the text.
  void move_to(std::vector<feed_piece>& sheet);

  /// Whether the list is the one before, row by row. Known from the beginning.
  bool is_as_before() const { return wanted_.empty() && rows_.size() == kept_.size(); }

  /// The list is out.
  void keep();

  /// Whether every row of the list that is out stays true until its unit changes.
  bool stay_true() const { return of_a_moment_ == 0; }

private:
  struct row {
    std::uint64_t changed = 0; ///< 0: not to be used again
    std::uint32_t size = 0;
    bool wanted = false;
  };

  void add_kept(std::vector<feed_piece>& sheet, std::string_view text);

  std::vector<row> kept_; ///< of the list that is out
  std::size_t of_a_moment_ = 0;
  std::vector<row> rows_;
  std::string_view last_;
  std::vector<std::uint32_t> wanted_;
  std::deque<std::optional<std::string>> come_; ///< wanted rows from given_ on
  std::size_t given_ = 0;                       ///< wanted rows that were handed over
  std::size_t placed_ = 0;                      ///< rows that were handed over
  std::size_t last_at_ = 0;                     ///< where the row that comes next stood
};

} // namespace roost::actors
