#pragma once

#include "domain/text.hpp"

#include <string_view>

namespace roost::domain {

/// Returns whether the store can hold a text: it is UTF-8 (RFC 3629) without NUL.
inline bool is_storable(std::string_view text) {
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character || *character == 0) return false;
  }
  return true;
}

} // namespace roost::domain
