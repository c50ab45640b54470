#pragma once

#include "domain/text.hpp"
#include "store/database/cell.hpp"

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

/// The format of types with write_cell() and read_cell().
template <typename Value>
struct plain_format {
  static bool write(std::string& to, const Value& value) { return write_cell(to, value); }
  static bool read(const std::string* text, Value& into) { return text && read_cell(*text, into); }
};

template <>
struct column_format<std::string> : plain_format<std::string> {
  static constexpr auto type = "text";
};
template <>
struct column_format<bool> : plain_format<bool> {
  static constexpr auto type = "boolean";
};
template <>
struct column_format<int> : plain_format<int> {
  static constexpr auto type = "integer";
};
template <>
struct column_format<unsigned> : plain_format<unsigned> {
  static constexpr auto type = "integer";
};
template <>
struct column_format<std::int64_t> : plain_format<std::int64_t> {
  static constexpr auto type = "bigint";
};
template <>
struct column_format<double> : plain_format<double> {
  static constexpr auto type = "double precision";
};
template <>
struct column_format<domain::money> : plain_format<domain::money> { // in cents
  static constexpr auto type = "bigint";
};
template <>
struct column_format<domain::decimal> : plain_format<domain::decimal> {
  static constexpr auto type = "numeric";
};
template <>
struct column_format<domain::uuid> : plain_format<domain::uuid> {
  static constexpr auto type = "uuid";
};
template <>
struct column_format<domain::date> : plain_format<domain::date> {
  static constexpr auto type = "date";
};
template <>
struct column_format<domain::timestamp> : plain_format<domain::timestamp> {
  static constexpr auto type = "timestamptz";
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

/// The format of an enumeration whose values are stored as words. `Parse` throws failure for unknown words.
template <typename Enum, std::string_view (*Word)(Enum), Enum (*Parse)(std::string_view)>
struct enum_format {
  static constexpr auto type = "text";
  static bool write(std::string& to, Enum value) { return write_cell(to, Word(value)); }
  static bool read(const std::string* text, Enum& into) {
    if (text) into = Parse(*text);
    return text;
  }
};

} // namespace roost::store
