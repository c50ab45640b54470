#pragma once

#include <cstddef>
#include <cstdint>

namespace roost::http {

constexpr std::size_t max_head = 16 * 1024; ///< bytes of the header block, with the request line
constexpr std::size_t max_target = 8 * 1024;
constexpr std::size_t max_fields = 100;

/// What follows the header (RFC 9112, 6.3).
enum class framing { none, length, chunked };

/// What a header says about its message and the connection.
struct head {
  unsigned minor_version = 1; ///< of HTTP/1
  framing body = framing::none;
  std::uint64_t content_length = 0; ///< when `body` is length
  bool keep_alive = true;
  bool expects_continue = false;
};

} // namespace roost::http
