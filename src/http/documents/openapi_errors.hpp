#pragma once

#include "http/protocol/error.hpp"
#include "http/protocol/router.hpp"
#include "json/schema.hpp"

#include <array>
#include <string>
#include <string_view>

namespace roost::http {

/// The schema of every error.
inline constexpr std::string_view error_schema = "Error";
void add_error_schema(json::schemas& to);

/// The 503 that every route can return.
inline constexpr documented_response busy_response{503, "The service is busy: try again after Retry-After",
                                                   error_schema};

/// Errors that every operation of a document can return.
inline constexpr std::array common_errors{
    documented_response{400, "The request or a field is malformed", error_schema},
    documented_response{401, "The credentials are missing or invalid", error_schema},
    documented_response{500, "An unexpected failure", error_schema},
    busy_response,
};

/// Returns an example error of this status. An empty message means the server's most frequent one. Throws
/// std::logic_error for a status that no document has.
error example_error(unsigned status, const std::string& message);

} // namespace roost::http
