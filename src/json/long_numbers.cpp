#include "json/long_numbers.hpp"

#include "domain/money.hpp"

#include <algorithm>

namespace roost::json {

namespace {

/// The placeholders are the integers that fit in 64 bits only without a sign. They are long themselves, so
/// that none is left of those that were sent.
constexpr std::uint64_t first_placeholder = std::uint64_t{1} << 63;

constexpr std::string_view number_characters = "+-.0123456789Ee";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns whether the text is a number that is long. It need not be a number.
bool is_long(std::string_view text) {
  constexpr std::ptrdiff_t max_integer_digits = 18, max_digits = 15, max_exponent_digits = 2;
  const auto exponent_at = std::min(text.find_first_of("eE"), text.size());
  const auto digits_in = [](std::string_view part) { return std::ranges::count_if(part, is_digit); };
  const auto mantissa = text.substr(0, exponent_at);
  const bool is_integer = exponent_at == text.size() && mantissa.find('.') == std::string_view::npos;
  return (digits_in(mantissa) > (is_integer ? max_integer_digits : max_digits) ||
          digits_in(text.substr(exponent_at)) > max_exponent_digits) &&
         domain::is_number(text);
}

/// Returns the position after the string that starts at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (at = text.find_first_of("\"\\", at + 1); at < text.size() && text[at] == '\\';)
    at = text.find_first_of("\"\\", at + 2);
  return at < text.size() ? at + 1 : text.size();
}

/// Calls `use` with each long number of a text, in order.
template <typename Use>
void for_each_long_number(std::string_view text, Use use) {
  for (std::size_t at = 0; (at = text.find_first_of("\"-0123456789", at)) < text.size();) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    const auto number = number_at(text, at);
    if (is_long(number)) use(number);
    at += number.size();
  }
}

/// Appends what is between the end of `to`'s source and `number`; returns the rest after the number.
std::string_view append_before(std::string& to, std::string_view rest, std::string_view number) {
  const auto before = static_cast<std::size_t>(number.data() - rest.data());
  to += rest.substr(0, before);
  return rest.substr(before + number.size());
}

} // namespace

std::string_view number_at(std::string_view text, std::size_t offset) {
  const auto number = text.substr(offset);
  return number.substr(0, number.find_first_not_of(number_characters));
}

std::optional<std::string> long_numbers::replace(std::string_view text) {
  std::string replaced;
  auto rest = text;
  for_each_long_number(text, [&](std::string_view number) {
    rest = append_before(replaced, rest, number);
    replaced += std::to_string(first_placeholder + numbers_.size());
    numbers_.emplace_back(number);
  });
  if (numbers_.empty()) return std::nullopt;
  return replaced.append(rest);
}

std::optional<std::string_view> long_numbers::find(std::uint64_t number) const {
  if (numbers_.empty() || number < first_placeholder) return std::nullopt;
  return numbers_.at(number - first_placeholder);
}

std::string without_long_numbers(std::string_view text) {
  std::string replaced;
  auto rest = text;
  for_each_long_number(text, [&](std::string_view number) {
    rest = append_before(replaced, rest, number);
    replaced.append(1, '0').append(number.size() - 1, ' ');
  });
  return replaced.append(rest);
}

} // namespace roost::json
