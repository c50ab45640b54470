#include "http/protocol/error.hpp"

#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/writer.hpp"

namespace roost::http {
namespace {

void write_extra(json::writer& json, const error::extra_value& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    json.value(to_utf8(*text));
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    json.value(*number);
  else
    json.value(std::get<bool>(value));
}

} // namespace

error bad_request(std::string message) { return {400, std::move(message), "BadRequestException"}; }
error unauthorized(std::string message) { return {401, std::move(message), "UnauthorizedException"}; }
error forbidden(std::string message) { return {403, std::move(message), "ForbiddenException"}; }
error not_found(std::string message) { return {404, std::move(message), "NotFoundException"}; }
error conflict(std::string message) { return {409, std::move(message), "ConflictException"}; }
error gone(std::string message) { return {410, std::move(message), "GoneException"}; }

error payload_too_large() { return {413, "Payload Too Large", "PayloadTooLargeException"}; }
error unsupported_media_type() { return {415, "Unsupported Media Type", "UnsupportedMediaTypeException"}; }

error too_many_requests(std::chrono::seconds wait) {
  error refusal{429, "ThrottlerException: Too Many Requests", "ThrottlerException"};
  refusal.retry_after = wait;
  return refusal;
}

error service_unavailable(std::string message) {
  return {503, std::move(message), "ServiceUnavailableException"};
}

error busy() {
  error refusal = service_unavailable("The service is busy. Please try again in a moment.");
  refusal.retry_after = std::chrono::seconds(5);
  return refusal;
}

error internal() { return {500, "Internal server error", "InternalServerErrorException"}; }

error request_timeout() { return {408, "Request Timeout", "RequestTimeoutException"}; }
error uri_too_long() { return {414, "URI Too Long", "UriTooLongException"}; }
error expectation_failed() { return {417, "Expectation Failed", "ExpectationFailedException"}; }

error header_fields_too_large() {
  return {431, "Request Header Fields Too Large", "RequestHeaderFieldsTooLargeException"};
}

error version_not_supported() {
  return {505, "HTTP Version Not Supported", "HttpVersionNotSupportedException"};
}

response to_response(const error& refusal) {
  json::writer json;
  json.begin_object();
  json.field("statusCode", refusal.status);
  json.field("message", to_utf8(refusal.message));
  json.field("error", to_utf8(refusal.name));
  for (const auto& [key, value] : refusal.extra) {
    json.data_key(key);
    write_extra(json, value);
  }
  json.end_object();

  response result = http::json(refusal.status, std::string(json.text()));
  if (refusal.retry_after)
    result.fields.emplace_back("Retry-After", std::to_string(refusal.retry_after->count()));
  return result;
}

} // namespace roost::http
