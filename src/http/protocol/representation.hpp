#pragma once

#include "bytes/prebuilt.hpp"
#include "http/protocol/router.hpp"

#include <functional>
#include <string>
#include <string_view>

/// Representations of documents (RFC 9110, 8): content coding and conditional requests.
namespace roost::http {

/// Serves a document without copying it: chooses the encoding by the weights in Accept-Encoding (RFC 9110,
/// 12.5.3) and returns 304 if If-None-Match (RFC 9110, 13.1.2: weak comparison, lists, `*`) matches it. The
/// response has Vary: Accept-Encoding. The server omits the body for HEAD.
response serve(const request& req, const bytes::encoded_body& document);

/// A document that never changes while the server runs.
struct fixed_document {
  std::string_view content_type;
  std::string text;
  std::string gzip = {};            ///< the compressed form; empty: none
  bytes::header_fields fields = {}; ///< for all responses, including 304
};

/// Returns the route `GET pattern`, which serves the document to everyone, even if this server is not the
/// writer. The ETag is a hash of the text.
route document_route(std::string pattern, fixed_document document);

/// Returns such a route whose document is made when it is first requested, on that request's I/O thread, so
/// that a start does not wait for it. `make` must not block.
route document_route(std::string pattern, std::function<fixed_document()> make);

} // namespace roost::http
