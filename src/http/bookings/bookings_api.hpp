#pragma once

#include "http/office/office_api.hpp"

/// The routes of the office about bookings (docs/office-api.md, Bookings).
namespace roost::http {

/// Returns the routes of bookings, and that of quotes.
std::vector<route> office_booking_routes(const office_services& services);
std::vector<route> quote_routes(const office_services& services);

/// Adds the schemas of these routes.
void add_office_booking_schemas(json::schemas& to);
void add_quote_schemas(json::schemas& to);

} // namespace roost::http
