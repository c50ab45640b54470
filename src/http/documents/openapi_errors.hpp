#pragma once

#include "http/protocol/error.hpp"

#include <array>
#include <string>
#include <string_view>

namespace roost::http {

/// An error that every operation of a document can answer with.
struct common_error {
  unsigned status;
  std::string_view description;
};

inline constexpr std::array common_errors{
    common_error{400, "The request is malformed, or a field is"},
    common_error{401, "The credentials are missing or not valid here"},
    common_error{404, "There is no such path or listing"},
    common_error{410, "The account of the svc-api-key has moved to the native booking engine"},
    common_error{500, "An unexpected failure"},
    common_error{503, "The service is busy, or this feed is not configured; see Retry-After"},
};

/// The error of this status as an example. An empty message stands for what the server says with this status
/// most often. Throws std::logic_error for a status that no document has.
error example_error(unsigned status, const std::string& message);

} // namespace roost::http
