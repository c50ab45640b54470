#pragma once

#include "bytes/shared_body.hpp"
#include "feeds/feed_text.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::feeds {

/// A part of a page's text: a run of rows that were written for it, or of rows of the list before, which
/// keeps them. Never empty.
struct feed_piece {
  row_text rows;
  std::size_t units = 1;
};

/// A page of a list that is being made: what it is put together of, or which page of the list before it is.
struct page_draft {
  std::vector<feed_piece> pieces;
  std::optional<std::size_t> kept = {};
};

/// A new list's rows as drafts; an empty one is not published.
std::vector<page_draft> split_into_pages(std::vector<std::string> rows);

/// The rows of some units that follow each other, in both encodings. Each page is compressed separately, so
/// that it can stand in the next list as it is.
struct feed_page {
  bytes::shared_body::part identity, gzip;
  std::size_t units = 0;        ///< that are published
  bool leads = false;           ///< no comma before its first row
  std::uint32_t crc = 0;        ///< CRC-32 of the text
  std::uint32_t gzip_adler = 1; ///< Adler-32 of the compressed form
};

/// How many units a page is for. Smaller pages save a little more of a list's next build where changes are
/// scattered, but they compress worse: 64 rows cost 8 % more than a list in one piece, 16 cost 28 %.
inline constexpr std::size_t rows_per_page = 64;

/// A list's pages, for the next list.
struct feed_pages {
  std::vector<feed_page> pages;
  std::size_t size = 0;     ///< of the list in both encodings
  std::size_t held = 0;     ///< bytes of memory that the pages keep, at most
  std::size_t memories = 0; ///< in how many pieces of memory they are, at most
};

/// A feed's text in both encodings, with a tag that names this version of it.
struct feed_text {
  bytes::shared_body identity, gzip;
  std::string tag;
};

/// Puts a feed's text together and compresses it while the calendars are still writing the rows that follow.
class feed_writer {
public:
  /// `before`: the list that drafts are taken from; null: they are all new. `changed` pages are expected to
  /// be new; where sharing the others would hold too much memory, or it in too many pieces, they are copied.
  /// The rows stand between `open` and `close`.
  explicit feed_writer(std::shared_ptr<const feed_pages> before = nullptr, std::size_t changed = 0,
                       std::string_view open = "[", std::string_view close = "]");

  /// The next page.
  void add(const page_draft& page);

  /// After the last page; once.
  feed_text finish();

  std::size_t units() const { return units_; } ///< rows that are published

  /// Known after finish().
  std::shared_ptr<const feed_pages> pages() const { return pages_; }

private:
  void keep(const feed_page& page);
  void write(std::string_view text, std::size_t units);
  void append(feed_page page);
  void add_glue(std::string_view text, bool last);

  std::shared_ptr<const feed_pages> before_;
  bool shares_;
  std::string close_, page_text_;
  std::size_t units_ = 0;
  bytes::body_writer identity_, gzip_;
  std::size_t size_ = 0; ///< of the text
  std::uint32_t crc_ = 0, gzip_adler_ = 1;
  std::shared_ptr<feed_pages> pages_;
};

} // namespace roost::feeds
