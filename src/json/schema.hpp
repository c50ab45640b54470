#pragma once

#include "json/writer.hpp"

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The types and rules of values in descriptions, and the OpenAPI schemas (JSON Schema 2020-12) that they
/// give.
namespace roost::json {

/// For facts::other_members: all of them are texts.
inline constexpr std::string_view texts_only = R"({"type":"string"})";

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
  bool read_only = false;
  std::optional<std::int64_t> minimum = {}, maximum = {}, exclusive_maximum = {};
  std::optional<std::int64_t> min_length = {}, max_length = {}, max_items = {};
  std::span<const std::string_view> names = {}; ///< the values of an enumeration
  std::string_view constant = {};               ///< JSON of the only value
  std::string_view initial = {};                ///< JSON of the default
  std::string_view examples = {};               ///< JSON of an array
  std::string_view other_members = {};          ///< JSON: the schema of members without fixed names
};

namespace detail {

/// Returns the facts that follow from the type of a simple value.
template <typename V>
constexpr facts facts_of() {
  if constexpr (is_optional<V>) {
    auto schema_facts = facts_of<typename V::value_type>();
    schema_facts.nullable = true;
    return schema_facts;
  } else if constexpr (domain::named_enum<V>) {
    return {.type = "string", .names = names_of(V{})};
  } else if constexpr (std::same_as<V, bool>) {
    return {.type = "boolean"};
  } else if constexpr (std::integral<V>) {
    return {.type = "integer"};
  } else if constexpr (std::floating_point<V> || std::same_as<V, domain::money> ||
                       std::same_as<V, domain::decimal>) {
    return {.type = "number"};
  } else if constexpr (std::same_as<V, domain::date>) {
    return {.type = "string", .format = "date"};
  } else if constexpr (std::same_as<V, domain::timestamp>) {
    return {.type = "string", .format = "date-time"};
  } else if constexpr (std::same_as<V, domain::uuid>) {
    return {.type = "string", .format = "uuid"};
  } else if constexpr (std::same_as<V, std::nullptr_t>) {
    return {.type = "null"};
  } else if constexpr (std::same_as<V, json_text>) {
    return {}; // the type follows from the rules
  } else if constexpr (std::same_as<V, std::map<std::string, std::string>>) {
    return {.type = "object", .other_members = texts_only};
  } else {
    static_assert(std::convertible_to<V, std::string_view> || std::same_as<V, plain_text>);
    return {.type = "string"};
  }
}

} // namespace detail

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

/// Whether an object may have members that its description does not name.
enum class other_members { unspecified, forbidden, ignored };

/// The schema of a value and of its nested values.
struct schema {
  facts schema_facts;
  std::string_view member = {};             ///< the member's name in its object
  std::vector<schema> members = {};         ///< the members of an object, in order
  std::vector<schema> items = {};           ///< an array: one schema; otherwise empty
  std::vector<schema> alternatives = {};    ///< exactly one of them describes the value
  std::vector<std::string_view> bases = {}; ///< schemas whose members the object includes
  other_members others = other_members::unspecified;
  std::vector<std::string_view> examples = {}; ///< JSON
};

/// Schemas by name, to be served as part of an OpenAPI document.
class schemas {
public:
  void add(std::string_view name, const schema& schema);

  /// Adds the schema of a described object (object.hpp), under its name.
  template <typename Object>
  void add(const Object& object) {
    add(object.name, schema_of(object));
  }

  /// Returns the JSON object of all schemas.
  std::string text() const { return '{' + text_ + '}'; }

private:
  std::string text_;
};

} // namespace roost::json
