#include "http/protocol/urlencoded.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <unordered_map>

namespace roost::http {

namespace {

/// Decodes a name or value of a form. Throws bad_request.
std::string decoded_part(std::string_view part) {
  std::string spaced(part);
  for (auto plus = spaced.find('+'); plus != std::string::npos; plus = spaced.find('+', plus + 1))
    spaced[plus] = ' ';
  auto decoded = percent_decoded(spaced);
  if (!decoded) throw bad_request("Malformed form: broken percent-encoding");
  if (decoded->find('\0') != std::string::npos) throw bad_request("Malformed form: a zero byte");
  return std::move(*decoded);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Decodes a name or value of a query; returns it without decoding if an escape is malformed.
std::string decoded_or_raw(std::string_view part) {
  std::string spaced(part);
  std::ranges::replace(spaced, '+', ' ');
  auto decoded = percent_decoded(spaced);
  return decoded ? std::move(*decoded) : spaced;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\n\v\f\r";
  const auto start = text.find_first_not_of(spaces);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(spaces) - start + 1);
}

/// Removes all digits at the front and returns their number.
std::size_t skip_digits(std::string_view& text) {
  const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

/// ECMAScript, StrUnsignedDecimalLiteral.
bool is_decimal_literal(std::string_view text) {
  auto digits = skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += skip_digits(text);
  }
  if (digits == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return skip_digits(text) > 0 && text.empty();
}

double decimal_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "Infinity")
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (!is_decimal_literal(text)) return not_a_number;
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  return negative ? -value : value;
}

double number_of_base(std::string_view digits, int base) {
  double value = 0;
  for (const char c : digits) {
    const int digit = ascii::hex_value(c);
    if (digit < 0 || digit >= base) return not_a_number;
    value = value * base + digit;
  }
  return digits.empty() ? not_a_number : value;
}

} // namespace

form_fields read_form(std::string_view text) {
  if (text.size() > max_form_size) throw payload_too_large();
  form_fields fields;
  while (!text.empty()) {
    const auto end = text.find('&');
    const auto pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (pair.empty()) continue;
    if (fields.size() == max_form_fields) throw payload_too_large();
    const auto equals = pair.find('=');
    auto name = decoded_part(pair.substr(0, equals));
    if (name.empty()) throw bad_request("Malformed form: a field without a name");
    auto value = equals == std::string_view::npos ? std::string{} : decoded_part(pair.substr(equals + 1));
    const auto [at, is_new] = fields.try_emplace(std::move(name), std::move(value));
    if (!is_new) throw bad_request("Malformed form: " + at->first + " comes twice");
  }
  return fields;
}

std::vector<query_field> read_query(std::string_view query) {
  std::vector<query_field> fields;
  std::unordered_map<std::string, std::size_t> known;
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = decoded_or_raw(pair.substr(0, equals));
    auto value = decoded_or_raw(pair.substr(std::min(equals + 1, pair.size())));
    const auto [at, is_new] = known.try_emplace(name, fields.size());
    if (is_new) fields.push_back({std::move(name), {}});
    fields[at->second].values.push_back(std::move(value));
  }
  return fields;
}

double js_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return 0;
  struct prefix {
    char letter;
    int base;
  };
  constexpr std::array prefixes{prefix{'x', 16}, prefix{'o', 8}, prefix{'b', 2}};
  if (text.size() > 1 && text.front() == '0')
    for (const auto& [letter, base] : prefixes)
      if ((text[1] | 0x20) == letter) return number_of_base(text.substr(2), base);
  return decimal_number(text);
}

} // namespace roost::http
