#pragma once

#include "http/protocol/core.hpp"
#include "http/protocol/head.hpp"

namespace roost::http {

/// Decides everything that is decided about a request before its body is read, in this order: the path's
/// encoding, the route, the route's checks, the content type, the size. Returns the route's index; throws
/// http::error. `index` is set as soon as the route is known, so that a refusal is counted for it.
void admit(const server_core& core, const head& head, request& req, std::size_t& index);

/// What can only be said once the body is here: that one was announced as JSON and is empty.
void check_body(body_policy policy, const request& req);

} // namespace roost::http
