#pragma once

#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Signing in and out (Management API, Endpoints, Management session).
std::vector<route> auth_routes(const management_services& services);

/// The ledger of AI model calls (Management API, AI usage), and where other services add to it.
std::vector<route> usage_routes(const management_services& services);

} // namespace roost::http
