#pragma once

#include "fuzz/support/target.hpp"

#include <string_view>

namespace roost::fuzz {

/// Returns whether a text contains an ASCII control character, such as a line end.
inline bool has_control(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) return true;
  return false;
}

/// Requires of an error's text that it is one line that a log or a terminal can show.
inline void require_one_line(std::string_view error) {
  require(!error.empty(), "an error has a text");
  require(!has_control(error), "an error is one line without control characters");
}

} // namespace roost::fuzz
