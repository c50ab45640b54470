#include "feeds/feed_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <isa-l.h>
#include <zlib.h>

namespace roost::feeds {

namespace {

constexpr std::size_t min_shared_list = 64 * 1024; // a smaller list in one piece costs one system call
constexpr std::size_t max_memories = 8;
constexpr std::size_t strip_size = 64 * 1024; // some fifty rows

/// Whether sharing the previous list's memory is worthwhile. A memory stays allocated as a whole even if only
/// few of its pages are still used: at most an eighth of the list's size may be unused.
bool worth_sharing(const feed_pages& before, std::size_t changed) {
  if (before.size < min_shared_list || before.memories >= max_memories) return false;
  const auto fresh = before.size / before.pages.size() * changed;
  return before.held + fresh <= before.size + before.size / 8;
}

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

/// Compresses with level 1: feeds' rows are similar, and higher levels do not make them smaller.
struct deflater {
  std::string_view run(std::string_view text, bool last) {
    isal_deflate_init(&stream);
    stream.level = 1;
    stream.level_buf = work.data();
    stream.level_buf_size = work.size();
    stream.flush = last ? NO_FLUSH : SYNC_FLUSH;
    stream.end_of_stream = last;
    stream.next_in = const_cast<std::uint8_t*>(bytes_of(text)); // read-only
    stream.avail_in = static_cast<std::uint32_t>(text.size());
    result.clear();
    do {
      stream.next_out = out.data();
      stream.avail_out = static_cast<std::uint32_t>(out.size());
      isal_deflate(&stream); // fails for invalid settings only
      result.append(reinterpret_cast<const char*>(out.data()), out.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    return result;
  }

  isal_zstream stream;
  std::array<std::uint8_t, ISAL_DEF_LVL1_DEFAULT> work;
  std::array<std::uint8_t, 64 * 1024> out;
  std::string result;
};

void append_number(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

} // namespace

namespace feed_gzip {

std::string_view head() {
  using namespace std::string_view_literals;
  return "\x1f\x8b\x08\0\0\0\0\0\0\xff"sv; // deflate; no name, no time, unknown system
}

std::string_view deflated(std::string_view text, bool last) {
  thread_local const auto compressor = std::make_unique<deflater>();
  return compressor->run(text, last);
}

std::string tail(std::uint32_t crc, std::size_t size) {
  std::string bytes;
  append_number(bytes, crc);
  append_number(bytes, static_cast<std::uint32_t>(size)); // modulo 2^32
  return bytes;
}

std::uint32_t crc_of(std::string_view text) { return crc32_gzip_refl(0, bytes_of(text), text.size()); }

std::uint32_t adler_of(std::string_view text) { return isal_adler32(1, bytes_of(text), text.size()); }

std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::size_t second_size) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(second_size)));
}

std::uint32_t joined_adler(std::uint32_t first, std::uint32_t second, std::size_t second_size) {
  return static_cast<std::uint32_t>(adler32_combine(first, second, static_cast<z_off_t>(second_size)));
}

} // namespace feed_gzip

row_text row_buffer::add(std::string_view row) {
  if (row.empty()) return {};
  if (size_ - used_ < row.size() + 1) {
    size_ = std::max(strip_size, row.size() + 1);
    memory_ = std::make_shared_for_overwrite<char[]>(size_);
    used_ = 0;
  }
  char* const text = memory_.get() + used_;
  row.copy(text, row.size()); // std::ranges::copy is a loop over bytes in GCC 12
  text[row.size()] = ',';
  used_ += row.size() + 1;
  return {memory_, {text, row.size()}};
}

std::vector<page_draft> split_into_pages(std::vector<std::string> rows) {
  const auto kept = std::make_shared<const std::vector<std::string>>(std::move(rows));
  std::vector<page_draft> pages;
  for (std::size_t i = 0; i < kept->size(); ++i) {
    if (i % rows_per_page == 0) pages.emplace_back();
    if (!(*kept)[i].empty()) pages.back().pieces.push_back({{kept, (*kept)[i]}});
  }
  return pages;
}

