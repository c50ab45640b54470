#pragma once

#include "domain/text.hpp"
#include "store/database/cell.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace roost::store {

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
struct column_format<domain::rare_text> {
  static constexpr auto type = "text";
  static bool write(std::string& to, const domain::rare_text& text) { return write_cell(to, text.view()); }
  static bool read(const std::string* text, domain::rare_text& into) {
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

/// The format of an enumeration whose values are stored as words. Its enumerators count from 0 to `Last`.
template <auto Last, std::string_view (*Word)(decltype(Last))>
struct enum_format {
  using value = decltype(Last);
  static constexpr auto type = "text";
  static bool write(std::string& to, value from) { return write_cell(to, Word(from)); }
  static bool read(const std::string* text, value& into) {
    for (int i = 0; text && i <= static_cast<int>(Last); ++i) {
      into = static_cast<value>(i);
      if (Word(into) == *text) return true;
    }
    return false;
  }
};

} // namespace roost::store
