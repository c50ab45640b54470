#pragma once

#include "domain/text.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// An amount in cents of some currency, which the context names.
struct money {
  std::int64_t cents = 0;

  friend auto operator<=>(const money&, const money&) = default;
  friend money operator+(money a, money b) { return {a.cents + b.cents}; }
  friend money operator-(money a, money b) { return {a.cents - b.cents}; }
  friend money operator*(money a, std::int64_t times) { return {a.cents * times}; }
};

/// Amounts at or above this are refused everywhere (Partner API, Limits).
inline constexpr money amount_limit{100'000'000'00};

/// `numerator / denominator`, half away from zero. Needs a positive denominator.
std::int64_t divide_rounding(std::int64_t numerator, std::int64_t denominator);

/// `amount` that often; nothing for a count or an amount below 0. It stays below the amount limit: some
/// counts come from outside and are as large as they like.
money times(money amount, std::int64_t count);

/// Rounded up to a whole number of the currency's unit.
money round_up(money amount);

/// Whether text is a number as JSON writes it, of whatever size.
bool is_number(std::string_view text);

/// Reads a JSON number's text exactly, half cents away from zero. Nothing when it is no number or beyond
/// ±10^15 units.
std::optional<money> parse_money(std::string_view number);

/// A JSON number with no trailing zeros: `650`, `99.5`.
short_text<24> to_short_text(money amount);
std::string to_string(money amount);

/// `part` hundredths of `amount`: 150 is one and a half times. Half cents away from zero.
money hundredths(money amount, std::int64_t part);

} // namespace roost::domain
