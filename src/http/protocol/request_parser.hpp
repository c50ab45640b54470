#pragma once

#include "http/protocol/head.hpp"
#include "http/protocol/message.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// Checks the parts of a chunked body between the data (RFC 9112, 7.1), which Boost.Beast's parser handles
/// too leniently. Checks even incomplete lines, because Beast waits for the end of a line without any limit.
/// Trailers are parsed here only: Beast would treat them as fields of the header, join folded lines and
/// refuse a Content-Length among them. Throws bad_request; the connection must close then.
class chunk_guard {
public:
  /// A complete line.
  enum class line { chunk, last_chunk };

  /// Checks the received part of a line with a chunk's size. With `after_data`, the line starts with the CR
  /// LF that ends the previous chunk's data. nullopt while the line is incomplete.
  std::optional<line> take_size_line(std::string_view text, bool after_data);

  /// Checks the received part of a line of the trailer section. Returns the line without its CR LF once it is
  /// complete; an empty one ends the body.
  std::optional<std::string_view> take_trailer(std::string_view text);

private:
  std::optional<std::string_view> take_line(std::string_view text);

  std::size_t overhead_ = 0; ///< bytes of extensions and trailers in complete lines
};

/// Parses one request with Boost.Beast's parser and applies the checks that it lacks
/// (docs/decisions/0003-beast-parses-requests.md). Copies nothing of the header. A body of known length does
/// not pass through this parser: the connection reads it directly.
class request_parser final : boost::beast::http::basic_parser<true> {
public:
  /// `max_body` is the maximum size of a decoded chunked body.
  explicit request_parser(std::uint64_t max_body);

  /// Replaces the maximum size. Call it between read_head() and read_chunks().
  void limit_body(std::uint64_t max_body) { body_limit(max_body); }

  /// Parses the header block that a head_scanner found. The views of `req` refer to `block`, which may be
  /// modified (read_target). Throws http::error; the connection must close then. Call it first, and once.
  head read_head(char* block, std::size_t size, request& req);

  /// Appends the decoded data in `input` to `body`. Returns how many bytes of the input belong to the body.
  /// Checks trailers and drops them: merged into the header, they could invalidate decisions made before the
  /// body was read. Throws bad_request or payload_too_large; the connection must close then.
  std::size_t read_chunks(std::string_view input, std::string& body);

  /// Whether the chunked body is complete, with its trailers.
  bool body_is_complete() const { return part_ == part::end; }

private:
  using error_code = boost::beast::error_code;
  using text = boost::beast::string_view;

  enum class part { size_line, data, trailers, end };

  void on_request_impl(boost::beast::http::verb verb, text method, text target, int version,
                       error_code& failure) override;
  void on_field_impl(boost::beast::http::field known, text name, text value, error_code& failure) override;
  void on_header_impl(error_code& failure) override;
  void on_chunk_header_impl(std::uint64_t size, text extensions, error_code& failure) override;
  std::size_t on_chunk_body_impl(std::uint64_t remaining, text data, error_code& failure) override;

  // Callbacks that do not occur in requests or are not needed.
  void on_response_impl(int, text, int, error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(text data, error_code&) override { return data.size(); }
  void on_finish_impl(error_code&) override {}

  void read_connection(std::string_view options);
  std::size_t read_data(std::string_view input);
  std::size_t read_line(std::string_view input);
  void parse_size_line(chunk_guard::line kind);

  const std::uint64_t max_body_;
  char* block_ = nullptr;
  request* request_ = nullptr;
  head head_;
  message_fields fields_;
  bool close_ = false;
  bool keep_alive_ = false;
  bool expects_continue_ = false;

  part part_ = part::size_line;
  bool after_data_ = false; ///< whether a chunk preceded
  chunk_guard guard_;
  std::string line_; ///< the received part of a line between the chunks' data
  std::string* body_ = nullptr;
};

} // namespace roost::http
