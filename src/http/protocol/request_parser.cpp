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

/// What Beast itself refuses in a header.
[[noreturn]] void refuse_head(const beast::error_code& failure, std::string_view block) {
  using reason = beast::http::error;
  if (failure == reason::bad_version) refuse_version(block.substr(0, block.find('\r')));
  const auto malformed = [](const char* what) {
    return bad_request(std::string("Malformed HTTP request: ") + what);
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

[[noreturn]] void refuse_chunk(const beast::error_code& failure) {
  if (failure == beast::http::error::body_limit) throw payload_too_large();
  const bool extension = failure != beast::http::error::bad_chunk;
  throw bad_request(std::string("Malformed chunked body: ") + (extension ? "extension" : "size"));
}

} // namespace

request_parser::request_parser(std::uint64_t max_body) : max_body_(max_body) {
  header_limit(max_head);
  // A length is judged in its turn with the other refusals: admission.cpp.
  body_limit(boost::none);
}

// ---- the header

head request_parser::read_head(char* block, std::size_t size, request& req) {
  block_ = block;
  request_ = &req;
  error_code failure;
  put(asio::const_buffer(block, size), failure);
  // The block is complete: Beast has no reason to ask for more of it.
  if (failure) refuse_head(failure, {block, size});
  return head_;
}

void request_parser::on_request_impl(beast::http::verb /*verb*/, text method, text target, int version,
                                     error_code& /*failure*/) {
  head_.minor_version = static_cast<unsigned>(version - 10);
  request& req = *request_;
  req.method = method;
  req.target = read_target(block_ + (target.data() - block_), target.size(), method);
  const auto question = req.target.find('?');
  req.path = req.target.substr(0, question);
  req.query = question == std::string_view::npos ? std::string_view{} : req.target.substr(question + 1);
}

void request_parser::on_field_impl(beast::http::field known, text name, text value, error_code& /*failure*/) {
  using beast::http::field;
  // Memory exhaustion, and quadratic time in whoever searches them: Beast bounds the bytes, not the number.
  if (request_->fields.size() == max_fields) throw header_fields_too_large();
  request_->fields.push_back({name, value});
  switch (known) {
  case field::host:
    note_once(fields_.host, name, value);
    break;
  case field::content_length:
    note_once(fields_.content_length, name, value);
    check_content_length(value);
    break;
  case field::transfer_encoding:
    note_once(fields_.transfer_encoding, name, value);
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

/// Request smuggling through old proxies, which pass Proxy-Connection on without understanding it (RFC 9112,
/// C.2.2). Beast reads it like Connection, so its keep_alive() cannot be used.
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
  // Whatever follows a CONNECT is not ours to read as a request.
  if (request_->method == "CONNECT") head_.keep_alive = false;
  head_.expects_continue = expects_continue_ && head_.body != framing::none;
  body_limit(max_body_); // of the chunks, from here on
}

// ---- the chunks

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

/// Adds to the line what there is of it, and reads it when that completes it.
std::size_t request_parser::read_line(std::string_view input) {
  const auto used = std::min(input.find('\n'), input.size() - 1) + 1;
  line_ += input.substr(0, used);
  if (part_ == part::size_line) {
    if (const auto kind = guard_.take_size_line(line_, after_data_)) put_size_line(*kind);
  } else if (const auto trailer = guard_.take_trailer(line_)) {
    if (trailer->empty()) part_ = part::end;
    line_.clear();
  }
  return used;
}

/// Hands a line that the guard let pass to Beast, which reads the size and the extensions and counts the
/// body. It is told that there are no trailers.
void request_parser::put_size_line(chunk_guard::line kind) {
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
