#pragma once

#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>

namespace roost::testing {

/// Decompresses a gzip body. Throws std::runtime_error unless it is exactly one complete member.
inline std::string gunzip(const std::string& compressed) {
  constexpr int gzip_only = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::runtime_error("zlib failed to initialize");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  std::string text;
  std::vector<char> out(1 << 16);
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    result = inflate(&stream, Z_NO_FLUSH);
    text.append(out.data(), out.size() - stream.avail_out);
  }
  const bool is_complete = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_complete) throw std::runtime_error("not exactly one complete gzip member");
  return text;
}

} // namespace roost::testing
