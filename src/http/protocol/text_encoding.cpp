#include "http/protocol/text_encoding.hpp"

#include "bytes/ascii.hpp"
#include "domain/entered_text.hpp"
#include "http/protocol/error.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <unordered_map>

namespace roost::http {

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  constexpr std::size_t max_sequence = 4;
  std::string result;
  result.reserve(text.size() + 16);
  while (!text.empty()) {
    std::size_t length = 1;
    while (length <= std::min(max_sequence, text.size()) && !is_utf8(text.substr(0, length))) ++length;
    if (length <= std::min(max_sequence, text.size())) {
      result += text.substr(0, length);
    } else {
      result += replacement;
      length = 1;
    }
    text.remove_prefix(length);
  }
  return result;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (auto percent = text.find('%'); percent != std::string_view::npos; percent = text.find('%')) {
    if (percent + 2 >= text.size()) return std::nullopt;
    const int high = ascii::hex_value(text[percent + 1]);
    const int low = ascii::hex_value(text[percent + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += text.substr(0, percent);
    decoded += static_cast<char>(high * 16 + low);
    text.remove_prefix(percent + 3);
  }
  decoded += text; // most texts have no escapes and are copied in one step
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += digits[byte >> 4];
    encoded += digits[byte & 15];
  }
  return encoded;
}

namespace {

struct raw_field {
  std::string_view name, value;
};

/// Removes and returns the next field that is not empty; nullopt at the end.
std::optional<raw_field> next_field(std::string_view& text) {
  while (!text.empty()) {
    auto pair = ascii::take_until(text, '&');
    if (pair.empty()) continue;
    const auto name = ascii::take_until(pair, '=');
    return raw_field{name, pair};
  }
  return std::nullopt;
}

std::string with_spaces(std::string_view part) {
  std::string spaced(part);
  std::ranges::replace(spaced, '+', ' ');
  return spaced;
}

/// Decodes a name or value of a form. Throws bad_request.
std::string decoded_part(std::string_view part) {
  auto decoded = percent_decoded(with_spaces(part));
  if (!decoded) throw bad_request("Malformed form: broken percent-encoding");
  if (decoded->find('\0') != std::string::npos) throw bad_request("Malformed form: a zero byte");
  return std::move(*decoded);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Decodes a name or value of a query; returns it without decoding if an escape is malformed.
std::string decoded_or_raw(std::string_view part) {
  const auto spaced = with_spaces(part);
  return percent_decoded(spaced).value_or(spaced);
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
  text = domain::without_byte_order_mark(text);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  form_fields fields;
  while (const auto field = next_field(text)) {
    if (fields.size() == max_form_fields) throw payload_too_large();
    auto name = decoded_part(field->name);
    if (name.empty()) throw bad_request("Malformed form: a field without a name");
    auto value = decoded_part(field->value);
    const auto [at, is_new] = fields.try_emplace(std::move(name), std::move(value));
    if (!is_new) throw bad_request("Malformed form: " + at->first + " must not be repeated");
  }
  return fields;
}

std::vector<query_field> read_query(std::string_view query) {
  std::vector<query_field> fields;
  std::unordered_map<std::string, std::size_t> known;
  while (const auto field = next_field(query)) {
    auto name = decoded_or_raw(field->name);
    auto value = decoded_or_raw(field->value);
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
