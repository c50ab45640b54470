#pragma once

#include "domain/booking.hpp"

#include <string>

namespace roost::http {

/// Reads a booking submission (Partner API, Booking submission request). `body` needs simdjson's padding
/// behind its end. Throws bad_request with every message that applies: unknown keys in the order they came,
/// then the fields in that section's order. Availability and business rules are not looked at here. The
/// request's id, platform and time are the caller's to fill in.
domain::booking_request parse_booking_submission(std::string& body);

} // namespace roost::http
