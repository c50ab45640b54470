#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Ways to cut an input. A hash of the input decides, so that a file determines what is checked and stays
/// readable.
namespace roost::fuzz {

/// A sequence of numbers that an input determines.
class numbers {
public:
  explicit numbers(std::string_view input) {
    for (const char c : input) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; // FNV-1a
  }

  /// Returns a number from `min` to `max`.
  std::size_t next(std::size_t min, std::size_t max) {
    constexpr std::uint64_t multiplier = 6364136223846793005, increment = 1442695040888963407;
    state_ = state_ * multiplier + increment;
    return min + static_cast<std::size_t>(state_ >> 33) % (max - min + 1);
  }

private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// Removes and returns the input's first line, without its LF.
inline std::string_view take_line(std::string_view& input) {
  const auto end = input.find('\n');
  const auto line = input.substr(0, end);
  input = end == std::string_view::npos ? std::string_view{} : input.substr(end + 1);
  return line;
}

} // namespace roost::fuzz
