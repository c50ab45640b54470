#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// The types and rules of values in descriptions, which schemas show.
namespace roost::json {

/// A schema's statements about a value. All texts are literals.
struct facts {
  std::string_view type = {};      ///< `string`, `number`, …; empty: any
  std::string_view also = {};      ///< a second allowed type
  std::string_view format = {};    ///< `date`, `uuid`, …
  std::string_view pattern = {};   ///< a regular expression
  std::string_view reference = {}; ///< the name of a schema that replaces the type
  std::string_view meaning = {};   ///< the description, in plain English
  bool nullable = false;
  bool required = true;
  bool whole = false; ///< a number without a fraction
  std::optional<std::int64_t> minimum = {}, maximum = {}, exclusive_maximum = {};
  std::optional<std::int64_t> min_length = {}, max_length = {}, max_items = {};
  std::span<const std::string_view> names = {}; ///< the values of an enumeration
  std::string_view constant = {};               ///< JSON of the only value
  std::string_view initial = {};                ///< JSON of the default
  std::string_view examples = {};               ///< JSON of an array
  std::string_view other_members = {};          ///< JSON: the schema of members without fixed names
};

// Rules, which adjust the facts that follow from a value's type.

struct optional_rule {
  constexpr void apply(facts& to) const { to.required = false; }
};
/// A rule: the member may be missing.
inline constexpr optional_rule optional;

struct nullable_rule {
  constexpr void apply(facts& to) const { to.nullable = true; }
};
inline constexpr nullable_rule nullable;

struct present_rule {
  constexpr void apply(facts& to) const { to.nullable = false; }
};
/// A rule: never null, even if the C++ type allows it.
inline constexpr present_rule present;

struct minimum {
  std::int64_t value;
  constexpr void apply(facts& to) const { to.minimum = value; }
};

struct maximum {
  std::int64_t value;
  constexpr void apply(facts& to) const { to.maximum = value; }
};

struct max_items {
  std::int64_t value;
  constexpr void apply(facts& to) const { to.max_items = value; }
};

struct format {
  std::string_view name;
  constexpr void apply(facts& to) const { to.format = name; }
};

/// A rule: one of these texts, which must outlive the description.
struct one_of {
  std::span<const std::string_view> names;
  constexpr void apply(facts& to) const { to.names = names; }
};

/// A rule: always this value, as JSON.
struct constant {
  std::string_view value;
  constexpr void apply(facts& to) const { to.constant = value; }
};

/// A rule: the default of a missing member, as JSON.
struct initially {
  std::string_view value;
  constexpr void apply(facts& to) const { to.initial = value; }
};

/// A rule: example values, as a JSON array.
struct examples {
  std::string_view list;
  constexpr void apply(facts& to) const { to.examples = list; }
};

/// A rule: a JSON type that does not follow from the C++ type.
struct of_type {
  std::string_view name;
  constexpr void apply(facts& to) const { to.type = name; }
};

/// A rule: a named schema describes the value.
struct refers_to {
  std::string_view schema;
  constexpr void apply(facts& to) const { to.reference = schema; }
};

/// A rule: an object whose members have no fixed names, with the schema of their values, as JSON.
struct members_are {
  std::string_view schema;
  constexpr void apply(facts& to) const {
    to.type = "object";
    to.other_members = schema;
  }
};

} // namespace roost::json
