#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// POST /oauth/introspect (RFC 7662): what a tool server asks about each token that it is sent.
std::vector<route> introspection_routes(const connector_services& services);

} // namespace roost::http
