#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace roost::domain {

/// Text of at most `Size` characters, in place: what is written into every row of every feed costs no memory.
template <std::size_t Size>
struct short_text {
  std::array<char, Size> characters{};
  std::size_t size = Size;

  std::string_view view() const { return {characters.data(), size}; }
};

} // namespace roost::domain
