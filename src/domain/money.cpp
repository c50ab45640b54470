#include "domain/money.hpp"

#include "domain/decimal.hpp"

#include <charconv>

namespace roost::domain {

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
