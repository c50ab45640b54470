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

/// JSON that is part of a body.
struct json_value {
  std::string text;
};

/// A refusal. Checks and handlers throw it; only the server converts it to the body
/// `{"statusCode":…,"message":…,"error":…}` (Partner API, Errors).
struct error : std::exception {
  using extra_value = std::variant<std::string, std::int64_t, bool, json_value>;

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
  std::string current_tag; ///< of what a 412 is about, with its quotes; sent as ETag unless empty
};

inline error bad_request(std::string message) { return {400, std::move(message), "BadRequestException"}; }
/// Returns a 400 for a value that a column of the store cannot hold (Partner API, Errors).
inline error invalid_value() { return bad_request("A value has an invalid format."); }
inline error unauthorized(std::string message) { return {401, std::move(message), "UnauthorizedException"}; }
inline error forbidden(std::string message) { return {403, std::move(message), "ForbiddenException"}; }
inline error not_found(std::string message) { return {404, std::move(message), "NotFoundException"}; }
inline error conflict(std::string message) { return {409, std::move(message), "ConflictException"}; }
inline error gone(std::string message) { return {410, std::move(message), "GoneException"}; }
/// Returns the 412 for a resource that is not in the state that the client has seen (RFC 9110, 13.1.1).
inline error precondition_failed(std::string message) {
  return {412, std::move(message), "PreconditionFailedException"};
}
/// Returns the 428 for a write without a condition (RFC 6585, 3).
inline error precondition_required() {
  return {428, "If-Match is required: send the ETag of the state that you have read",
          "PreconditionRequiredException"};
}
inline error payload_too_large() { return {413, "Payload Too Large", "PayloadTooLargeException"}; }
inline error unsupported_media_type() {
  return {415, "Unsupported Media Type", "UnsupportedMediaTypeException"};
}
/// Returns a 429 with Retry-After (Management API, Errors).
inline error too_many_requests(std::chrono::seconds wait) {
  error refusal{429, "ThrottlerException: Too Many Requests", "ThrottlerException"};
  refusal.retry_after = wait;
  return refusal;
}
inline error service_unavailable(std::string message) {
  return {503, std::move(message), "ServiceUnavailableException"};
}
/// Returns a 503 with Retry-After.
inline error busy() {
  error refusal = service_unavailable("The service is busy. Please try again in a moment.");
  refusal.retry_after = std::chrono::seconds(5);
  return refusal;
}
/// Returns a 500 without any details.
inline error internal() { return {500, "Internal server error", "InternalServerErrorException"}; }

// Protocol errors of the server itself

inline error request_timeout() { return {408, "Request Timeout", "RequestTimeoutException"}; }
inline error uri_too_long() { return {414, "URI Too Long", "UriTooLongException"}; }
inline error expectation_failed() { return {417, "Expectation Failed", "ExpectationFailedException"}; }
inline error header_fields_too_large() {
  return {431, "Request Header Fields Too Large", "RequestHeaderFieldsTooLargeException"};
}
inline error version_not_supported() {
  return {505, "HTTP Version Not Supported", "HttpVersionNotSupportedException"};
}

/// Converts an error to a response; nothing else does. Replaces bytes that are not UTF-8 by U+FFFD.
response to_response(const error& refusal);

} // namespace roost::http
