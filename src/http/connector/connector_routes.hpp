#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Where clients learn how to ask (RFC 8414), and where tool servers find the keys of tokens (RFC 7517) when
/// those are public ones.
std::vector<route> metadata_routes(const connector_services& services);

/// POST /oauth/register (RFC 7591).
std::vector<route> registration_routes(const connector_services& services);

/// POST /oauth/token (RFC 6749, 4.1.3 and 6).
std::vector<route> token_routes(const connector_services& services);

/// POST /oauth/introspect (RFC 7662): what a tool server asks about each token that it is sent.
std::vector<route> introspection_routes(const connector_services& services);

/// GET and POST /oauth/authorize: the page on which a landlord lets an assistant in (Management API, Consent
/// page), and the answer.
std::vector<route> consent_pages(const connector_services& services);

} // namespace roost::http
