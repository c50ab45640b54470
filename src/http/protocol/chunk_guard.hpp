#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace roost::http {

/// What Boost.Beast's parser lets pass between the data of a chunked body (RFC 9112, 7.1). It looks at lines
/// that may not be complete yet, because Beast waits for their ends, for as long as nothing bounds them.
/// Trailers are read here alone: Beast would take them for fields of the header, unfold them, and refuse the
/// Content-Length that may stand among them. Throws bad_request, after which the connection must close.
class chunk_guard {
public:
  /// How a line ends that is complete.
  enum class line { chunk, last_chunk };

  /// Looks at what has come of a line with a chunk's size, whose data is over when `after_data`: then the
  /// line begins with the CR LF that ends the data. Nothing while it is not complete.
  std::optional<line> take_size_line(std::string_view text, bool after_data);

  /// What has come of a line of the trailer section; the line without its CR LF when it is complete. An empty
  /// one ends the body.
  std::optional<std::string_view> take_trailer(std::string_view text);

private:
  std::optional<std::string_view> take_line(std::string_view text);

  std::size_t overhead_ = 0; ///< bytes of extensions and trailers in complete lines
};

} // namespace roost::http
