#include "http/protocol/request_parser.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <array>

namespace roost::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// Converts an error of Beast's in a header to a refusal.
[[noreturn]] void refuse_head(const beast::error_code& failure, std::string_view block) {
  using reason = beast::http::error;
  if (failure == reason::bad_version) refuse_version(block.substr(0, block.find('\r')));
  const auto malformed = [](const char* part) {
    return bad_request(std::string("Malformed HTTP request: ") + part);
  };
  if (failure == reason::bad_method) throw malformed("method");
  if (failure == reason::bad_target) throw malformed("target");
  if (failure == reason::bad_field) throw malformed("header field name");
  if (failure == reason::bad_value) throw malformed("header field value");
  if (failure == reason::bad_content_length || failure == reason::multiple_content_length)
    throw malformed("Content-Length");
  if (failure == reason::bad_transfer_encoding) throw malformed("Transfer-Encoding");
  throw malformed("header");
}

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t max_size_digits = 16;
constexpr std::size_t max_overhead = 4096;

[[noreturn]] void refuse_body(const char* part) {
  throw bad_request(std::string("Malformed chunked body: ") + part);
}

[[noreturn]] void refuse_chunk(const beast::error_code& failure) {
  if (failure == beast::http::error::body_limit) throw payload_too_large();
  refuse_body(failure == beast::http::error::bad_chunk ? "size" : "extension");
}

/// Prevents request smuggling: data beyond the chunk's size would be parsed as the next chunk's size. Returns
/// false while the CR LF is incomplete.
bool take_end_of_data(std::string_view& text) {
  const auto length = std::min(text.size(), line_end.size());
  if (text.substr(0, length) != line_end.substr(0, length)) refuse_body("chunk longer than its size");
  text.remove_prefix(length);
  return length == line_end.size();
}

/// Prevents request smuggling: other parsers truncate a size with too many digits to 64 bits, or skip white
/// space before an extension, as Beast does. Without a limit, leading zeros would exhaust the memory. Returns
/// the number of digits; nullopt while more may follow.
std::optional<std::size_t> count_size_digits(std::string_view text) {
  const auto* const end =
      std::find_if(text.begin(), text.end(), [](char c) { return ascii::hex_value(c) < 0; });
  const auto digits = static_cast<std::size_t>(end - text.begin());
  if (digits > max_size_digits) refuse_body("size");
  if (end == text.end()) return std::nullopt;
  if (digits == 0 || (*end != ';' && *end != '\r')) refuse_body("size");
  return digits;
}

/// Prevents header injection in case trailers are ever merged: the name must be a token right up to its
/// colon, which also refuses folded lines.
void check_trailer_name(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !ascii::is_token(line.substr(0, colon))) refuse_body("trailer");
}

} // namespace

/// Prevents request smuggling by bare CR and LF in extensions (RFC 9112, 11.2: some parsers skip to the LF),
/// and memory exhaustion by endless extensions and trailers.
std::optional<std::string_view> chunk_guard::take_line(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), ascii::is_field_value_character);
  const auto length = static_cast<std::size_t>(end - text.begin());
  if (length > max_overhead - overhead_) refuse_body("too many extensions or trailers");
  const auto rest = text.substr(length);
  if (rest.empty()) return std::nullopt;
  if (rest.front() != '\r') refuse_body("control character");
  if (rest.size() == 1) return std::nullopt;
  if (rest[1] != '\n') refuse_body("line end");
  overhead_ += length;
  return text.substr(0, length);
}

std::optional<chunk_guard::line> chunk_guard::take_size_line(std::string_view text, bool after_data) {
  if (after_data && !take_end_of_data(text)) return std::nullopt;
  const auto digits = count_size_digits(text);
  if (!digits || !take_line(text.substr(*digits))) return std::nullopt;
  return text.substr(0, *digits).find_first_not_of('0') == std::string_view::npos ? line::last_chunk
                                                                                  : line::chunk;
}

std::optional<std::string_view> chunk_guard::take_trailer(std::string_view text) {
  const auto line = take_line(text);
  if (line && !line->empty()) check_trailer_name(*line);
  return line;
}

request_parser::request_parser(std::uint64_t max_body) : max_body_(max_body) {
  header_limit(max_head);
  // admit() checks the length, in order with the other checks.
  body_limit(boost::none);
}

head request_parser::read_head(char* block, std::size_t size, request& req) {
  block_ = block;
  request_ = &req;
  error_code failure;
  put(asio::const_buffer(block, size), failure);
  // The block is complete, so Beast never needs more input.
  if (failure) refuse_head(failure, {block, size});
  return head_;
}

