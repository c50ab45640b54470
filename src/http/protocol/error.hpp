#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace roost::http {

struct response;

/// A refusal. Checks and handlers throw it; only the server converts it to the body
/// `{"statusCode":…,"message":…,"error":…}` (Partner API, Errors).
struct error : std::exception {
  using extra_value = std::variant<std::string, std::int64_t, bool>;

  error(unsigned status, std::string message, std::string name)
      : status(status), message(std::move(message)), name(std::move(name)) {}

  const char* what() const noexcept override { return message.c_str(); }

  /// Adds a field to the body, after the three common ones.
  error& with(std::string key, extra_value value) {
    extra.emplace_back(std::move(key), std::move(value));
    return *this;
  }

  unsigned status;
  std::string message;
  std::string name; ///< the body's `error`, e.g. BadRequestException
  std::vector<std::pair<std::string, extra_value>> extra;
  std::optional<std::chrono::seconds> retry_after; ///< sent as Retry-After
};

error bad_request(std::string message);
error unauthorized(std::string message);
error forbidden(std::string message);
error not_found(std::string message);
error conflict(std::string message);
error gone(std::string message);
error payload_too_large();
error unsupported_media_type();
/// 429 "ThrottlerException: Too Many Requests" with Retry-After (Management API, Errors).
error too_many_requests(std::chrono::seconds wait);
error service_unavailable(std::string message);
/// 503 "The service is busy. Please try again in a moment." with Retry-After: 5.
error busy();
/// 500 "Internal server error" without any details.
error internal();
/// Protocol errors of the server itself.
error request_timeout();
error uri_too_long();
error expectation_failed();
error header_fields_too_large();
error version_not_supported();

/// Converts an error to a response; nothing else does. Replaces bytes that are not UTF-8 by U+FFFD.
response to_response(const error& refusal);

} // namespace roost::http
