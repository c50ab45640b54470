#include "http/documents/openapi_errors.hpp"

#include "json/object.hpp"

#include <stdexcept>

namespace roost::http {

namespace {

error typical_error(unsigned status) {
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

constexpr auto error_object =
    json::object<error>(
        error_schema,
        json::member("statusCode", &error::status, "The HTTP status. Branch on it: the wording may change"),
        json::member("message", &error::message,
                     "What is wrong; several problems are joined with a comma and a space"),
        json::member("error", &error::name, "The kind of error, such as BadRequestException"))
        .example(R"({"statusCode":404,"message":"Cannot GET /","error":"NotFoundException"})");

} // namespace

void add_error_schema(json::schemas& to) { to.add(error_object); }

error example_error(unsigned status, const std::string& message) {
  auto example = typical_error(status);
  if (!message.empty()) example.message = message;
  return example;
}

} // namespace roost::http
