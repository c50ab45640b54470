#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"

#include <boost/asio/ip/address_v6.hpp>

#include <algorithm>
#include <string>

namespace roost::http {
namespace {

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
  constexpr std::size_t longest = 5;
  if (text.size() > longest || !std::all_of(text.begin(), text.end(), ascii::is_digit)) return false;
  unsigned port = 0;
  for (const char digit : text) port = port * 10 + static_cast<unsigned>(digit - '0');
  return port <= 65535;
}

bool is_ipv6(std::string_view text) {
  constexpr std::size_t longest = 45;
  if (text.size() > longest || text.find('%') != std::string_view::npos) return false;
  boost::system::error_code failure;
  boost::asio::ip::make_address_v6(std::string(text), failure);
  return !failure;
}

/// Splits absolute-form (RFC 9112, 3.2.2) and leaves what origin-form would have said.
std::string_view without_authority(char* target, std::size_t size, std::size_t scheme) {
  std::string_view text(target, size);
  const auto start = scheme;
  auto end = text.find_first_of("/?", start);
  if (end == std::string_view::npos) end = size;
  if (!is_valid_host(text.substr(start, end - start)))
    throw bad_request("Malformed HTTP request: authority of the target");
  if (end < size && text[end] == '/') return text.substr(end);
  // The path is empty: the authority's last byte, of no use any more, becomes the slash.
  target[end - 1] = '/';
  return text.substr(end - 1);
}

} // namespace

void note_once(std::optional<std::string_view>& slot, std::string_view name, std::string_view value) {
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
  constexpr std::size_t longest = 18;
  const bool digits = !value.empty() && std::all_of(value.begin(), value.end(), ascii::is_digit);
  if (!digits || value.size() > longest || (value.size() > 1 && value.front() == '0'))
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
  const auto has_scheme = [&](std::string_view scheme) {
    return ascii::equal_ignoring_case(text.substr(0, scheme.size()), scheme);
  };
  if (method == "CONNECT") {
    if (!is_valid_host(text) || text.find(':') == std::string_view::npos)
      throw bad_request("Malformed HTTP request: target");
    return text;
  }
  if (text.starts_with('/')) return text;
  if (text == "*" && method == "OPTIONS") return text;
  for (const std::string_view scheme : {"http://", "https://"})
    if (has_scheme(scheme)) return without_authority(target, size, scheme.size());
  throw bad_request("Malformed HTTP request: target");
}

void refuse_version(std::string_view request_line) {
  const auto target = request_line.find(' ') + 1;
  const auto version = request_line.substr(request_line.find(' ', target) + 1);
  const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                           ascii::is_digit(version[5]) && version[6] == '.' && ascii::is_digit(version[7]);
  // HTTP/2's preface is a request line of its own making: an answer in HTTP/1 form is the clearest refusal.
  if (!well_formed || version == "HTTP/2.0") throw bad_request("Malformed HTTP request: version");
  throw version_not_supported();
}

} // namespace roost::http
