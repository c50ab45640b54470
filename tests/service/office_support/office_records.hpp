#pragma once

#include "domain/calendar.hpp"
#include "domain/uuid.hpp"
#include "service/support/manual_bookings.hpp"
#include "store/database/session.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// What a client of the office knows about a block that it has set.
struct known_block {
  std::string id;
  unsigned unit = 0; ///< of portfolio_of()
  domain::nights nights;
  std::string tag;
  bool is_certain = true; ///< false while a request may still change it; then nothing is known about it
  bool is_deleted = false;
};

std::string path_of_blocks(unsigned unit);

/// Returns the members of a block's nights, without braces, as requests and listings have them.
std::string json_of(const domain::nights& nights);

/// A block of the office in the store.
struct stored_block {
  domain::uuid id{}, unit_id{};
  domain::nights nights;
};

using block_records = std::map<std::string, stored_block>; ///< by id

/// Returns the blocks that the office has created or changed.
block_records read_office_blocks(store::session& db);

/// Compares a block with the store. Returns a description of a difference.
std::optional<std::string> difference_of(const known_block& known, const block_records& stored);

/// Returns a description of each night that two bookings, or a booking and a block of the office, have.
std::vector<std::string> nights_sold_twice(const booking_records& bookings, const block_records& blocks);

} // namespace roost::testing
