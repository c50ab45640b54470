#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// POST /oauth/register (RFC 7591).
std::vector<route> registration_routes(const connector_services& services);

} // namespace roost::http
