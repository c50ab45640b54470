#pragma once

#include "http/protocol/head.hpp"
#include "http/protocol/server_core.hpp"

namespace roost::http {

/// Checks a request before its body is read, in this order: the path's encoding, the route, the route's
/// checks, the content type, the size. Throws http::error. Sets `index` as soon as the route is known, so
/// that a refusal is counted for it.
void admit(const server_core& core, const head& head, request& req, std::size_t& index);

/// Whether the route only reads: GET, which includes HEAD (RFC 9110, 9.2.1).
bool only_reads(const route& route);

/// Whether a response of this route or of its checks is still valid. Evaluates `holds` for reads and for
/// refusals, but neither for completed writes nor for failures.
bool still_holds(const route& route, const response& response);

/// Refuses an empty body that was announced as JSON.
void check_body(body_policy policy, const request& req);

} // namespace roost::http
