#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// GET and POST /oauth/authorize: the page on which a landlord lets an assistant in (Management API, Consent
/// page), and the answer.
std::vector<route> consent_pages(const connector_services& services);

} // namespace roost::http
