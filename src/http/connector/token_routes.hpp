#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// POST /oauth/token (RFC 6749, 4.1.3 and 6).
std::vector<route> token_routes(const connector_services& services);

} // namespace roost::http
