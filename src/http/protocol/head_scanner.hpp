#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace roost::http {

/// Finds the end of a header block while its bytes arrive. Boost.Beast looks at a line when it is complete,
/// and unfolds one that continues on the next. The scanner refuses at once what no header may hold, so that a
/// slow sender of rubbish does not keep its connection until the time is over.
class head_scanner {
public:
  /// Looks at what came since the last call; `buffer` begins with the header block and keeps what was seen
  /// before. Returns the block's length with its empty line once it is complete. Throws http::error.
  std::optional<std::size_t> scan(std::string_view buffer);

private:
  void refuse_folded_line(std::string_view buffer) const;
  void refuse_when_too_long(std::string_view buffer) const;

  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::size_t first_line_end_ = 0;
};

} // namespace roost::http
