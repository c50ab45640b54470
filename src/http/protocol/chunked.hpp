#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roost::http {

/// Decodes a chunked body (RFC 9112, 7.1) as it arrives. Trailers are checked and dropped: merged into the
/// header they could change what was decided before the body was read. What is not body is bounded: all
/// extensions and trailers together, and the digits of a size.
class chunk_decoder {
public:
  /// `max_body` is the most decoded bytes.
  explicit chunk_decoder(std::size_t max_body) : max_body_(max_body) {}

  /// Appends to `body` what `input` holds of it; returns how many bytes of the input belong to this message.
  /// Throws bad_request or payload_too_large, after which the connection must close.
  std::size_t feed(std::string_view input, std::string& body);

  bool done() const { return state_ == state::done; }

private:
  enum class state { size, size_line, size_end, data, data_cr, data_lf, trailer, trailer_end, done };

  void take(char c);
  void take_size(char c);
  void take_line_character(char c);
  void end_size();
  void end_trailer();

  std::size_t max_body_;
  std::size_t body_size_ = 0;
  std::size_t overhead_ = 0; ///< bytes of extensions and trailers so far
  std::uint64_t chunk_ = 0;  ///< bytes of the chunk still to come
  unsigned digits_ = 0;
  std::string line_; ///< the extensions or the trailer being read
  state state_ = state::size;
};

} // namespace roost::http
