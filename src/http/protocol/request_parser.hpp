#pragma once

#include "http/protocol/head.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/request_parser.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roost::http {

/// Reads one request with Boost.Beast's parser, which takes the request line, the fields and the chunks
/// apart, and applies the checks that it lacks (docs/decisions/0003-beast-parses-requests.md). Copies nothing
/// of the header. A body of known length does not pass through here: its bytes go straight to their place.
class request_parser final : boost::beast::http::basic_parser<true> {
public:
  /// `max_body` is the most decoded bytes of a chunked body.
  explicit request_parser(std::uint64_t max_body);

  /// Reads the header block that a head_scanner found. The views of `req` point into `block`, which may be
  /// changed (read_target). Throws http::error; the connection must close then. Called once, first.
  head read_head(char* block, std::size_t size, request& req);

  /// Appends to `body` what `input` holds of a chunked body, after a header that announced one; returns how
  /// many bytes of the input belong to it. Trailers are checked and dropped: merged into the header they
  /// could change what was decided before the body was read. Throws bad_request or payload_too_large, after
  /// which the connection must close.
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

  // What does not happen in requests, or is of no interest.
  void on_response_impl(int, text, int, error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(text data, error_code&) override { return data.size(); }
  void on_finish_impl(error_code&) override {}

  void read_connection(std::string_view options);
  std::size_t read_data(std::string_view input);
  std::size_t read_line(std::string_view input);
  void put_size_line(chunk_guard::line kind);

  const std::uint64_t max_body_;
  char* block_ = nullptr;
  request* request_ = nullptr;
  head head_;
  message_fields fields_;
  bool close_ = false;
  bool keep_alive_ = false;
  bool expects_continue_ = false;

  part part_ = part::size_line;
  bool after_data_ = false; ///< whether there was a chunk before
  chunk_guard guard_;
  std::string line_; ///< what has come of a line between the chunks' data
  std::string* body_ = nullptr;
};

} // namespace roost::http
