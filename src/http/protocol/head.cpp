#include "http/protocol/head.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"

#include <boost/asio/ip/address_v6.hpp>

#include <algorithm>
#include <string>

namespace roost::http {
namespace {

/// "CONNECT ", the target, " HTTP/1.1" and some spare bytes: the target of a longer first line is too long.
constexpr std::size_t max_first_line = max_target + 64;

constexpr bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < ' ' || byte == 0x7f;
}

bool is_target_character(char c) { return c > ' ' && c < 0x7f && c != '#'; }

bool is_host_character(char c) {
  return ascii::is_alphanumeric(c) || std::string_view("-._~!$&'()*+;=%").find(c) != std::string_view::npos;
}

bool has_broken_escape(std::string_view text) {
  for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (at + 2 >= text.size() || ascii::hex_value(text[at + 1]) < 0 || ascii::hex_value(text[at + 2]) < 0)
      return true;
  return false;
}

bool is_valid_port(std::string_view text) {
  constexpr std::size_t max_length = 5;
  if (text.size() > max_length || !std::all_of(text.begin(), text.end(), ascii::is_digit)) return false;
  unsigned port = 0;
  for (const char digit : text) port = port * 10 + static_cast<unsigned>(digit - '0');
  return port <= 65535;
}

bool is_ipv6(std::string_view text) {
  constexpr std::size_t max_length = 45;
  if (text.size() > max_length || text.find('%') != std::string_view::npos) return false;
  boost::system::error_code failure;
  boost::asio::ip::make_address_v6(std::string(text), failure);
  return !failure;
}

/// Reduces absolute-form (RFC 9112, 3.2.2) to the equivalent origin-form.
std::string_view without_authority(char* target, std::size_t size, std::size_t start) {
  std::string_view text(target, size);
  auto end = text.find_first_of("/?", start);
  if (end == std::string_view::npos) end = size;
  if (!is_valid_host(text.substr(start, end - start)))
    throw bad_request("Malformed HTTP request: authority of the target");
  if (end < size && text[end] == '/') return text.substr(end);
  // The path is empty: the slash replaces the authority's last byte, which is no longer needed.
  target[end - 1] = '/';
  return text.substr(end - 1);
}

} // namespace

/// Prevents request smuggling: parsers disagree whether a folded line (obs-fold; RFC 9112, 5.2) is a field,
/// belongs to the previous field or is ignored, so that a folded Transfer-Encoding hides the coding from one
/// of them. Beast joins the lines.
void head_scanner::refuse_folded_line(std::string_view buffer) const {
  if (first_line_end_ == 0 || line_start_ >= buffer.size()) return;
  if (buffer[line_start_] == ' ' || buffer[line_start_] == '\t')
    throw bad_request("Malformed HTTP request: folded header field");
}

/// Prevents memory exhaustion and bounds the time of a slow sender.
void head_scanner::refuse_when_too_long(std::string_view buffer) const {
  const auto first_line = first_line_end_ == 0 ? buffer.size() : first_line_end_;
  if (first_line > max_first_line) throw uri_too_long();
  if (buffer.size() > max_head) throw header_fields_too_large();
}

/// Prevents request smuggling and header injection: a lone CR, a lone LF or a NUL ends a line or a text for
/// some parsers but not for others (RFC 9112, 2.2; RFC 9110, 5.5).
std::optional<std::size_t> head_scanner::scan(std::string_view buffer) {
  for (;; ++seen_) {
    const auto* const control = std::find_if(buffer.begin() + seen_, buffer.end(), is_control);
    seen_ = static_cast<std::size_t>(control - buffer.begin());
    refuse_folded_line(buffer);
    if (control == buffer.end()) break;
    if (*control == '\t' && first_line_end_ != 0) continue;
    if (*control != '\r') throw bad_request("Malformed HTTP request: control character in the header");
    if (seen_ + 1 == buffer.size()) break; // the next byte decides
    if (buffer[seen_ + 1] != '\n') throw bad_request("Malformed HTTP request: carriage return in the header");
    const bool empty_line = seen_ == line_start_;
    ++seen_;
    line_start_ = seen_ + 1;
    if (first_line_end_ == 0) {
      if (empty_line) throw bad_request("Malformed HTTP request: empty request line");
      first_line_end_ = seen_;
    }
    if (empty_line) {
      refuse_when_too_long(buffer.substr(0, line_start_));
      return line_start_;
    }
  }
  refuse_when_too_long(buffer);
  return std::nullopt;
}

void set_once(std::optional<std::string_view>& slot, std::string_view name, std::string_view value) {
  if (slot) throw bad_request("Malformed HTTP request: repeated " + std::string(name));
  slot = value;
}

bool is_valid_host(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '[') {
    const auto end = text.find(']');
    if (end == std::string_view::npos || !is_ipv6(text.substr(1, end - 1))) return false;
    const auto rest = text.substr(end + 1);
    return rest.empty() || (rest.front() == ':' && is_valid_port(rest.substr(1)));
  }
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  return !name.empty() && std::all_of(name.begin(), name.end(), is_host_character) &&
         !has_broken_escape(name) &&
         (colon == std::string_view::npos || is_valid_port(text.substr(colon + 1)));
}

void check_host(const std::optional<std::string_view>& host, unsigned minor_version) {
  if (host ? !is_valid_host(*host) : minor_version >= 1) throw bad_request("Malformed HTTP request: Host");
}

void check_content_length(std::string_view value) {
  constexpr std::size_t max_digits = 18;
  const bool digits = !value.empty() && std::all_of(value.begin(), value.end(), ascii::is_digit);
  if (!digits || value.size() > max_digits || (value.size() > 1 && value.front() == '0'))
    throw bad_request("Malformed HTTP request: Content-Length");
}

void check_transfer_encoding(const message_fields& fields, unsigned minor_version) {
  if (!fields.transfer_encoding) return;
  if (minor_version == 0 || fields.content_length ||
      !ascii::equal_ignoring_case(*fields.transfer_encoding, "chunked"))
    throw bad_request("Malformed HTTP request: Transfer-Encoding");
}

void check_expectation(std::string_view value) {
  if (!ascii::equal_ignoring_case(value, "100-continue")) throw expectation_failed();
}

std::string_view read_target(char* target, std::size_t size, std::string_view method) {
  const std::string_view text(target, size);
  if (size > max_target) throw uri_too_long();
  if (!std::all_of(text.begin(), text.end(), is_target_character))
    throw bad_request("Malformed HTTP request: character in the target");
  if (method == "CONNECT") {
    if (!is_valid_host(text) || text.find(':') == std::string_view::npos)
      throw bad_request("Malformed HTTP request: target");
    return text;
  }
  if (text.starts_with('/') || (text == "*" && method == "OPTIONS")) return text;
  for (const std::string_view scheme : {"http://", "https://"})
    if (ascii::equal_ignoring_case(text.substr(0, scheme.size()), scheme))
      return without_authority(target, size, scheme.size());
  throw bad_request("Malformed HTTP request: target");
}

void refuse_version(std::string_view request_line) {
  const auto target = request_line.find(' ') + 1;
  const auto version = request_line.substr(request_line.find(' ', target) + 1);
  const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                           ascii::is_digit(version[5]) && version[6] == '.' && ascii::is_digit(version[7]);
  // HTTP/2's preface looks like a request line; a 400 in HTTP/1 form is the clearest refusal.
  if (!well_formed || version == "HTTP/2.0") throw bad_request("Malformed HTTP request: version");
  throw version_not_supported();
}

} // namespace roost::http
