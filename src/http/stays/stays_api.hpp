#pragma once

#include "http/office/office_api.hpp"

#include <vector>

/// The part of the office API about what follows from bookings (docs/office-api.md).
namespace roost::http {

/// Returns the routes of notifications to the landlord.
std::vector<route> notification_routes(const office_services& services);
/// Returns the route of platforms' booking requests.
std::vector<route> request_routes(const office_services& services);
/// Returns the routes of tenants.
std::vector<route> tenant_routes(const office_services& services);
/// Returns the routes of payments and of what was received.
std::vector<route> payment_routes(const office_services& services);

/// Adds the schemas that the operations of these routes name.
void add_notification_schemas(json::schemas& to);
void add_request_schemas(json::schemas& to);
void add_tenant_schemas(json::schemas& to);
void add_payment_schemas(json::schemas& to);

} // namespace roost::http
