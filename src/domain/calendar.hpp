#pragma once

#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <vector>

namespace roost::domain {

/// The last blocked night of a booking: its last night and the unit's preparation days after it.
nights booked_nights(date check_in, date check_out, int preparation_days);

/// A unit's blocked nights, ordered by their first one, then by the block's id.
class calendar {
public:
  calendar() = default;
  explicit calendar(std::vector<block> blocks);

  const std::vector<block>& blocks() const { return blocks_; }

  /// Whether no block holds one of these nights. Looks at those blocks only that begin close enough to hold
  /// one, by halving.
  bool is_free(const nights& wanted) const;

  void add(block added);

  /// False when there is no such block.
  bool remove(const uuid& block_id);

  /// The first date, from `start` on, from which a stay of `min_stay_months` months (one night when 0) is
  /// free; the candidates are `start` and the day after each block. Nothing when a block without end comes
  /// first (Partner API, Listing object, rule 7).
  std::optional<date> available_from(date start, int min_stay_months) const;

private:
  void note_length(const block& held);

  std::vector<block> blocks_;
  days longest_{0}; ///< from the first to the last night, of no block more; those without end apart
  date open_from_ = date::max(); ///< the first night of the earliest block without end
};

} // namespace roost::domain
