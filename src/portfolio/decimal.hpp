#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::portfolio {

/// A JSON number's exact value: `digits` × 10^`exponent`.
struct decimal {
  bool negative = false;
  std::string digits; ///< neither starts nor ends with a zero; empty for zero
  long exponent = 0;
};

/// Takes the text of a JSON number (RFC 8259, 6) apart.
decimal read_decimal(std::string_view number);

/// `value` × 10^`places` when that is a whole number, at most the greatest and at least the least of its
/// type.
std::optional<std::int64_t> scaled(const decimal& value, int places);

/// Without an exponent: `0.000012`. Nothing when it has more than 15 digits before the point or 18 after it.
std::optional<std::string> plain_text(const decimal& value);

} // namespace roost::portfolio
