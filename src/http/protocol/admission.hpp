#pragma once

#include "http/protocol/head.hpp"
#include "http/protocol/server_core.hpp"

namespace roost::http {

/// Decides everything that is decided about a request before its body is read, in this order: the path's
/// encoding, the route, the route's checks, the content type, the size. Returns the route's index; throws
/// http::error. `index` is set as soon as the route is known, so that a refusal is counted for it.
void admit(const server_core& core, const head& head, request& req, std::size_t& index);

/// Whether the route does nothing but read: GET, and with it HEAD (RFC 9110, 9.2.1).
bool only_reads(const route& route);

/// Whether an answer of this route or of its checks may be sent. `holds` is asked where it counts: for all
/// that was read and for refusals, not for what was written and not for failures.
bool still_holds(const route& route, const response& answer);

/// What can only be said once the body is here: that one was announced as JSON and is empty.
void check_body(body_policy policy, const request& req);

} // namespace roost::http
