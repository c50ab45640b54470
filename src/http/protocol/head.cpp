#include "http/protocol/head.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"

#include <boost/asio/ip/address_v6.hpp>

#include <algorithm>

namespace roost::http {
namespace {

constexpr std::string_view line_end = "\r\n";

/// "CONNECT ", the target, " HTTP/1.1" and room to spare: a first line longer than this has too long a
/// target.
constexpr std::size_t max_first_line = max_target + 64;

/// Takes one line off the front of the block, without its CR LF. The scanner has seen that every line has
/// one.
std::string_view take_line(std::string_view& block) {
  const auto end = block.find(line_end);
  const auto line = block.substr(0, end);
  block.remove_prefix(end + line_end.size());
  return line;
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

unsigned parse_version(std::string_view version) {
  const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                           ascii::is_digit(version[5]) && version[6] == '.' && ascii::is_digit(version[7]);
  // HTTP/2's preface is a request line of its own making: an answer in HTTP/1 form is the clearest refusal.
  if (!well_formed || version == "HTTP/2.0") throw bad_request("Malformed HTTP request: version");
  if (version[5] != '1' || version[7] > '1') throw version_not_supported();
  return static_cast<unsigned>(version[7] - '0');
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

std::string_view parse_target(char* target, std::size_t size, std::string_view method) {
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

void parse_request_line(std::string_view line, char* block, request& req, head& head) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || line.find(' ', first + 1) != last)
    throw bad_request("Malformed HTTP request: request line");
  req.method = line.substr(0, first);
  if (!ascii::is_token(req.method)) throw bad_request("Malformed HTTP request: method");
  const auto target = line.substr(first + 1, last - first - 1);
  if (target.empty()) throw bad_request("Malformed HTTP request: target");
  head.minor_version = parse_version(line.substr(last + 1));

  req.target = parse_target(block + (target.data() - block), target.size(), req.method);
  const auto question = req.target.find('?');
  req.path = req.target.substr(0, question);
  req.query = question == std::string_view::npos ? std::string_view{} : req.target.substr(question + 1);
}

header_field parse_field(std::string_view line) {
  const auto colon = line.find(':');
  // A name is a token right up to the colon, so that folded lines and spaces before the colon fail here too.
  if (colon == std::string_view::npos || !ascii::is_token(line.substr(0, colon)))
    throw bad_request("Malformed HTTP request: header field name");
  // The scanner has let no byte through that may not stand in a value (RFC 9110, 5.5).
  return {line.substr(0, colon), ascii::trim(line.substr(colon + 1))};
}

std::uint64_t parse_length(std::string_view text) {
  constexpr std::size_t longest = 18; // always fits
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), ascii::is_digit);
  if (!digits || text.size() > longest || (text.size() > 1 && text.front() == '0'))
    throw bad_request("Malformed HTTP request: Content-Length");
  std::uint64_t length = 0;
  for (const char digit : text) length = length * 10 + static_cast<std::uint64_t>(digit - '0');
  return length;
}

/// What the fields say about the message itself, gathered in one pass.
struct message_fields {
  const header_field* host = nullptr;
  const header_field* length = nullptr;
  const header_field* coding = nullptr;
  bool close = false;
  bool keep_alive = false;
  bool expects = false;
};

void set_once(const header_field*& slot, const header_field& field) {
  if (slot != nullptr) throw bad_request("Malformed HTTP request: repeated " + std::string(field.name));
  slot = &field;
}

void read_connection(std::string_view list, message_fields& found) {
  for (auto option = ascii::next_element(list); !option.empty(); option = ascii::next_element(list)) {
    found.close = found.close || ascii::equal_ignoring_case(option, "close");
    found.keep_alive = found.keep_alive || ascii::equal_ignoring_case(option, "keep-alive");
  }
}

message_fields gather(const request& req, unsigned minor_version) {
  message_fields found;
  for (const auto& field : req.fields) {
    switch (field.name.size()) { // spares most fields the comparisons
    case 4:
      if (ascii::equal_ignoring_case(field.name, "Host")) set_once(found.host, field);
      break;
    case 6:
      if (ascii::equal_ignoring_case(field.name, "Expect") && minor_version >= 1) {
        if (!ascii::equal_ignoring_case(field.value, "100-continue")) throw expectation_failed();
        found.expects = true;
      }
      break;
    case 10:
      if (ascii::equal_ignoring_case(field.name, "Connection")) read_connection(field.value, found);
      break;
    case 14:
      if (ascii::equal_ignoring_case(field.name, "Content-Length")) set_once(found.length, field);
      break;
    case 17:
      if (ascii::equal_ignoring_case(field.name, "Transfer-Encoding")) set_once(found.coding, field);
      break;
    default:
      break;
    }
  }
  return found;
}

void read_framing(const message_fields& found, head& head) {
  if (found.coding != nullptr) {
    if (head.minor_version == 0 || found.length != nullptr ||
        !ascii::equal_ignoring_case(found.coding->value, "chunked"))
      throw bad_request("Malformed HTTP request: Transfer-Encoding");
    head.body = framing::chunked;
  } else if (found.length != nullptr) {
    head.content_length = parse_length(found.length->value);
    head.body = head.content_length == 0 ? framing::none : framing::length;
  }
}

} // namespace

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

void head_scanner::refuse_when_too_long(std::string_view buffer) const {
  const auto first_line = first_line_end_ == 0 ? buffer.size() : first_line_end_;
  if (first_line > max_first_line) throw uri_too_long();
  if (buffer.size() > max_head) throw header_fields_too_large();
}

std::optional<std::size_t> head_scanner::scan(std::string_view buffer) {
  constexpr auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7f;
  };
  for (;; ++seen_) {
    const auto* const control = std::find_if(buffer.begin() + seen_, buffer.end(), is_control);
    seen_ = static_cast<std::size_t>(control - buffer.begin());
    if (control == buffer.end()) break;
    if (*control == '\t' && first_line_end_ != 0) continue;
    if (*control != '\r') throw bad_request("Malformed HTTP request: control character in the header");
    if (seen_ + 1 == buffer.size()) break; // decided when the next byte is here
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

head parse_head(char* block, std::size_t size, request& req) {
  head head;
  std::string_view rest(block, size);
  parse_request_line(take_line(rest), block, req, head);
  for (auto line = take_line(rest); !line.empty(); line = take_line(rest)) {
    if (req.fields.size() == max_fields) throw header_fields_too_large();
    req.fields.push_back(parse_field(line));
  }
  const message_fields found = gather(req, head.minor_version);
  if (found.host == nullptr ? head.minor_version >= 1 : !is_valid_host(found.host->value))
    throw bad_request("Malformed HTTP request: Host");
  read_framing(found, head);
  head.keep_alive = !found.close && (head.minor_version >= 1 || found.keep_alive);
  // Whatever follows a CONNECT is not ours to read as a request.
  if (req.method == "CONNECT") head.keep_alive = false;
  head.expects_continue = found.expects && head.body != framing::none;
  return head;
}

} // namespace roost::http
