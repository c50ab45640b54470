#pragma once

#include "store/bookings/stay_changes.hpp"
#include "store/support/sample_booking.hpp"

#include <string>

namespace roost::testing {

/// Returns a change of a stay with only the required members.
inline store::stay_change sample_stay_change(const std::string& platform, const std::string& reference,
                                             const std::string& id, const char* check_in,
                                             const char* check_out) {
  store::stay_change change;
  change.platform = platform;
  change.reference = reference;
  change.id = id;
  change.check_in = day(check_in);
  change.check_out = day(check_out);
  change.requested_by = "token 1";
  change.received_at = moment("2026-11-21T10:00:00.000Z");
  return change;
}

} // namespace roost::testing