feed_writer::feed_writer(std::shared_ptr<const feed_pages> before, std::size_t changed, std::string_view open,
                         std::string_view close)
    : before_(std::move(before)), shares_(before_ && worth_sharing(*before_, changed)), close_(close),
      pages_(std::make_shared<feed_pages>()) {
  gzip_.append(feed_gzip::head());
  add_glue(open, false);
}

void feed_writer::add(const page_draft& page) {
  if (page.kept) return keep(before_->pages[*page.kept]);
  page_text_.clear();
  std::size_t units = 0;
  for (const auto& piece : page.pieces) {
    if (units_ + units > 0) page_text_ += ',';
    page_text_ += piece.rows.text;
    units += piece.units;
  }
  write(page_text_, units);
}

void feed_writer::keep(const feed_page& page) {
  if (page.units > 0 && page.leads != (units_ == 0)) { // it became or no longer is the first one
    page_text_ = page.leads ? "," : "";
    page_text_ += page.identity.bytes().substr(page.leads ? 0 : 1);
    return write(page_text_, page.units);
  }
  auto kept = page;
  if (page.units > 0 && shares_) {
    identity_.append(page.identity);
    gzip_.append(page.gzip);
  } else if (page.units > 0) {
    kept.identity = identity_.append(page.identity.bytes());
    kept.gzip = gzip_.append(page.gzip.bytes());
  }
  append(std::move(kept));
}

void feed_writer::write(std::string_view text, std::size_t units) {
  feed_page page;
  page.units = units;
  if (units > 0) {
    page.leads = units_ == 0;
    const auto compressed = feed_gzip::deflated(text);
    page.crc = feed_gzip::crc_of(text);
    page.gzip_adler = feed_gzip::adler_of(compressed);
    page.identity = identity_.append(text);
    page.gzip = gzip_.append(compressed);
  }
  append(std::move(page));
}

/// Records a page whose bytes have been appended.
void feed_writer::append(feed_page page) {
  units_ += page.units;
  size_ += page.identity.size;
  crc_ = feed_gzip::joined_crc(crc_, page.crc, page.identity.size);
  gzip_adler_ = feed_gzip::joined_adler(gzip_adler_, page.gzip_adler, page.gzip.size);
  pages_->pages.push_back(std::move(page));
}

/// Appends text around the pages.
void feed_writer::add_glue(std::string_view text, bool last) {
  const auto compressed = feed_gzip::deflated(text, last);
  crc_ = feed_gzip::joined_crc(crc_, feed_gzip::crc_of(text), text.size());
  gzip_adler_ = feed_gzip::joined_adler(gzip_adler_, feed_gzip::adler_of(compressed), compressed.size());
  size_ += text.size();
  identity_.append(text);
  gzip_.append(compressed);
}

feed_text feed_writer::finish() {
  add_glue(close_, true);
  gzip_.append(feed_gzip::tail(crc_, size_));
  feed_text text{identity_.finish(), gzip_.finish(), {}};
  // The same text in the same pages has the same tag, even after a restart.
  std::array<char, 64> tag;
  std::snprintf(tag.data(), tag.size(), "%zx-%08x-%08x", size_, crc_, gzip_adler_);
  text.tag = tag.data();

  for (auto& page : pages_->pages) {
    if (!page.identity.memory) page.identity.memory = identity_.own_memory();
    if (!page.gzip.memory) page.gzip.memory = gzip_.own_memory();
  }
  pages_->size = text.identity.size() + text.gzip.size();
  pages_->held = identity_.own_memory()->bytes().size() + gzip_.own_memory()->bytes().size();
  pages_->memories = 1;
  if (shares_) {
    pages_->held += before_->held;
    pages_->memories += before_->memories;
  }
  before_.reset();
  return text;
}

} // namespace roost::feeds
