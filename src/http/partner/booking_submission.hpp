#pragma once

#include "domain/booking.hpp"
#include "json/schema.hpp"

#include <string>

namespace roost::http {

/// Reads a booking submission (Partner API, Booking submission request). Throws
/// bad_request with all messages: unknown keys in the order received, then fields in that section's order.
/// Does not check availability or business rules. The caller sets the request's id, platform and time.
domain::booking_request parse_booking_submission(std::string& body);

/// Returns the receipt of a queued request (Partner API, Booking submission receipt). No route looks up
/// its id.
std::string booking_receipt(const domain::uuid& request, domain::timestamp queued_at);

/// Adds the schemas of both.
void add_booking_schemas(json::schemas& to);

} // namespace roost::http
