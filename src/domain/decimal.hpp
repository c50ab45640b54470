#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// An exact decimal number of any size, normalized: `digits` × 10^`exponent`.
struct decimal {
  bool negative = false;
  std::string digits; ///< neither starts nor ends with a zero; empty for zero
  long exponent = 0;

  friend bool operator==(const decimal&, const decimal&) = default;
};

/// Parses a JSON number (RFC 8259, 6) exactly; nullopt if it is not one. Exponents are clamped to ±10^9, so
/// check untrusted numbers with has_digits() before using them.
std::optional<decimal> parse_decimal(std::string_view number);

/// Returns whether a number has at most this many digits before and after the decimal point.
bool has_digits(const decimal& value, long max_whole, long max_fraction);

/// Returns `value` × 10^`places`, saturated to the range of std::int64_t; nullopt if it is not an integer.
std::optional<std::int64_t> scaled(const decimal& value, int places);

/// Returns `value` × 10^`places`.
decimal shifted(decimal value, long places);

decimal operator+(const decimal& a, const decimal& b);
decimal& operator+=(decimal& to, const decimal& more);

/// Formats a JSON number without an exponent or trailing zeros: `0.000012`, `1500`.
std::string to_string(const decimal& value);

} // namespace roost::domain
