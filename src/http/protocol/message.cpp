#include "http/protocol/message.hpp"

#include "bytes/ascii.hpp"

#include <boost/beast/http/status.hpp>

#include <array>
#include <charconv>
#include <cstdio>

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

response json(unsigned status, std::string body) {
  response result;
  result.status = status;
  result.body = std::move(body);
  return result;
}

response empty(unsigned status) {
  response result;
  result.status = status;
  result.content_type.clear();
  return result;
}

namespace wire {
namespace {

void append_number(std::string& text, std::size_t number) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
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
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::snprintf(text_, sizeof text_, "%s, %02u %s %04u %02u:%02u:%02u GMT", days[utc.tm_wday % 7],
                  static_cast<unsigned>(utc.tm_mday) % 100, months[utc.tm_mon % 12],
                  static_cast<unsigned>(utc.tm_year + 1900) % 10000, static_cast<unsigned>(utc.tm_hour) % 100,
                  static_cast<unsigned>(utc.tm_min) % 100, static_cast<unsigned>(utc.tm_sec) % 100);
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
  for (const auto& [name, value] : response.fields) bytes::append_field(head, name, value);
  if (response.shared) return;

  if (!response.content_type.empty()) bytes::append_field(head, "Content-Type", response.content_type);
  if (bytes::may_have_body(response.status)) {
    head += "Content-Length: ";
    append_number(head, response.body.size());
    head += "\r\n";
  }
  head += "\r\n";
}

} // namespace wire
} // namespace roost::http
