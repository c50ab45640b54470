#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

/// How the domain's values travel: as text, which both databases read into their own types; nothing is NULL.
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
  return to.append(std::to_string(value)), true;
}
bool write_cell(std::string& to, double value);
inline bool write_cell(std::string& to, domain::money amount) { return write_cell(to, amount.cents); }
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

inline cell to_cell(std::string text) { return text; }
template <typename Value>
cell to_cell(const Value& value) {
  std::string text;
  if (!write_cell(text, value)) return {};
  return text;
}

/// A block's last night: NULL when it has no end.
cell last_night_cell(domain::date last);

} // namespace roost::store
