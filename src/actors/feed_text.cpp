#include "actors/feed_text.hpp"

#include <array>
#include <cstdio>
#include <isa-l.h>

namespace roost::actors {

namespace {

/// The text is compressed in steps of this size, in whatever pieces it comes: equal text has an equal
/// compressed form.
constexpr std::size_t step = 256 * 1024;

const std::uint8_t* bytes_of(const char* text) { return reinterpret_cast<const std::uint8_t*>(text); }

} // namespace

/// Level 1: feeds' rows look alike, and higher levels come out no smaller.
struct feed_writer::gzip_stream {
  gzip_stream() {
    isal_deflate_init(&state);
    state.gzip_flag = IGZIP_GZIP;
    state.level = 1;
    state.level_buf = work.data();
    state.level_buf_size = work.size();
  }

  isal_zstream state;
  std::array<std::uint8_t, ISAL_DEF_LVL1_DEFAULT> work;
  std::array<std::uint8_t, 64 * 1024> out;
};

feed_writer::feed_writer(std::size_t expected, std::string_view open, std::string_view close)
    : close_(close), gzip_(std::make_unique<gzip_stream>()) {
  text_.identity.reserve(open.size() + expected + close.size());
  text_.identity += open;
}

feed_writer::~feed_writer() = default;

void feed_writer::add(std::span<const feed_piece> pieces) {
  for (const auto& piece : pieces) {
    const auto text = piece.text();
    if (text.empty()) continue;
    if (units_ > 0) text_.identity += ',';
    text_.identity += text;
    units_ += piece.units;
  }
  while (text_.identity.size() - compressed_ >= step) compress(step, false);
}

feed_text feed_writer::finish() {
  text_.identity += close_;
  compress(text_.identity.size() - compressed_, true);
  gzip_.reset();
  text_.gzip.shrink_to_fit();
  // Equal text has an equal tag, also after a restart.
  std::array<char, 64> tag;
  std::snprintf(tag.data(), tag.size(), "%zx-%08x-%08x", text_.identity.size(), crc_, adler_);
  text_.tag = tag.data();
  return std::move(text_);
}

void feed_writer::compress(std::size_t size, bool last) {
  const auto* const fresh = bytes_of(text_.identity.data() + compressed_);
  compressed_ += size;
  crc_ = crc32_gzip_refl(crc_, fresh, size);
  adler_ = isal_adler32(adler_, fresh, size);
  auto& [state, work, out] = *gzip_;
  state.next_in = const_cast<std::uint8_t*>(fresh); // only read
  state.avail_in = static_cast<std::uint32_t>(size);
  state.end_of_stream = last;
  do {
    state.next_out = out.data();
    state.avail_out = static_cast<std::uint32_t>(out.size());
    isal_deflate(&state); // fails for unknown settings only
    text_.gzip.append(reinterpret_cast<const char*>(out.data()), out.size() - state.avail_out);
  } while (state.avail_out == 0);
}

} // namespace roost::actors
