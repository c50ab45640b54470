#pragma once

#include "http/protocol/message.hpp"
#include "http/protocol/server_core.hpp"

#include <chrono>
#include <cstddef>
#include <exception>

namespace roost::http {

/// Counts an answered request and writes its line: at info when it writes or was refused, at debug otherwise
/// and when it was refused because this server is not the writer.
/// `route` is router::npos when none answers it.
void record(server_core& core, const request& req, std::size_t route, unsigned status,
            std::chrono::steady_clock::duration took);

/// Logs that a handler or a check threw something other than a refusal. Only the exception's type is written:
/// its text may hold what was in the request.
void record_failure(const server_core& core, const request& req, std::size_t route,
                    const std::exception_ptr& failure);

} // namespace roost::http
