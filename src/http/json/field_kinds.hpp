#pragma once

#include "domain/money.hpp"
#include "http/json/object_reader.hpp"
#include "json/schema.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// The kinds of fields in bodies. Each supplies its part of the schema and reads a field with the messages
/// that clients know. Routes may define further kinds.
namespace roost::http::kind {

/// A kind that a function of object_reader reads.
template <typename Value, std::optional<Value> (object_reader::*Read)(std::string_view, presence)>
struct simple {
  std::optional<Value> read(object_reader& from, std::string_view key, presence expected) const {
    return (from.*Read)(key, expected);
  }
};

struct text : simple<std::string, &object_reader::text> {
  constexpr json::facts said() const { return {.type = "string"}; }
};

/// Which texts count as missing.
enum class filled { not_needed, not_empty, not_blank };

/// A text to store: a single line of at most `longest` characters.
struct line {
  std::size_t longest;
  filled needed = filled::not_needed;

  constexpr json::facts said() const {
    json::facts facts{.type = "string", .max_length = static_cast<std::int64_t>(longest)};
    if (needed != filled::not_needed) facts.min_length = 1;
    return facts;
  }

  std::optional<std::string> read(object_reader& from, std::string_view key, presence expected) const {
    auto text = from.text(key, expected, longest);
    if (text && is_missing(*text)) from.refuse(std::string{key} + " must be a string");
    return text;
  }

private:
  bool is_missing(std::string_view text) const {
    if (needed == filled::not_empty) return text.empty();
    return needed == filled::not_blank && text.find_first_not_of(' ') == std::string_view::npos;
  }
};

/// A text with column rules only. An empty one counts as missing.
struct column_text {
  std::size_t longest;
  bool is_needed = false;

  constexpr json::facts said() const {
    json::facts facts{.type = "string",
                      .nullable = !is_needed,
                      .required = is_needed,
                      .max_length = static_cast<std::int64_t>(longest)};
    if (is_needed) facts.min_length = 1;
    return facts;
  }

  std::optional<std::string> read(object_reader& from, std::string_view key, presence) const {
    auto text = from.column_text(key, longest);
    if (!text && is_needed) from.columns().missing();
    return text;
  }
};

/// A string, or a number, which is read as text.
struct identifier : simple<std::string, &object_reader::identifier> {
  constexpr json::facts said() const { return {.type = "string", .also = "number"}; }
};

struct flag : simple<bool, &object_reader::flag> {
  constexpr json::facts said() const { return {.type = "boolean"}; }
};

struct number {
  constexpr json::facts said() const { return {.type = "number"}; }
  std::optional<double> read(object_reader& from, std::string_view key, presence expected) const {
    return from.number(key, expected);
  }
};

/// A number, read as text.
struct number_text : simple<std::string, &object_reader::number_text> {
  constexpr json::facts said() const { return {.type = "number"}; }
};

/// An integer; any other value is refused with a message.
struct whole {
  int least, greatest;

  constexpr json::facts said() const { return {.type = "integer", .minimum = least, .maximum = greatest}; }
  std::optional<int> read(object_reader& from, std::string_view key, presence expected) const {
    const auto number = from.number(key, expected, {.least = least, .greatest = greatest, .whole = true});
    return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
  }
};

/// An integer; fractions and large values are column problems.
struct count {
  int least, greatest = std::numeric_limits<std::int32_t>::max();

  constexpr json::facts said() const {
    json::facts facts{.type = "integer", .minimum = least};
    if (greatest != std::numeric_limits<std::int32_t>::max()) facts.maximum = greatest;
    return facts;
  }
  std::optional<int> read(object_reader& from, std::string_view key, presence expected) const {
    return from.count(key, expected, least, greatest);
  }
};

/// An amount of money of 0 or more.
struct amount : simple<domain::money, &object_reader::amount> {
  constexpr json::facts said() const {
    return {.type = "number", .minimum = 0, .exclusive_maximum = domain::amount_limit.cents / 100};
  }
};

struct day : simple<domain::date, &object_reader::day> {
  constexpr json::facts said() const { return {.type = "string", .format = "date"}; }
};

/// Any value; it is not examined.
struct anything {
  constexpr json::facts said() const { return {}; }
  std::optional<bool> read(object_reader&, std::string_view, presence) const { return std::nullopt; }
};

} // namespace roost::http::kind
