#pragma once

#include "http/protocol/router.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// A document that never changes while the server runs.
struct fixed_document {
  std::string_view content_type;
  std::string text;
  std::string gzip = {};            ///< the same compressed; empty: there is no such form
  bytes::header_fields fields = {}; ///< in each answer, the 304s too
};

/// `GET pattern` answers the document to everybody, whether or not this server is the writer: plain or
/// compressed, with an ETag that is a hash of it, and 304 to who has it.
route document_route(std::string pattern, fixed_document document);

} // namespace roost::http
