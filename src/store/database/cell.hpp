#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
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
template <typename Number>
requires(std::is_arithmetic_v<Number> && !std::same_as<Number, bool>) bool write_cell(std::string& to,
                                                                                      Number value) {
  std::array<char, 32> text{}; // enough for any number
  return to.append(text.data(), std::to_chars(text.begin(), text.end(), value).ptr), true;
}
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
template <typename Number>
requires std::is_arithmetic_v<Number>
bool read_cell(std::string_view text, Number& into) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && stop == text.data() + text.size();
}
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

/// Returns the text of an id; empty, not NULL, without an id.
inline cell text_or_empty(const std::optional<domain::uuid>& id) {
  return id ? domain::to_string(*id) : std::string{};
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

/// The representation of a C++ type in a column. Each type that a column can hold has a specialization with
///
/// - `type`: the name of the column's type in PostgreSQL;
/// - `bool write(std::string& to, const Value& value)`: appends the text of the value; false when it is NULL;
/// - `bool read(const std::string* text, Value& into)`: `text` is null for NULL; false when the column holds
///   no valid value. Write-only formats do not have it.
template <typename Value>
struct column_format;

template <typename Format, typename Value>
concept format_of = requires(std::string& to, const Value& value) {
  { Format::type } -> std::convertible_to<const char*>;
  { Format::write(to, value) } -> std::same_as<bool>;
};
template <typename Format, typename Value>
concept readable_format_of = requires(const std::string* text, Value& into) {
  { Format::read(text, into) } -> std::same_as<bool>;
};

/// Returns the PostgreSQL type of values with write_cell() and read_cell(); null for other types.
template <typename Value>
consteval const char* plain_type() {
  if (std::same_as<Value, std::string>) return "text";
  if (std::same_as<Value, bool>) return "boolean";
  if (std::same_as<Value, int> || std::same_as<Value, unsigned>) return "integer";
  if (std::same_as<Value, std::int64_t> || std::same_as<Value, domain::money>) return "bigint"; // in cents
  if (std::same_as<Value, double>) return "double precision";
  if (std::same_as<Value, domain::decimal>) return "numeric";
  if (std::same_as<Value, domain::uuid>) return "uuid";
  if (std::same_as<Value, domain::date>) return "date";
  if (std::same_as<Value, domain::timestamp>) return "timestamptz";
  return nullptr;
}

template <typename Value>
requires(plain_type<Value>() != nullptr) struct column_format<Value> {
  static constexpr auto type = plain_type<Value>();
  static bool write(std::string& to, const Value& value) { return write_cell(to, value); }
  static bool read(const std::string* text, Value& into) { return text && read_cell(*text, into); }
};

/// A non-owning view of text: write-only.
template <>
struct column_format<std::string_view> {
  static constexpr auto type = "text";
  static bool write(std::string& to, std::string_view text) { return write_cell(to, text); }
};

template <>
struct column_format<domain::boxed_text> {
  static constexpr auto type = "text";
  static bool write(std::string& to, const domain::boxed_text& text) { return write_cell(to, text.view()); }
  static bool read(const std::string* text, domain::boxed_text& into) {
    if (text) into = std::string_view(*text);
    return text;
  }
};

template <typename Value>
struct column_format<std::optional<Value>> {
  using inner = column_format<Value>;
  static constexpr auto type = inner::type;
  static bool write(std::string& to, const std::optional<Value>& value) {
    return value && inner::write(to, *value);
  }
  static bool read(const std::string* text, std::optional<Value>& into) {
    into.reset();
    return !text || inner::read(text, into.emplace());
  }
};

/// The last night of a block; NULL when the block is open-ended.
struct last_night_format {
  static constexpr auto type = column_format<domain::date>::type;
  static bool write(std::string& to, domain::date last) {
    return last < domain::no_end && write_cell(to, last);
  }
  static bool read(const std::string* text, domain::date& into) {
    if (!text) into = domain::no_end;
    return !text || read_cell(*text, into);
  }
};

/// Enumerations are stored by name, as listed in the check constraints of the schema.
template <domain::named_enum Enum>
struct column_format<Enum> {
  static constexpr auto type = "text";
  static bool write(std::string& to, Enum value) { return write_cell(to, domain::to_string(value)); }
  static bool read(const std::string* text, Enum& into) {
    const auto value = text ? domain::parse_name<Enum>(*text) : std::nullopt;
    if (value) into = *value;
    return value.has_value();
  }
};

} // namespace roost::store
