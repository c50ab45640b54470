#pragma once

#include "bytes/prebuilt.hpp"
#include "http/protocol/message.hpp"

namespace roost::http {

struct request;

/// Chooses the encoding by Accept-Encoding with its weights (RFC 9110, 12.5.3), answers 304 where
/// If-None-Match (RFC 9110, 13.1.2: weak comparison, lists, `*`) names the chosen form, and carries Vary:
/// Accept-Encoding. Copies nothing. The server leaves the body away for HEAD.
response serve(const request& req, const bytes::encoded_body& document);

} // namespace roost::http