void request_parser::on_request_impl(beast::http::verb /*verb*/, text method, text target, int version,
                                     error_code& /*failure*/) {
  head_.minor_version = static_cast<unsigned>(version - 10);
  request& req = *request_;
  req.method = method;
  req.target = read_target(block_ + (target.data() - block_), target.size(), method);
  req.query = req.target;
  req.path = ascii::take_until(req.query, '?');
}

void request_parser::on_field_impl(beast::http::field known, text name, text value, error_code& /*failure*/) {
  using beast::http::field;
  // Prevents memory exhaustion and quadratic search time: Beast limits the bytes, but not the number.
  if (request_->fields.size() == max_fields) throw header_fields_too_large();
  request_->fields.push_back({name, value});
  switch (known) {
  case field::host:
    set_once(fields_.host, name, value);
    break;
  case field::content_length:
    set_once(fields_.content_length, name, value);
    check_content_length(value);
    break;
  case field::transfer_encoding:
    set_once(fields_.transfer_encoding, name, value);
    break;
  case field::connection:
    read_connection(value);
    break;
  case field::expect:
    if (head_.minor_version == 0) break; // RFC 9110, 10.1.1
    check_expectation(value);
    expects_continue_ = true;
    break;
  default:
    break;
  }
}

/// Prevents request smuggling through old proxies, which forward Proxy-Connection without understanding it
/// (RFC 9112, C.2.2). Beast treats it like Connection, so its keep_alive() cannot be used.
void request_parser::read_connection(std::string_view options) {
  for (auto option = ascii::next_element(options); !option.empty(); option = ascii::next_element(options)) {
    close_ = close_ || ascii::equal_ignoring_case(option, "close");
    keep_alive_ = keep_alive_ || ascii::equal_ignoring_case(option, "keep-alive");
  }
}

void request_parser::on_header_impl(error_code& /*failure*/) {
  check_host(fields_.host, head_.minor_version);
  check_transfer_encoding(fields_, head_.minor_version);
  head_.content_length = content_length().value_or(0);
  if (chunked())
    head_.body = framing::chunked;
  else if (head_.content_length > 0)
    head_.body = framing::length;
  head_.keep_alive = !close_ && (head_.minor_version >= 1 || keep_alive_);
  // Data after a CONNECT must not be parsed as a request.
  if (request_->method == "CONNECT") head_.keep_alive = false;
  head_.expects_continue = expects_continue_ && head_.body != framing::none;
  body_limit(max_body_); // from now on, of the chunks
}

std::size_t request_parser::read_chunks(std::string_view input, std::string& body) {
  body_ = &body;
  std::size_t used = 0;
  while (used < input.size() && part_ != part::end) {
    const auto rest = input.substr(used);
    used += part_ == part::data ? read_data(rest) : read_line(rest);
  }
  return used;
}

std::size_t request_parser::read_data(std::string_view input) {
  error_code failure;
  const auto used = put(asio::buffer(input), failure);
  if (failure) refuse_chunk(failure);
  return used;
}

std::size_t request_parser::on_chunk_body_impl(std::uint64_t remaining, text data, error_code& /*failure*/) {
  body_->append(data);
  if (data.size() == remaining) part_ = part::size_line;
  return data.size();
}

/// Extends the current line, and parses it once it is complete.
std::size_t request_parser::read_line(std::string_view input) {
  const auto used = std::min(input.find('\n'), input.size() - 1) + 1;
  line_ += input.substr(0, used);
  if (part_ == part::size_line) {
    if (const auto kind = guard_.take_size_line(line_, after_data_)) parse_size_line(*kind);
  } else if (const auto trailer = guard_.take_trailer(line_)) {
    if (trailer->empty()) part_ = part::end;
    line_.clear();
  }
  return used;
}

/// Passes a checked line to Beast, which parses size and extensions and limits the body. It sees no trailers.
void request_parser::parse_size_line(chunk_guard::line kind) {
  const bool last = kind == chunk_guard::line::last_chunk;
  if (last) part_ = part::trailers;
  const std::array<asio::const_buffer, 2> parts{asio::buffer(line_), asio::buffer("\r\n", last ? 2 : 0)};
  error_code failure;
  put(parts, failure);
  if (failure) refuse_chunk(failure);
  line_.clear();
}

void request_parser::on_chunk_header_impl(std::uint64_t size, text /*extensions*/, error_code& /*failure*/) {
  if (size == 0) return;
  part_ = part::data;
  after_data_ = true;
}

} // namespace roost::http
