#pragma once

#include "bytes/shared_body.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::feeds {

/// The text of a list's row, or of a run of rows joined by commas.
struct row_text {
  std::shared_ptr<const void> memory; ///< keeps the text alive; null: its owner does
  std::string_view text;
};

/// Memory for the rows that one thread writes for one list: adjacent and separated by commas, as in the list.
/// Another thread reads and releases the rows of a list. If each row had its own allocation, that thread
/// would free it while this one allocates, and the two would contend for every row.
class row_buffer {
public:
  row_text add(std::string_view row);

private:
  std::shared_ptr<char[]> memory_; // rows already returned are never overwritten
  std::size_t size_ = 0, used_ = 0;
};

/// A part of a page's text, never empty: a run of rows written for it, or of rows of the previous list.
struct feed_piece {
  row_text rows;
  std::size_t units = 1;
};

/// A page of a list that is being built: its pieces, or the index of the previous list's page that it reuses.
struct page_draft {
  std::vector<feed_piece> pieces;
  std::optional<std::size_t> kept = {};
};

/// Splits a new list's rows into page drafts; an empty row is not published.
std::vector<page_draft> split_into_pages(std::vector<std::string> rows);

/// The rows of consecutive units, in both encodings. Each page is compressed separately, so that the next
/// list can reuse it unchanged.
struct feed_page {
  bytes::shared_body::part identity, gzip;
  std::size_t units = 0;        ///< published ones
  bool leads = false;           ///< the first page: no comma before its first row
  std::uint32_t crc = 0;        ///< CRC-32 of the text
  std::uint32_t gzip_adler = 1; ///< Adler-32 of the compressed form
};

/// The number of units per page. Smaller pages save slightly more work in the next build if changes are
/// scattered, but compress worse: with 64 rows a list is 8 % larger than in one piece, with 16 it is 28 %.
inline constexpr std::size_t rows_per_page = 64;

/// A list's pages, for building the next list.
struct feed_pages {
  std::vector<feed_page> pages;
  std::size_t size = 0;     ///< of both encodings
  std::size_t held = 0;     ///< upper bound of the bytes of memory that the pages keep alive
  std::size_t memories = 0; ///< upper bound of the number of their memory blocks
};

/// A feed's text in both encodings, with an ETag of this version.
struct feed_text {
  bytes::shared_body identity, gzip;
  std::string tag;
};

/// The gzip form of a list (RFC 1952), assembled from parts that are compressed independently.
namespace feed_gzip {

/// The gzip header.
std::string_view head();

/// Compresses a text on its own, ending at a byte boundary (RFC 1951). The result is valid until the thread's
/// next call. `last` ends the stream.
std::string_view deflated(std::string_view text, bool last = false);

/// The gzip trailer for a text with this checksum and size.
std::string tail(std::uint32_t crc, std::size_t size);

std::uint32_t crc_of(std::string_view text);
std::uint32_t adler_of(std::string_view text);

/// Computes the checksum of two concatenated texts from both checksums and the second text's size.
std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::size_t second_size);
std::uint32_t joined_adler(std::uint32_t first, std::uint32_t second, std::size_t second_size);

} // namespace feed_gzip

/// Assembles and compresses a feed's text while the calendars are still writing later rows.
class feed_writer {
public:
  /// `before`: the list whose pages drafts reuse; null: all pages are new. `changed`: the expected number of
  /// new pages. Reused pages are copied if sharing them would keep too much memory, or too many blocks,
  /// alive. The rows are written between `open` and `close`.
  explicit feed_writer(std::shared_ptr<const feed_pages> before = nullptr, std::size_t changed = 0,
                       std::string_view open = "[", std::string_view close = "]");

  /// Adds the next page.
  void add(const page_draft& page);

  /// Call once, after the last page.
  feed_text finish();

  std::size_t units() const { return units_; } ///< published rows

  /// The pages for the next list; known after finish().
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
