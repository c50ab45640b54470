#include "feeds/feed_gzip.hpp"

#include <array>
#include <isa-l.h>
#include <memory>
#include <zlib.h>

namespace roost::feeds::feed_gzip {

namespace {

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

} // namespace roost::feeds::feed_gzip
