#pragma once

#include "support/patterns.hpp"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <stdexcept>
#include <string>

/// Functions that read JSON responses as text, so that tests show what a partner receives.
namespace roost::testing {

inline std::string to_json(const rapidjson::Value& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  value.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

/// Returns the value at `pointer` (RFC 6901) as compact JSON, or an empty string when there is none. Throws
/// std::runtime_error when `document` is not JSON.
inline std::string json_at(const std::string& document, const std::string& pointer) {
  rapidjson::Document tree;
  if (tree.Parse(document.data(), document.size()).HasParseError())
    throw std::runtime_error("not JSON: " + document.substr(0, 200));
  const auto* value = rapidjson::Pointer(pointer.data(), pointer.size()).Get(tree);
  return value ? to_json(*value) : "";
}

/// Returns the number of elements of a JSON array.
inline std::size_t array_size(const std::string& document) {
  rapidjson::Document tree;
  if (tree.Parse(document.data(), document.size()).HasParseError() || !tree.IsArray())
    throw std::runtime_error("not a JSON array: " + document.substr(0, 200));
  return tree.Size();
}

/// Replaces every timestamp by `<time>` and every UUID by `<id>`: they differ between runs.
inline std::string without_times_and_ids(const std::string& text) {
  const auto without_times = with_replaced(text, R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)", "<time>");
  return with_replaced(without_times, "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>");
}

/// Returns the body of an error response (Partner API, Errors).
inline std::string error_body(unsigned status, const std::string& message, const std::string& name) {
  return R"({"statusCode":)" + std::to_string(status) + R"(,"message":")" + message + R"(","error":")" +
         name + R"("})";
}

inline std::string bad_request(const std::string& message) {
  return error_body(400, message, "BadRequestException");
}
inline std::string unauthorized(const std::string& message) {
  return error_body(401, message, "UnauthorizedException");
}
inline std::string not_found(const std::string& message) {
  return error_body(404, message, "NotFoundException");
}

} // namespace roost::testing
