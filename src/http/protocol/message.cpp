#include "http/protocol/message.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/writer.hpp"

#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <charconv>

namespace roost::http {

std::string_view request::header(std::string_view name) const {
  for (const auto& field : fields)
    if (ascii::equal_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::size_t request::count(std::string_view name) const {
  std::size_t matches = 0;
  for (const auto& field : fields) matches += ascii::equal_ignoring_case(field.name, name) ? 1 : 0;
  return matches;
}

std::vector<std::string_view> request::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& field : fields)
    if (ascii::equal_ignoring_case(field.name, name)) values.push_back(field.value);
  return values;
}

std::string_view request::media_type() const {
  const auto value = header("Content-Type");
  return ascii::trim(value.substr(0, value.find(';')));
}

response json(unsigned status, std::string body) { return {.status = status, .body = std::move(body)}; }

response empty(unsigned status) { return {.status = status, .content_type = {}}; }

namespace {

void write_extra(json::writer& json, const error::extra_value& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    json.value(to_utf8(*text));
  else if (const auto* number = std::get_if<std::int64_t>(&value))
    json.value(*number);
  else if (const auto* part = std::get_if<json_value>(&value))
    json.raw(part->text);
  else
    json.value(std::get<bool>(value));
}

} // namespace

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
  if (!refusal.current_tag.empty()) result.fields.emplace_back("ETag", refusal.current_tag);
  return result;
}

namespace wire {
namespace {

void append_number(std::string& text, std::size_t number) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

bool has_field(const response& in, std::string_view name) {
  return std::ranges::any_of(
      in.fields, [&](const auto& field) { return ascii::equal_ignoring_case(field.first, name); });
}

/// Returns whether a response says itself whether it may be stored.
bool is_storable(const response& response) {
  return has_field(response, "Cache-Control") || has_field(response, "ETag");
}

void append_status_line(std::string& head, unsigned status) {
  head += "HTTP/1.1 ";
  append_number(head, status);
  head += ' ';
  const auto reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  head.append(reason.data(), reason.size());
  head += "\r\n";
}

} // namespace

std::string_view date_clock::now() {
  const std::time_t now = std::time(nullptr);
  if (now != second_) {
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::strftime(text_, sizeof text_, "%a, %d %b %Y %H:%M:%S GMT",
                  &utc); // in the C locale: nothing sets another one
    second_ = now;
  }
  return text_;
}

void append_head(std::string& head, const response& response, const envelope& envelope) {
  append_status_line(head, response.status);
  head.append("Date: ").append(envelope.date);
  head.append("\r\nX-Request-Id: ").append(envelope.request_id).append("\r\n");
  if (envelope.close)
    head += "Connection: close\r\n";
  else if (envelope.confirm_keep_alive)
    head += "Connection: keep-alive\r\n";
  head += "X-Content-Type-Options: nosniff\r\n";
  if (envelope.https_only) head += "Strict-Transport-Security: max-age=31536000\r\n";
  for (const auto& [name, value] : response.fields) bytes::append_field(head, name, value);
  if (response.shared) return;
  // RFC 9110, 15.5.2: a 401 has a challenge; RFC 6750, 3: Bearer has a parameter.
  if (response.status == 401 && !has_field(response, "WWW-Authenticate"))
    head += "WWW-Authenticate: Bearer realm=\"roost\"\r\n";
  if (!is_storable(response)) head += "Cache-Control: no-store\r\n";

  if (!response.content_type.empty()) bytes::append_field(head, "Content-Type", response.content_type);
  if (response.parts) {
    if (envelope.chunked) head += "Transfer-Encoding: chunked\r\n";
  } else if (bytes::may_have_body(response.status)) {
    head += "Content-Length: ";
    append_number(head, response.body.size());
    head += "\r\n";
  }
  head += "\r\n";
}

std::string chunk_of(std::string_view part) {
  std::string chunk;
  if (part.empty()) return chunk;
  char digits[2 * sizeof(std::size_t)];
  chunk.append(digits, std::to_chars(digits, digits + sizeof digits, part.size(), 16).ptr);
  return chunk.append("\r\n").append(part).append("\r\n");
}

} // namespace wire
} // namespace roost::http
