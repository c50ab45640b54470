#pragma once

#include "domain/platform.hpp"
#include "http/router.hpp"

#include <string>
#include <vector>

namespace roost::http {

/// The OpenAPI 3.1 document of a prefix, made of its routes: what is not in their table is not in the
/// document. Routes without an operation are left out.
std::string openapi_document(const domain::platform& platform, const std::vector<route>& routes);

/// `GET /<prefix>-json`: the document of these routes; without credentials.
route openapi_route(const domain::platform& platform, const std::vector<route>& routes);

} // namespace roost::http
