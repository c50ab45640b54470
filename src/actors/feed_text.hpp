#pragma once

#include "actors/feed_rows.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace roost::actors {

/// A feed's text in both encodings, with a tag that names this version of it.
struct feed_text {
  std::string identity, gzip, tag;
};

/// Puts a feed's text together and compresses it while the calendars are still writing the rows that follow.
class feed_writer {
public:
  /// `expected` bytes of text are set aside; more may come. The rows stand between `open` and `close`.
  explicit feed_writer(std::size_t expected, std::string_view open = "[", std::string_view close = "]");
  ~feed_writer();
  feed_writer(const feed_writer&) = delete;
  feed_writer& operator=(const feed_writer&) = delete;

  /// Rows in feed order; an empty piece is not published.
  void add(std::span<const feed_piece> pieces);

  /// After the last row; once.
  feed_text finish();

  std::size_t units() const { return units_; } ///< rows that are published

private:
  struct gzip_stream;

  void compress(std::size_t size, bool last);

  feed_text text_;
  std::string close_;
  std::size_t units_ = 0;
  std::size_t compressed_ = 0; ///< bytes of the text that have been
  std::uint32_t crc_ = 0, adler_ = 1;
  std::unique_ptr<gzip_stream> gzip_;
};

} // namespace roost::actors
