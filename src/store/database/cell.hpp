#pragma once

#include "domain/date.hpp"
#include "domain/decimal.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// How the domain's values travel: as text, which both databases read into their own types; no cell is NULL.
namespace roost::store {

using cell = std::optional<std::string>;
using cell_view = std::optional<std::string_view>;

/// Appends a value's text; false when it is NULL.
inline bool write_cell(std::string& to, std::string_view text) { return to.append(text), true; }
template <std::same_as<bool> Flag> // nothing else becomes one
bool write_cell(std::string& to, Flag value) {
  return to.append(value ? "1" : "0"), true;
}
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) bool write_cell(std::string& to, Integer value) {
  std::array<char, std::numeric_limits<Integer>::digits10 + 2> text{}; // with the sign
  return to.append(text.data(), std::to_chars(text.begin(), text.end(), value).ptr), true;
}
bool write_cell(std::string& to, double value);
inline bool write_cell(std::string& to, domain::money amount) { return write_cell(to, amount.cents); }
inline bool write_cell(std::string& to, const domain::decimal& number) {
  return write_cell(to, domain::to_string(number));
}
bool write_cell(std::string& to, const domain::uuid& id);
inline bool write_cell(std::string& to, domain::date day) {
  return write_cell(to, domain::to_short_text(day).view());
}
inline bool write_cell(std::string& to, domain::timestamp moment) {
  return write_cell(to, domain::to_short_text(moment).view());
}
template <typename Value>
bool write_cell(std::string& to, const std::optional<Value>& value) {
  return value && write_cell(to, *value);
}

/// Reads what write_cell() writes, and the databases' own forms of it; false when the text is no such value.
inline bool read_cell(std::string_view text, std::string& into) { return into.assign(text), true; }
bool read_cell(std::string_view text, bool& into);
bool read_cell(std::string_view text, int& into);
bool read_cell(std::string_view text, unsigned& into);
bool read_cell(std::string_view text, std::int64_t& into);
bool read_cell(std::string_view text, double& into);
inline bool read_cell(std::string_view text, domain::money& into) { return read_cell(text, into.cents); }
bool read_cell(std::string_view text, domain::decimal& into);
bool read_cell(std::string_view text, domain::uuid& into);
bool read_cell(std::string_view text, domain::date& into);
bool read_cell(std::string_view text, domain::timestamp& into);

inline cell to_cell(std::string text) { return text; }
template <typename Value>
cell to_cell(const Value& value) {
  std::string text;
  if (!write_cell(text, value)) return {};
  return text;
}

} // namespace roost::store
