#pragma once

#include "domain/decimal.hpp"
#include "domain/names.hpp"
#include "domain/uuid.hpp"
#include "json/schema.hpp"
#include "json/writer.hpp"

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// Values of simple types: the facts that schemas derive from their types, and how they are written.
namespace roost::json {

/// A member's value that is already JSON.
struct json_text {
  std::string_view json;
};

namespace detail {

template <typename V>
inline constexpr bool is_optional = false;
template <typename V>
inline constexpr bool is_optional<std::optional<V>> = true;

template <typename V>
constexpr facts facts_of() {
  if constexpr (is_optional<V>) {
    auto said = facts_of<typename V::value_type>();
    said.nullable = true;
    return said;
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
    return {.type = "object", .other_members = R"({"type":"string"})"};
  } else {
    static_assert(std::convertible_to<V, std::string_view> || std::same_as<V, plain_text>);
    return {.type = "string"};
  }
}

template <typename V>
void write_value(writer& json, const V& value) {
  if constexpr (domain::named_enum<V>)
    json.value(plain_text{domain::to_string(value)});
  else
    json.value(value);
}

template <std::size_t Size, typename V>
void write_field(writer& json, const char (&name)[Size], const V& value) {
  if constexpr (is_optional<V>) {
    value ? write_field(json, name, *value) : json.null_field(name);
  } else if constexpr (domain::named_enum<V>) {
    json.field(name, plain_text{domain::to_string(value)});
  } else if constexpr (std::same_as<V, domain::uuid>) {
    json.field(name, plain_text{domain::to_string(value)});
  } else if constexpr (std::same_as<V, domain::decimal>) {
    json.key(name);
    json.number(domain::to_string(value));
  } else if constexpr (std::same_as<V, std::nullptr_t>) {
    json.null_field(name);
  } else if constexpr (std::same_as<V, json_text>) {
    json.key(name);
    json.raw(value.json);
  } else if constexpr (std::same_as<V, std::map<std::string, std::string>>) {
    json.key(name);
    json.begin_object();
    for (const auto& [key, text] : value) {
      json.data_key(key);
      json.value(text);
    }
    json.end_object();
  } else {
    json.field(name, value);
  }
}

} // namespace detail

} // namespace roost::json
