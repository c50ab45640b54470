#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace roost::domain {

/// An enumeration with names_of(value), an array of texts indexed by the value.
template <typename Enum>
concept named_enum = std::is_enum_v<Enum> && requires(Enum value) {
  names_of(value)[0];
};

template <named_enum Enum>
constexpr std::string_view to_string(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// Returns the value with this name; nullopt if there is none.
template <named_enum Enum>
constexpr std::optional<Enum> parse_name(std::string_view text) {
  const auto& names = names_of(Enum{});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

} // namespace roost::domain
