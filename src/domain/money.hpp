#pragma once

#include "domain/text.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Amounts of money: in cents, or exact to any number of digits.
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

/// Returns `value` × 10^`places` without its fraction, saturated to the range of std::int64_t.
std::int64_t truncated(const decimal& value, int places);

/// Returns `value` × 10^`places`.
decimal shifted(decimal value, long places);

decimal operator+(const decimal& a, const decimal& b);
decimal& operator+=(decimal& to, const decimal& more);

/// Formats a JSON number without an exponent or trailing zeros: `0.000012`, `1500`.
std::string to_string(const decimal& value);

/// An amount in cents; the currency follows from the context.
struct money {
  std::int64_t cents = 0;

  friend auto operator<=>(const money&, const money&) = default;
  friend money operator+(money a, money b) { return {a.cents + b.cents}; }
  friend money operator-(money a, money b) { return {a.cents - b.cents}; }
  friend money operator*(money a, std::int64_t times) { return {a.cents * times}; }
};

/// Amounts at or above this limit are rejected everywhere (Partner API, Limits).
inline constexpr money amount_limit{100'000'000'00};

/// Returns `numerator / denominator`, with halves rounded away from zero. Requires a positive denominator.
std::int64_t divide_rounding(std::int64_t numerator, std::int64_t denominator);

/// Returns `amount` × `count`, which may be untrusted, capped below the amount limit; 0 if one is negative.
money times(money amount, std::int64_t count);

/// Rounds up to a whole unit of the currency.
money round_up(money amount);

/// Returns whether a text is a JSON number, of any size.
bool is_number(std::string_view text);

/// Parses a JSON number, with half cents rounded away from zero; nullopt if invalid or beyond ±10^15 units.
std::optional<money> parse_money(std::string_view number);

/// Formats a JSON number without trailing zeros: `650`, `99.5`.
short_text<24> to_short_text(money amount);
std::string to_string(money amount);

/// Returns `part` hundredths of `amount` (150: 1.5 times), with half cents rounded away from zero.
money hundredths(money amount, std::int64_t part);

} // namespace roost::domain
