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

inline cell to_cell(std::string text) { return text; }
inline cell to_cell(std::string_view text) { return std::string(text); }
inline cell to_cell(const char* text) { return std::string(text); }
inline cell to_cell(bool value) { return value ? "1" : "0"; }
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) cell to_cell(Integer value) { return std::to_string(value); }
cell to_cell(double value);
inline cell to_cell(domain::money amount) { return std::to_string(amount.cents); }
inline cell to_cell(const domain::uuid& id) { return domain::to_string(id); }
inline cell to_cell(domain::date day) { return domain::to_string(day); }
inline cell to_cell(domain::timestamp moment) { return domain::to_string(moment); }
template <typename Value>
cell to_cell(const std::optional<Value>& value) {
  return value ? to_cell(*value) : cell{};
}

/// A block's last night: NULL when it has no end.
cell last_night_cell(domain::date last);

} // namespace roost::store
