#include "config/platform_values.hpp"

#include <algorithm>
#include <array>

namespace roost::config {

namespace {

/// Where the service's own routes live.
constexpr std::array<std::string_view, 12> reserved_prefixes = {
    "auth",     "oauth",   "ai-usage", ".well-known", "ical-integration", "ical-integration-json",
    "explorer", "account", "sign-in",  "management",  "management-json",  "reset-password"};

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_platform_name(const std::string& text) {
  return !text.empty() && is_lower_or_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

/// RFC 3986, unreserved characters: a prefix is compared with paths as it stands.
bool is_path_segment(const std::string& text) {
  const auto allowed = [](char c) {
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_' || c == '~';
  };
  return !text.empty() && text != "." && text != ".." && std::ranges::all_of(text, allowed);
}

std::vector<std::string> kind_names() {
  const auto names = domain::platform_kind_names();
  return {names.begin(), names.end()};
}

} // namespace

format<std::string> platform_name() {
  return text_format<std::string>("a name of lower-case letters, digits and dashes", "\"marketplace-a\"",
                                  [](const std::string& text) -> std::optional<std::string> {
                                    if (!is_platform_name(text)) return std::nullopt;
                                    return text;
                                  });
}

format<domain::platform_kind> platform_kind() {
  return text_format<domain::platform_kind>(
      "a kind of platform", "\"marketplace-a\"",
      [](const std::string& text) -> std::optional<domain::platform_kind> {
        const auto kind = domain::parse_platform_kind(text);
        if (!kind) {
          if (const auto meant = nearest(text, kind_names()))
            throw refusal{in_quotes(text) + " is not a kind of platform" + suggestion(meant)};
        }
        return kind;
      });
}

format<std::string> route_prefix() {
  return text_format<std::string>(
      "one part of a path", "\"marketplace-a\"", [](const std::string& text) -> std::optional<std::string> {
        if (std::ranges::find(reserved_prefixes, text) != reserved_prefixes.end())
          throw refusal{in_quotes(text) + " is where the service's own routes are"};
        if (!is_path_segment(text)) return std::nullopt;
        return text;
      });
}

format<std::vector<std::string>> regions() {
  return list_format("a city", "[\"Madrid\"]", [](const std::string& text) { return !text.empty(); });
}

format<std::optional<domain::uuid>> account_id() {
  using account = std::optional<domain::uuid>;
  return text_format<account>("an account's id", "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001\"",
                              [](const std::string& text) -> std::optional<account> {
                                const account id = domain::parse_uuid(text);
                                if (!id) return std::nullopt;
                                return std::optional<account>(std::in_place, id);
                              });
}

} // namespace roost::config
