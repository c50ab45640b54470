#include "http/documents/openapi_errors.hpp"

#include <stdexcept>

namespace roost::http {

namespace {

error usual_error(unsigned status) {
  switch (status) {
  case 400:
    return bad_request("Malformed HTTP request: Host");
  case 401:
    return unauthorized("Unauthorized");
  case 403:
    return forbidden("Forbidden resource");
  case 404:
    return not_found("Not Found");
  case 409:
    return conflict("Conflict");
  case 410:
    return gone("Gone");
  case 413:
    return payload_too_large();
  case 415:
    return unsupported_media_type();
  case 429:
    return too_many_requests(std::chrono::seconds{1});
  case 500:
    return internal();
  case 503:
    return busy();
  default:
    throw std::logic_error("no document has an error " + std::to_string(status));
  }
}

} // namespace

error example_error(unsigned status, const std::string& message) {
  auto example = usual_error(status);
  if (!message.empty()) example.message = message;
  return example;
}

} // namespace roost::http
