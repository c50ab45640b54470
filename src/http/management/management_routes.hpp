#pragma once

#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"
#include "json/schema.hpp"

#include <vector>

namespace roost::http {

/// Signing in and out (Management API, Endpoints, Management session).
std::vector<route> auth_routes(const management_services& services);

/// Adds the schemas that the documentation of these routes names.
void add_sign_in_route_schemas(json::schemas& to);

/// The ledger of AI model calls (Management API, AI usage), and where other services add to it.
std::vector<route> usage_routes(const management_services& services);

/// Adds the schemas that the documentation of these routes names.
void add_usage_route_schemas(json::schemas& to);

} // namespace roost::http
