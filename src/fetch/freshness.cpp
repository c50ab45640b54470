#include "fetch/freshness.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

namespace roost::fetch {

namespace {

/// More is read as this much (RFC 9111, 1.2.2).
constexpr std::int64_t max_seconds = 2'147'483'648;

std::optional<std::int64_t> delta_seconds(std::string_view text) {
  text = ascii::trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.empty() || !std::ranges::all_of(text, ascii::is_digit)) return std::nullopt;
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} ? std::min(value, max_seconds) : max_seconds;
}

} // namespace

std::chrono::seconds freshness_of(std::string_view cache_control, std::string_view age) {
  std::int64_t lifetime = 0;
  for (auto element = ascii::next_element(cache_control); !element.empty();
       element = ascii::next_element(cache_control)) {
    const auto equals = element.find('=');
    const auto name = ascii::trim(element.substr(0, equals));
    if (ascii::equal_ignoring_case(name, "no-store") || ascii::equal_ignoring_case(name, "no-cache"))
      return {};
    if (ascii::equal_ignoring_case(name, "max-age") && equals != std::string_view::npos)
      lifetime = delta_seconds(element.substr(equals + 1)).value_or(0);
  }
  return std::chrono::seconds{std::max<std::int64_t>(0, lifetime - delta_seconds(age).value_or(0))};
}

} // namespace roost::fetch
