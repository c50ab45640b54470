#include "portfolio/decimal.hpp"

#include <charconv>
#include <limits>

namespace roost::portfolio {

namespace {

/// Far beyond every number that a portfolio may hold, and far from overflow.
constexpr long greatest_exponent = 1'000'000;

long read_exponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  long exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  const bool too_long = error == std::errc::result_out_of_range;
  if (text.starts_with('-')) return too_long || exponent < -greatest_exponent ? -greatest_exponent : exponent;
  return too_long || exponent > greatest_exponent ? greatest_exponent : exponent;
}

} // namespace

decimal read_decimal(std::string_view number) {
  decimal value;
  if (number.starts_with('-')) {
    value.negative = true;
    number.remove_prefix(1);
  }
  const auto power = number.find_first_of("eE");
  if (power != std::string_view::npos) value.exponent = read_exponent(number.substr(power + 1));
  bool fraction = false;
  for (const char c : number.substr(0, power)) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --value.exponent;
    if (c != '0' || !value.digits.empty()) value.digits += c;
  }
  while (value.digits.ends_with('0')) {
    value.digits.pop_back();
    ++value.exponent;
  }
  if (value.digits.empty()) return {};
  return value;
}

std::optional<std::int64_t> scaled(const decimal& value, int places) {
  constexpr long digits = std::numeric_limits<std::int64_t>::digits10; // every number so long fits
  const long zeros = value.exponent + places;
  if (value.digits.empty()) return 0;
  if (zeros < 0) return std::nullopt;
  if (static_cast<long>(value.digits.size()) + zeros > digits)
    return value.negative ? std::numeric_limits<std::int64_t>::min()
                          : std::numeric_limits<std::int64_t>::max();
  std::int64_t whole = 0;
  for (const char c : value.digits) whole = whole * 10 + (c - '0');
  for (long i = 0; i < zeros; ++i) whole *= 10;
  return value.negative ? -whole : whole;
}

std::optional<std::string> plain_text(const decimal& value) {
  constexpr long most_whole = 15, most_fraction = 18;
  if (value.digits.empty()) return "0";
  const long length = static_cast<long>(value.digits.size());
  const long whole = length + value.exponent; // digits before the point
  if (whole > most_whole || -value.exponent > most_fraction) return std::nullopt;
  std::string text = value.digits;
  if (value.exponent >= 0)
    text.append(static_cast<std::size_t>(value.exponent), '0');
  else if (whole > 0)
    text.insert(static_cast<std::size_t>(whole), 1, '.');
  else
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-whole), '0'));
  return (value.negative ? "-" : "") + text;
}

} // namespace roost::portfolio
