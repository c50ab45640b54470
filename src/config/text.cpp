#include "config/text.hpp"

#include "domain/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace roost::config {

namespace {

/// Masks `password` and, having the same ending, `sslpassword`.
std::string without_password_parameters(std::string text) {
  constexpr std::string_view parameter = "password=";
  for (auto start = text.find(parameter, text.find('?')); start != std::string::npos;
       start = text.find(parameter, start)) {
    start += parameter.size();
    text.replace(start, std::min(text.find('&', start), text.size()) - start, "***");
  }
  return text;
}

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

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[7];
      std::snprintf(escape, sizeof escape, "\\u%04X", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

bool is_alphanumeric_or(std::string_view text, std::string_view others) {
  const auto is_allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_allowed);
}

std::string masked(std::string_view text) {
  // Parameters come first: an @ in one of them would be taken for the end of user and password.
  auto result = without_password_parameters(std::string(text));
  const auto scheme = result.find("://");
  const auto authority = scheme == std::string::npos ? 0 : scheme + 3;
  const auto at = result.rfind('@');
  const auto colon = result.find(':', authority);
  if (at != std::string::npos && colon < at) result.replace(colon + 1, at - colon - 1, "***");
  return result;
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 4) + 1;
  for (const auto& candidate : candidates) {
    const auto distance = domain::edit_distance(name, candidate);
    if (distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string suggestion(const std::optional<std::string>& candidate) {
  return candidate ? "; did you mean " + *candidate + "?" : "";
}

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
