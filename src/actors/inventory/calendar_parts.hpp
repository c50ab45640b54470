#pragma once

#include "domain/date.hpp"
#include "domain/unit.hpp"
#include "security/digest.hpp"

#include <cstddef>
#include <string>

/// What a unit's calendar keeps besides its blocks and settings.
namespace roost::actors {

/// Nights held for a decision or a write of the office until it is durable. They are unavailable, but feeds
/// only show them if a decision is in doubt.
struct reservation {
  domain::block block;
  bool cancelled = false; ///< before the decision was known to be durable
  bool shown = false;     ///< already in the calendar: the decision is in doubt, or in the change stream
  bool by_office = false; ///< then only the block's id and nights are set

  /// Whether the nights are held for a booking that the calendar does not show yet.
  bool is_booking_in_progress() const { return !by_office && !shown && !cancelled; }
};

/// The cached text of the last single read. The same listing is often read repeatedly, and rendering is the
/// most expensive part of a read. At most one text per unit.
struct last_read {
  std::size_t platform = 0;
  domain::date day;
  std::string json;
  security::sha256_digest digest{}; ///< of `json`
};

} // namespace roost::actors
