#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Where clients learn how to ask (RFC 8414), and where tool servers find the keys of tokens (RFC 7517) when
/// those are public ones.
std::vector<route> metadata_routes(const connector_services& services);

} // namespace roost::http
