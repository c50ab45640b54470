#pragma once

#include <string>
#include <string_view>

namespace roost::domain {

/// Plain letters in lower case and everything else as it is, whatever the locale: for host names and names of
/// the configuration. Addresses of mail: case_folding.hpp.
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

} // namespace roost::domain
