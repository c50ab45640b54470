#pragma once

#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace roost::domain {

/// Returns the nights that a booking blocks: those of the stay and the unit's preparation days after it.
nights booked_nights(date check_in, date check_out, int preparation_days);

/// Returns the parts of these nights without those of the stays, in order.
std::vector<nights> parts_without(const nights& whole, std::vector<nights> stays);

/// Nights that a booking or a block claims.
struct claimed_nights {
  uuid id{}; ///< of the booking or block
  domain::nights nights;
  std::optional<block_source> source; ///< nullopt: a stay, without preparation nights
  std::string_view host;              ///< of a channel block, or empty
};

/// Nights that two of them claim although only one can have them.
struct night_conflict {
  domain::nights nights;
  uuid first{}, second{}; ///< in the order of their first nights

  friend bool operator==(const night_conflict&, const night_conflict&) = default;
};

/// Returns the conflicts by first night: a stay with another one or with a block, and channel blocks of
/// different hosts with each other. The landlord's own blocks may overlap other blocks.
std::vector<night_conflict> conflicts_among(std::vector<claimed_nights> claims);

/// A unit's blocks, ordered by first night, then by id.
class calendar {
public:
  calendar() = default;
  explicit calendar(std::vector<block> blocks);

  const std::vector<block>& blocks() const { return blocks_; }

  /// Returns whether no block contains any of these nights.
  bool is_free(const nights& stay) const;

  void add(block added);

  /// Returns false if there is no such block.
  bool remove(const uuid& block_id);

  /// Returns the first date, from `start` on, on which a free stay of `min_stay_months` months (0: one night)
  /// can start; the candidates are `start` and the day after each block. Returns nullopt if a block without
  /// end comes first (Partner API, Listing object, rule 7).
  std::optional<date> available_from(date start, int min_stay_months) const;

private:
  void note_length(const block& held);

  std::vector<block> blocks_;
  days longest_{0};              ///< upper bound of last minus first night, without blocks that have no end
  date open_from_ = date::max(); ///< the first night of the earliest block without end
};

} // namespace roost::domain
