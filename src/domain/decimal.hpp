#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// An exact decimal number of any size: `digits` × 10^`exponent`. Equal numbers are equal member by member.
struct decimal {
  bool negative = false;
  std::string digits; ///< neither starts nor ends with a zero; empty for zero
  long exponent = 0;

  friend bool operator==(const decimal&, const decimal&) = default;
};

/// Reads a JSON number's text (RFC 8259, 6) exactly. Nothing when it is none. An exponent beyond ±10^9 counts
/// as ±10^9, so hold what comes from outside to has_digits() before anything else.
std::optional<decimal> parse_decimal(std::string_view number);

/// A whole number.
decimal to_decimal(std::int64_t number);

/// Whether there are at most so many digits before and after the point.
bool has_digits(const decimal& value, long max_whole, long max_fraction);

/// `value` × 10^`places` when that is a whole number, at most the greatest and at least the least of its
/// type.
std::optional<std::int64_t> scaled(const decimal& value, int places);

/// `value` × 10^`places`.
decimal shifted(decimal value, long places);

decimal operator+(const decimal& a, const decimal& b);
decimal& operator+=(decimal& to, const decimal& more);

/// A JSON number without an exponent and trailing zeros: `0.000012`, `1500`.
std::string to_string(const decimal& value);

} // namespace roost::domain
