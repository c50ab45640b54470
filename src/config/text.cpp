#include "config/text.hpp"

#include "domain/text.hpp"

#include <algorithm>
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

} // namespace roost::config
