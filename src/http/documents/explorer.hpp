#pragma once

#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// `GET /<prefix>`, to be mounted at a prefix that has an OpenAPI document: the interactive explorer (Partner
/// API, Conventions). It asks this server for everything; its Content-Security-Policy lets it ask nobody
/// else. Without credentials, as it is a document about the routes and none of them. None in a build without
/// the explorer.
std::vector<route> explorer_page();

/// `GET /explorer/…`: what the page is made of, for all prefixes alike. Swagger UI with its licences, and a
/// few lines that point it at the prefix's document.
std::vector<route> explorer_parts();

} // namespace roost::http
