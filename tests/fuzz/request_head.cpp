#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/request_parser.hpp"

#include <algorithm>
#include <optional>
#include <string>

/// Header blocks of requests, received in pieces.
namespace roost::fuzz::request_head {
namespace {

/// The result of reading a header block.
struct outcome {
  unsigned refusal = 0; ///< status
  std::string message;
  std::optional<std::size_t> size;
  std::string values;

  bool operator==(const outcome&) const = default;
};

std::string values_of(const http::request& req, const http::head& head) {
  std::string text;
  for (const auto part : {req.method, req.target, req.path, req.query}) text.append(part).append("|");
  for (const auto& field : req.fields) text.append(field.name).append("=").append(field.value).append("|");
  text += std::to_string(head.minor_version) + std::to_string(static_cast<int>(head.body)) + '|' +
          std::to_string(head.content_length) + (head.keep_alive ? 'k' : 'c') +
          (head.expects_continue ? 'e' : '-');
  return text;
}

/// Requires what handlers, logs and other servers rely on.
void check_request(const http::request& req, const http::head& head) {
  require(!has_control(req.target), "a target has no control characters");
  require(req.target == "*" || req.method == "CONNECT" || req.target.starts_with('/'),
          "a target starts with a slash");
  require(req.fields.size() <= http::max_fields, "the number of fields is limited");
  for (const auto& field : req.fields)
    require(field.value.find_first_of(std::string_view{"\r\n\0", 3}) == std::string_view::npos,
            "a value is one line");
  require(req.count("Host") <= 1 && req.count("Content-Length") <= 1 && req.count("Transfer-Encoding") <= 1,
          "fields that frame or route a message occur once");
  if (head.body == http::framing::chunked)
    require(req.count("Content-Length") == 0 && head.minor_version == 1, "only one rule frames the body");
}

/// Requires that each line of a header block is one field, with blanks around its value removed.
void check_lines(std::string_view block, const http::request& req) {
  block.remove_prefix(block.find("\r\n") + 2);
  for (const auto& field : req.fields) {
    const auto line = block.substr(0, block.find("\r\n"));
    block.remove_prefix(line.size() + 2);
    const auto colon = line.find(':');
    require(field.name == line.substr(0, colon), "a line starts with the field's name");
    auto value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    value = value.substr(0, value.find_last_not_of(" \t") + 1);
    require(field.value == value, "a line contains the field's value");
  }
  require(block == "\r\n", "each line is a field");
}

/// Reads the input as a connection does; `step` returns the number of bytes that arrive next.
template <typename Step>
outcome read(std::string_view input, Step step) {
  outcome result;
  try {
    http::head_scanner scanner;
    for (std::size_t received = 0; !result.size && received < input.size();) {
      received = std::min(input.size(), received + step());
      result.size = scanner.scan(input.substr(0, received));
    }
    if (!result.size) return result;
    const auto sent = input.substr(0, *result.size);
    std::string block{sent};
    http::request req;
    http::request_parser parser{1024};
    const auto head = parser.read_head(block.data(), block.size(), req);
    check_request(req, head);
    check_lines(sent, req);
    result.values = values_of(req, head);
  } catch (const http::error& refusal) {
    result = {refusal.status, refusal.message, {}, {}};
  }
  return result;
}

void check(std::string_view input) {
  const auto whole = read(input, [&] { return std::max<std::size_t>(input.size(), 1); });
  numbers sizes{input};
  const auto in_pieces = read(input, [&] { return sizes.next(1, 9); });
  const auto in_bytes = read(input, [] { return std::size_t{1}; });
  require(whole == in_bytes && in_pieces == in_bytes, "the sizes of pieces do not matter");
  if (whole.refusal != 0) {
    require_one_line(whole.message);
    require(whole.refusal >= 400 && whole.refusal < 600 && whole.refusal != 500, "a refusal has a status");
  }
}

const target registered{"request_head", "HeadsInPiecesAreReadAsInOne", check};

} // namespace
} // namespace roost::fuzz::request_head
