#pragma once

#include "domain/unit.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Reads the nights that platforms hold.
namespace roost::store {

/// A hold that has not ended.
struct held_nights {
  domain::uuid block_id{}; ///< names it in calendars
  domain::uuid unit_id{};
  std::string platform;
  domain::date check_in{}, check_out{};
  domain::date last_night{}; ///< that is taken: the unit is prepared after the stay
  domain::timestamp created_at{};
  std::optional<domain::timestamp> expires_at; ///< nullopt: a booking request has claimed it

  /// Returns the hold as calendars know it.
  domain::block block() const {
    domain::block block;
    block.id = block_id;
    block.nights = {check_in, last_night};
    block.source = domain::block_source::hold;
    block.created_at = block.updated_at = created_at;
    return block;
  }
};

/// Returns all holds of these units, by first night.
std::vector<held_nights> holds_of(session& db, std::span<const domain::uuid> units);

/// Returns the holds of these units that take any of the nights, by first night.
std::vector<held_nights> holds_among(session& db, std::span<const domain::uuid> units,
                                     const domain::nights& nights);

} // namespace roost::store
