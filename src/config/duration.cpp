#include "config/duration.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace roost::config {

namespace {

struct unit {
  std::string_view name;
  std::chrono::nanoseconds length;
};

constexpr std::array<unit, 6> units{{
    {"d", std::chrono::hours(24)},
    {"h", std::chrono::hours(1)},
    {"m", std::chrono::minutes(1)},
    {"s", std::chrono::seconds(1)},
    {"ms", std::chrono::milliseconds(1)},
    {"us", std::chrono::microseconds(1)},
}};

} // namespace

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  std::int64_t amount = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, amount);
  if (error != std::errc{} || amount < 0 || text.front() == '-') return std::nullopt;
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  for (const auto& unit : units) {
    if (unit.name != name) continue;
    if (amount > max_duration / unit.length) return std::nullopt;
    return amount * unit.length;
  }
  return std::nullopt;
}

std::string duration_text(std::chrono::nanoseconds duration) {
  if (duration == std::chrono::nanoseconds::zero()) return "0s";
  for (const auto& unit : units)
    if (duration % unit.length == std::chrono::nanoseconds::zero())
      return std::to_string(duration / unit.length).append(unit.name);
  return std::to_string(duration / std::chrono::microseconds(1)) + "us";
}

} // namespace roost::config
