#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/request_parser.hpp"

#include <algorithm>
#include <string>

/// Chunked bodies, received in pieces.
namespace roost::fuzz::chunked_body {
namespace {

constexpr std::size_t max_body = 1024;

/// The result of reading a body.
struct outcome {
  unsigned refusal = 0; ///< status
  std::string message;
  bool complete = false;
  std::size_t used = 0; ///< bytes of the input
  std::string body;

  bool operator==(const outcome&) const = default;
};

/// Reads the input as a connection does; `step` returns the number of bytes that arrive next.
template <typename Step>
outcome read(std::string_view input, Step step) {
  outcome result;
  try {
    std::string block = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    http::request req;
    http::request_parser parser{max_body};
    parser.read_head(block.data(), block.size(), req);
    while (result.used < input.size() && !parser.body_is_complete()) {
      const auto piece = input.substr(result.used, std::min(input.size() - result.used, step()));
      const auto used = parser.read_chunks(piece, result.body);
      require(used == piece.size() || parser.body_is_complete(),
              "a piece is used unless the body ends in it");
      result.used += used;
    }
    result.complete = parser.body_is_complete();
  } catch (const http::error& refusal) {
    result = {refusal.status, refusal.message, false, 0, {}};
  }
  return result;
}

/// Requires that a simple parser reads the same body from a complete input.
void check_simply(std::string_view input, const outcome& expected) {
  std::string body;
  auto rest = input;
  for (std::size_t size = 1; size > 0;) {
    size = std::stoull(std::string{rest.substr(0, rest.find_first_of(";\r"))}, nullptr, 16);
    rest.remove_prefix(rest.find("\r\n") + 2);
    body.append(rest.substr(0, size));
    if (size > 0) rest.remove_prefix(size + 2);
  }
  while (!rest.starts_with("\r\n")) rest.remove_prefix(rest.find("\r\n") + 2);
  require(body == expected.body, "a simple parser reads the same body");
  require(input.size() - rest.size() + 2 == expected.used, "a simple parser finds the same end");
}

/// Returns the body as chunks of random sizes.
std::string chunked(std::string_view body, numbers& sizes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  while (!body.empty()) {
    const auto size = std::min(body.size(), sizes.next(1, 15));
    text.append(1, digits[size]).append("\r\n").append(body.substr(0, size)).append("\r\n");
    body.remove_prefix(size);
  }
  return text + "0\r\n\r\n";
}

void check(std::string_view input) {
  numbers sizes{input};
  const auto whole = read(input, [&] { return std::max<std::size_t>(input.size(), 1); });
  const auto in_pieces = read(input, [&] { return sizes.next(1, 9); });
  const auto in_bytes = read(input, [] { return std::size_t{1}; });
  require(whole == in_pieces && whole == in_bytes, "the sizes of pieces do not matter");
  require(whole.body.size() <= max_body, "a body is limited");
  if (whole.refusal != 0) require_one_line(whole.message);
  if (whole.complete) {
    check_simply(input, whole);
    const auto again = read(input.substr(0, whole.used), [&] { return sizes.next(1, 99); });
    require(again == whole, "the bytes after a body do not matter");
    const auto text = chunked(whole.body, sizes);
    const auto other = read(text, [&] { return sizes.next(1, 99); });
    require(other.complete && other.body == whole.body && other.used == text.size(),
            "a body in other chunks is the same");
  }
}

const target registered{"chunked_body", "BodiesInPiecesAreReadAsInOne", check};

} // namespace
} // namespace roost::fuzz::chunked_body
