#pragma once

#include "domain/date.hpp"
#include "domain/decimal.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Domain values as cells: text that both databases convert to their own types. An empty cell is NULL.
namespace roost::store {

using cell = std::optional<std::string>;
using cell_view = std::optional<std::string_view>;

/// Appends the text of a value; returns false when the value is NULL.
inline bool write_cell(std::string& to, std::string_view text) { return to.append(text), true; }
template <std::same_as<bool> Flag> // prevents implicit conversions to bool
bool write_cell(std::string& to, Flag value) {
  return to.append(value ? "1" : "0"), true;
}
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) bool write_cell(std::string& to, Integer value) {
  std::array<char, std::numeric_limits<Integer>::digits10 + 2> text{}; // including the sign
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
inline bool write_cell(std::string& to, domain::timestamp time) {
  return write_cell(to, domain::to_short_text(time).view());
}
template <typename Value>
bool write_cell(std::string& to, const std::optional<Value>& value) {
  return value && write_cell(to, *value);
}

/// Parses the output of write_cell() and the databases' own formats; returns false for any other text.
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

inline cell to_cell(cell value) { return value; }
inline cell to_cell(std::string text) { return text; }
template <typename Value>
cell to_cell(const Value& value) {
  std::string text;
  if (!write_cell(text, value)) return {};
  return text;
}

/// A list of cells with their text in one buffer: a group of bookings has thousands of cells, created on one
/// thread and freed on another.
class cell_list {
public:
  template <typename Value>
  void add(const Value& value) {
    const bool has_value = write_cell(text_, value);
    ends_.push_back({text_.size(), has_value});
  }

  /// Adds a value in a format (column_format) other than the default for its type.
  template <typename Format, typename Value>
  void add_as(const Value& value) {
    const bool has_value = Format::write(text_, value);
    ends_.push_back({text_.size(), has_value});
  }

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }

  /// The view is valid until the list changes.
  cell_view operator[](std::size_t i) const {
    const auto [end, has_value] = ends_[i];
    if (!has_value) return std::nullopt;
    const auto start = i == 0 ? 0 : ends_[i - 1].offset;
    return std::string_view(text_).substr(start, end - start);
  }

  void clear() {
    text_.clear();
    ends_.clear();
  }

private:
  struct end {
    std::size_t offset;
    bool has_value;
  };

  std::string text_;
  std::vector<end> ends_;
};

} // namespace roost::store
