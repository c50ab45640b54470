#include "domain/money.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace roost::domain {

namespace {

/// Exponents are clamped to this: it exceeds the length of any text, and sums of it do not overflow.
constexpr long max_exponent = 1'000'000'000;

/// Parses the exponent after the `e`.
std::optional<long> parse_exponent(std::string_view text) {
  const bool plus = text.starts_with('+');
  if (plus) text.remove_prefix(1);
  if (plus && text.starts_with('-')) return std::nullopt;
  long exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? -max_exponent : max_exponent;
  return std::clamp(exponent, -max_exponent, max_exponent);
}

/// Removes leading and trailing zeros.
decimal normalized(decimal value) {
  value.digits.erase(0, value.digits.find_first_not_of('0'));
  const auto kept = value.digits.find_last_not_of('0') + 1; // npos + 1 is 0
  value.exponent += static_cast<long>(value.digits.size() - kept);
  value.digits.resize(kept);
  if (value.digits.empty()) return {};
  return value;
}

/// Returns the digits of `value` / 10^`exponent`. Requires `exponent` <= `value.exponent`.
std::string digits_at(const decimal& value, long exponent) {
  if (value.digits.empty()) return {};
  return value.digits + std::string(static_cast<std::size_t>(value.exponent - exponent), '0');
}

/// Adds a digit string, or subtracts it if `sign` is -1, to one of the same length. Requires a result >= 0.
std::string combined(std::string a, const std::string& b, int sign) {
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int sum = (a[i] - '0') + sign * (b[i] - '0') + carry;
    carry = sum < 0 ? -1 : sum / 10;
    a[i] = static_cast<char>('0' + sum - 10 * carry);
  }
  return carry > 0 ? '1' + a : a;
}

} // namespace

std::optional<decimal> parse_decimal(std::string_view text) {
  decimal number;
  std::size_t i = 0;
  if (i < text.size() && text[i] == '-') number.negative = true, ++i;
  const std::size_t start = i;
  bool fraction = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.' && !fraction) {
      fraction = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      number.digits += text[i];
      if (fraction) --number.exponent;
    } else {
      return std::nullopt;
    }
  }
  if (i == start || text[start] == '.' || text[i - 1] == '.') return std::nullopt;
  if (text[start] == '0' && i > start + 1 && text[start + 1] != '.') return std::nullopt;
  if (i < text.size()) {
    const auto exponent = parse_exponent(text.substr(i + 1));
    if (!exponent) return std::nullopt;
    number.exponent += *exponent;
  }
  return normalized(std::move(number));
}

bool has_digits(const decimal& value, long max_whole, long max_fraction) {
  if (value.digits.empty()) return true;
  const long whole = static_cast<long>(value.digits.size()) + value.exponent;
  return whole <= max_whole && -value.exponent <= max_fraction;
}

std::optional<std::int64_t> scaled(const decimal& value, int places) {
  constexpr long max_digits =
      std::numeric_limits<std::int64_t>::digits10; // every number of this many digits fits
  const long zeros = value.exponent + places;
  if (value.digits.empty()) return 0;
  if (zeros < 0) return std::nullopt;
  if (static_cast<long>(value.digits.size()) + zeros > max_digits)
    return value.negative ? std::numeric_limits<std::int64_t>::min()
                          : std::numeric_limits<std::int64_t>::max();
  std::int64_t whole = 0;
  for (const char c : value.digits) whole = whole * 10 + (c - '0');
  for (long i = 0; i < zeros; ++i) whole *= 10;
  return value.negative ? -whole : whole;
}

std::int64_t truncated(const decimal& value, int places) {
  const long fraction = -value.exponent - places; // its digits
  if (fraction <= 0) return scaled(value, places).value_or(0);
  const auto digits = static_cast<long>(value.digits.size());
  if (fraction >= digits) return 0;
  auto whole = value;
  whole.digits.resize(static_cast<std::size_t>(digits - fraction));
  whole.exponent = -places;
  return scaled(whole, places).value_or(0);
}

