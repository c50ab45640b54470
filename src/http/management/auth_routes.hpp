#pragma once

#include "http/management/management_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Signing in and out (Management API, Endpoints, Management session).
std::vector<route> auth_routes(const management_services& services);

} // namespace roost::http
