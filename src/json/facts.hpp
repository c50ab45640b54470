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

template <typename Value>
Value type_of_member(Value facts::*);

/// A rule that sets one fact.
template <auto Fact>
struct fact_rule {
  decltype(type_of_member(Fact)) value;
  constexpr void apply(facts& to) const { to.*Fact = value; }
};

using optional_rule = fact_rule<&facts::required>;
/// A rule: the member may be missing.
inline constexpr optional_rule optional{false};
inline constexpr fact_rule<&facts::nullable> nullable{true};
/// A rule: never null, even if the C++ type allows it.
inline constexpr fact_rule<&facts::nullable> present{false};

using minimum = fact_rule<&facts::minimum>;
using maximum = fact_rule<&facts::maximum>;
using max_items = fact_rule<&facts::max_items>;
using format = fact_rule<&facts::format>;
/// A rule: one of these texts, which must outlive the description.
using one_of = fact_rule<&facts::names>;
/// A rule: always this value, as JSON.
using constant = fact_rule<&facts::constant>;
/// A rule: the default of a missing member, as JSON.
using initially = fact_rule<&facts::initial>;
/// A rule: example values, as a JSON array.
using examples = fact_rule<&facts::examples>;
/// A rule: a JSON type that does not follow from the C++ type.
using of_type = fact_rule<&facts::type>;
/// A rule: a named schema describes the value.
using refers_to = fact_rule<&facts::reference>;

/// A rule: an object whose members have no fixed names, with the schema of their values, as JSON.
struct members_are {
  std::string_view schema;
  constexpr void apply(facts& to) const {
    to.type = "object";
    to.other_members = schema;
  }
};

} // namespace roost::json