decimal shifted(decimal value, long places) {
  if (!value.digits.empty()) value.exponent += places;
  return value;
}

decimal operator+(const decimal& a, const decimal& b) {
  if (a.digits.empty()) return b;
  if (b.digits.empty()) return a;
  const long exponent = std::min(a.exponent, b.exponent);
  auto left = digits_at(a, exponent), right = digits_at(b, exponent);
  const auto length = std::max(left.size(), right.size());
  left.insert(0, length - left.size(), '0');
  right.insert(0, length - right.size(), '0');
  if (a.negative == b.negative)
    return normalized({a.negative, combined(std::move(left), right, 1), exponent});
  if (left >= right) return normalized({a.negative, combined(std::move(left), right, -1), exponent});
  return normalized({b.negative, combined(std::move(right), left, -1), exponent});
}

decimal& operator+=(decimal& to, const decimal& more) { return to = to + more; }

std::string to_string(const decimal& value) {
  if (value.digits.empty()) return "0";
  const long whole = static_cast<long>(value.digits.size()) + value.exponent; // digits before the point
  std::string text = value.digits;
  if (value.exponent >= 0)
    text.append(static_cast<std::size_t>(value.exponent), '0');
  else if (whole > 0)
    text.insert(static_cast<std::size_t>(whole), 1, '.');
  else
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-whole), '0'));
  return (value.negative ? "-" : "") + text;
}

std::int64_t divide_rounding(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t half = denominator / 2;
  if (numerator >= 0) return (numerator + half) / denominator;
  return -((-numerator + half) / denominator);
}

money round_up(money amount) {
  const std::int64_t whole = amount.cents / 100;
  return {(amount.cents % 100 > 0 ? whole + 1 : whole) * 100};
}

bool is_number(std::string_view text) { return parse_decimal(text).has_value(); }

std::optional<money> parse_money(std::string_view number) {
  const auto parsed = parse_decimal(number);
  if (!parsed) return std::nullopt;
  if (parsed->digits.empty()) return money{0};
  const long shift = parsed->exponent + 2; // cents = digits × 10^shift
  const long length = static_cast<long>(parsed->digits.size());
  if (length + shift > 18) return std::nullopt;
  if (length + shift < 0) return money{0}; // less than 0.1 cents
  const auto kept = static_cast<std::size_t>(shift >= 0 ? length : length + shift);
  std::int64_t cents = 0;
  for (std::size_t i = 0; i < kept; ++i) cents = cents * 10 + (parsed->digits[i] - '0');
  for (long i = 0; i < shift; ++i) cents *= 10;
  if (kept < parsed->digits.size() && parsed->digits[kept] >= '5') ++cents;
  constexpr std::int64_t max_cents = 100'000'000'000'000'000; // 10^15 units: far above any amount
  if (cents > max_cents) return std::nullopt;
  return money{parsed->negative ? -cents : cents};
}

short_text<24> to_short_text(money amount) {
  const bool negative = amount.cents < 0;
  const std::uint64_t cents = negative ? 0 - static_cast<std::uint64_t>(amount.cents) : amount.cents;
  short_text<24> text;
  char* at = text.characters.data();
  if (negative) *at++ = '-';
  at = std::to_chars(at, text.characters.end(), cents / 100).ptr; // at most 20 digits
  const unsigned rest = cents % 100;
  if (rest != 0) {
    *at++ = '.';
    *at++ = static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) *at++ = static_cast<char>('0' + rest % 10);
  }
  text.size = static_cast<std::size_t>(at - text.characters.data());
  return text;
}

std::string to_string(money amount) { return std::string{to_short_text(amount).view()}; }

money times(money amount, std::int64_t count) {
  if (count <= 0 || amount <= money{0}) return {};
  if (count > amount_limit.cents / amount.cents) return amount_limit - money{1};
  return amount * count;
}

money hundredths(money amount, std::int64_t part) { return {divide_rounding(amount.cents * part, 100)}; }

} // namespace roost::domain
