#pragma once

#include "http/protocol/request.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The header of a request, read strictly (RFC 9112). Boost.Beast's own parser takes obs-folds, lone line
/// feeds, unknown transfer codings as "no body" and repeated lengths; two readers that disagree about where a
/// request ends are what request smuggling lives on, so there is one here, and it refuses whatever could be
/// read in two ways.
namespace roost::http {

constexpr std::size_t max_head = 16 * 1024; ///< bytes of the header block, with the request line
constexpr std::size_t max_target = 8 * 1024;
constexpr std::size_t max_fields = 100;

/// Finds the end of a header block while its bytes arrive, and refuses a byte that can be in none at once: a
/// slow sender of rubbish must not keep the connection until the time is over.
class head_scanner {
public:
  /// Looks at what came since the last call; `buffer` begins with the header block and keeps what was seen
  /// before. Returns the block's length with its empty line once it is complete. Throws http::error.
  std::optional<std::size_t> scan(std::string_view buffer);

private:
  void refuse_when_too_long(std::string_view buffer) const;

  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::size_t first_line_end_ = 0;
};

/// What follows the header (RFC 9112, 6.3).
enum class framing { none, length, chunked };

struct head {
  unsigned minor_version = 1; ///< of HTTP/1
  framing body = framing::none;
  std::uint64_t content_length = 0; ///< when `body` is length
  bool keep_alive = true;
  bool expects_continue = false;
};

/// Reads a complete header block into the views of `request`, which point into `block`. The block may be
/// changed: an absolute-form target with an empty path gets its slash in place. Throws http::error; the
/// connection must close then, since nothing that follows can be trusted.
head parse_head(char* block, std::size_t size, request& req);

/// Whether the text may stand in Host or as the authority of a target (RFC 9110, 7.2).
bool is_valid_host(std::string_view text);

} // namespace roost::http
