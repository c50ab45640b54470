#pragma once

#include "json/schema.hpp"
#include "json/writer.hpp"

#include <concepts>
#include <map>
#include <string>
#include <string_view>

/// The facts that schemas derive from the types of simple values.
namespace roost::json {

namespace detail {

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

} // namespace roost::json
