#pragma once

#include "http/documents/openapi.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// `GET /<prefix>`, to be mounted at a prefix that has OpenAPI documents: the interactive explorer (Partner
/// API, Conventions). It shows the first document, and offers the others. It asks this server for everything;
/// its Content-Security-Policy lets it ask nobody else. Without credentials, as it is a document about the
/// routes and none of them. None in a build without the explorer.
std::vector<route> explorer_page(const std::vector<documented_api>& documents);

/// `GET /explorer/…`: what the page is made of, for all prefixes alike. Swagger UI with its licences, and a
/// few lines that point it at the prefix's documents.
std::vector<route> explorer_parts();

} // namespace roost::http
