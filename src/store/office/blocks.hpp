#pragma once

#include "domain/unit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/office/office.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Blocked nights, as the office reads and writes them.
namespace roost::store {

struct office_block {
  domain::uuid unit_id{};
  domain::block block;
  bool by_office = false; ///< the office created it, or changed an imported one
  /// The imported calendar that it comes from: then the office cannot change it.
  std::optional<domain::uuid> calendar_id = std::nullopt;

  friend bool operator==(const office_block&, const office_block&) = default;
};

/// The place of a block in the order of a list.
struct block_place {
  domain::date first_night{};
  domain::uuid id{};
};

/// Returns the unit's blocks by first night, then id: those after a place, at most `limit`. nullopt if there
/// is no such unit.
std::optional<office_page<office_block>> list_blocks(session& db, const office_scope& scope,
                                                     const domain::uuid& unit,
                                                     const std::optional<block_place>& after,
                                                     std::size_t limit);

/// Returns the blocks of units that block any of these nights, by first night, then id.
std::vector<office_block> blocks_among(session& db, std::span<const domain::uuid> units,
                                       const domain::nights& nights);

std::optional<office_block> find_block(session& db, const office_scope& scope, const domain::uuid& unit,
                                       const domain::uuid& id);

/// Nights of a booking that a block would cover.
struct booking_overlap {
  domain::uuid booking_id{};
  domain::nights nights;

  friend bool operator==(const booking_overlap&, const booking_overlap&) = default;
};

struct block_creation {
  domain::uuid unit_id{}, id{};
  domain::nights nights; ///< the last one may be no_end
  std::string note;
  /// Identifies the request if the client chose the id; empty if it did not.
  std::string request_hash;
};

/// Returns whether the client has seen this state of a block; empty if the client did not say what it has
/// seen. Called in the transaction.
using block_condition = std::function<bool(const office_block&)>;

struct block_change {
  domain::uuid unit_id{}, id{};
  block_condition is_current;
  /// Changes the nights and the note of the stored block. Returns why that is impossible; empty if it is not.
  /// Called in the transaction.
  std::function<std::string(office_block&)> apply;
  /// The nights that the change may block.
  std::optional<domain::nights> may_block;
};

struct block_deletion {
  domain::uuid unit_id{}, id{};
  block_condition is_current;
};

struct block_outcome {
  office_result result = office_result::not_found;
  office_block block;                  ///< as it is stored now, or was until it was deleted
  std::vector<booking_overlap> booked; ///< if `result` says so
  last_change last;                    ///< if the client's state is outdated
  std::string problem;                 ///< if the values are refused
  stream_point point;                  ///< the position at which reads show the outcome, if it is stored
};

// Each of these writes the block, the audit entry, the unit's changelog and the entry of the change stream in
// one transaction, or nothing. They throw lease_lost, or unavailable: also while an import writes the unit.

block_outcome create_block(session& db, const lease& held, const office_scope& scope,
                           const block_creation& request, const office_author& author);

/// The imported state of the block is remembered: imports do not bring it back.
block_outcome change_block(session& db, const lease& held, const office_scope& scope,
                           const block_change& request, const office_author& author);

block_outcome delete_block(session& db, const lease& held, const office_scope& scope,
                           const block_deletion& request, const office_author& author);

/// Waits for writes whose commit is in doubt, and returns the newest position afterwards: memory that has
/// reached it knows whether they succeeded. Throws unavailable if they do not end in time.
std::int64_t settled_position(session& db);

} // namespace roost::store
