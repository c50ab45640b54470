#pragma once

#include "http/documents/openapi.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Returns `GET /<prefix>`, to be mounted at a prefix with OpenAPI documents: the interactive explorer
/// (Partner API, Conventions). It shows the first document and offers the others. Its Content-Security-Policy
/// allows requests to this server only. It needs no credentials, like the documents. Empty in a build without
/// the explorer.
std::vector<route> explorer_page(const std::vector<documented_api>& documents);

/// Returns `GET /explorer/…`: the page's assets, shared by all prefixes: Swagger UI with its licences, and a
/// script that points it at the prefix's documents.
std::vector<route> explorer_parts();

} // namespace roost::http
