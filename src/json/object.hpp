#pragma once

#include "json/schema.hpp"
#include "json/values.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Descriptions of JSON objects. A description names each member of an object once, with where its value
/// comes from, what it means and which rules it keeps. write() and schema_of() interpret it;
/// http/json/body.hpp reads by one.
///
///     constexpr auto tier = object<admin_fee_tier>(
///         "", member("fromDays", &admin_fee_tier::from_days, "Shortest stay of this tier in days",
///         minimum{1}), member("value", &admin_fee_tier::value, "The fee, in the currency of the account"));
///
/// This header is for the .cpp files that hold descriptions: others include what those export.
namespace roost::json {

/// A literal that is part of a description.
template <std::size_t Size>
struct literal {
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the literal
  constexpr literal(const char (&from)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, Size - 1}; }

  char text[Size] = {};
};

/// A rule: the member is written only where `condition(source)` is true, and may be missing.
template <typename Condition>
struct only_where {
  Condition condition;
  constexpr void apply(facts& to) const { to.required = false; }
};
template <typename Condition>
only_where(Condition) -> only_where<Condition>; // clang 14 deduces nothing for aggregates

template <typename T, typename... Members>
struct object_of;

template <typename T, typename... Members>
schema schema_of(const object_of<T, Members...>& object);

/// Returns the schema of an object where it is used: a reference if it has a name.
template <typename Object>
schema reference_or_schema_of(const Object& object) {
  if (object.name.empty()) return schema_of(object);
  return {{.reference = object.name}};
}

template <typename T, typename... Members>
void write_members(writer& json, const object_of<T, Members...>& object, const T& from);

/// Writes the object that `object` describes.
template <typename T, typename... Members>
void write(writer& json, const object_of<T, Members...>& object, const T& from) {
  json.begin_object();
  write_members(json, object, from);
  json.end_object();
}

/// A way to a member's value: each step is a pointer to a member or a function of what the step before it
/// returned. All but the last return references.
template <typename... Steps>
struct via {
  constexpr explicit via(Steps... all) : steps{all...} {}

  template <typename T>
  constexpr decltype(auto) operator()(const T& from) const {
    return std::apply([&](const auto&... each) -> decltype(auto) { return follow(from, each...); }, steps);
  }

  std::tuple<Steps...> steps;

private:
  template <typename T, typename First, typename... Rest>
  static constexpr decltype(auto) follow(const T& from, const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) {
      return std::invoke(first, from);
    } else {
      static_assert(std::is_lvalue_reference_v<std::invoke_result_t<const First&, const T&>>);
      return follow(std::invoke(first, from), rest...);
    }
  }
};

namespace detail {

template <typename Rule>
concept condition = requires(const Rule& rule) {
  rule.condition;
};

/// Calls `visit(from, yield)`, or yields each value of the range that `visit(from)` returns.
template <typename Visit, typename T, typename Yield>
void for_each(const Visit& visit, const T& from, Yield yield) {
  if constexpr (std::invocable<const Visit&, const T&, Yield&>)
    visit(from, yield);
  else
    for (const auto& each : std::invoke(visit, from)) yield(each);
}

} // namespace detail

/// What all members have: a name, a meaning, and rules.
template <std::size_t Size, typename... Rules>
struct described {
  literal<Size> name;
  std::string_view meaning;
  std::tuple<Rules...> rules;

  /// Adds the meaning and the rules to what a type says.
  constexpr facts with_rules(facts said) const {
    said.meaning = meaning;
    std::apply([&](const auto&... rule) { (rule.apply(said), ...); }, rules);
    return said;
  }

  /// Whether no rule leaves the member out.
  template <typename T>
  constexpr bool is_written(const T& from) const {
    return std::apply([&](const auto&... rule) { return (allows(rule, from) && ...); }, rules);
  }

private:
  template <typename Rule, typename T>
  static constexpr bool allows(const Rule& rule, const T& from) {
    if constexpr (detail::condition<Rule>)
      return rule.condition(from);
    else
      return true;
  }
};

template <std::size_t Size, typename Get, typename... Rules>
struct value_member : described<Size, Rules...> {
  Get get;

  template <typename T>
  void write(writer& json, const T& from) const {
    if (this->is_written(from)) detail::write_field(json, this->name.text, std::invoke(get, from));
  }

  template <typename T>
  void describe(schema& to) const {
    using value = std::remove_cvref_t<std::invoke_result_t<const Get&, const T&>>;
    to.members.push_back({this->with_rules(detail::facts_of<value>()), this->name.view()});
  }
};

/// A member of a simple type. `get` is a pointer to a member, or a function of the source.
template <std::size_t Size, typename Get, typename... Rules>
constexpr auto member(const char (&name)[Size], Get get, std::string_view meaning, Rules... rules) {
  return value_member<Size, Get, Rules...>{{name, meaning, {rules...}}, get};
}

template <std::size_t Size, typename Value, typename Visit, typename... Rules>
struct values_member : described<Size, Rules...> {
  Visit visit;

  template <typename T>
  void write(writer& json, const T& from) const {
    if (!this->is_written(from)) return;
    json.key(this->name.text);
    json.begin_array();
    detail::for_each(visit, from, [&](const Value& each) { detail::write_value(json, each); });
    json.end_array();
  }

  template <typename T>
  void describe(schema& to) const {
    schema all{{.type = "array", .meaning = this->meaning}, this->name.view()};
    auto item = this->with_rules(detail::facts_of<Value>());
    item.meaning = {};
    all.items.push_back({item});
    to.members.push_back(std::move(all));
  }
};

/// An array of values of a simple type, to which the rules apply. `visit` returns a range, or calls its
/// second argument with each value.
template <typename Value, std::size_t Size, typename Visit, typename... Rules>
constexpr auto values(const char (&name)[Size], Visit visit, std::string_view meaning, Rules... rules) {
  return values_member<Size, Value, Visit, Rules...>{{name, meaning, {rules...}}, visit};
}

template <std::size_t Size, typename Get, typename Object, typename... Rules>
struct object_member : described<Size, Rules...> {
  Get get;
  const Object* object;

  template <typename T>
  void write(writer& json, const T& from) const {
    if (!this->is_written(from)) return;
    decltype(auto) part = std::invoke(get, from);
    if constexpr (requires { *part; }) {
      if (!part) return json.null_field(this->name.text);
      write_named(json, *part);
    } else {
      write_named(json, part);
    }
  }

  template <typename T>
  void describe(schema& to) const {
    using part = std::invoke_result_t<const Get&, const T&>;
    auto made = reference_or_schema_of(*object);
    made.said.nullable = requires(part p) { *p; }
    &&!(detail::condition<Rules> || ...);
    made.said = this->with_rules(made.said);
    made.member = this->name.view();
    to.members.push_back(std::move(made));
  }

private:
  template <typename Part>
  void write_named(writer& json, const Part& part) const {
    json.key(this->name.text);
    json::write(json, *object, part);
  }
};

/// A member that is a described object. `get` returns its source, by an optional or a pointer where it may be
/// null.
template <std::size_t Size, typename Get, typename Object, typename... Rules>
constexpr auto part(const char (&name)[Size], Get get, const Object& object, std::string_view meaning,
                    Rules... rules) {
  return object_member<Size, Get, Object, Rules...>{{name, meaning, {rules...}}, get, &object};
}

template <std::size_t Size, typename Visit, typename Object, typename... Rules>
struct list_member : described<Size, Rules...> {
  Visit visit;
  const Object* object;

  template <typename T>
  void write(writer& json, const T& from) const {
    if (!this->is_written(from)) return;
    json.key(this->name.text);
    json.begin_array();
    detail::for_each(visit, from,
                     [&](const typename Object::source& each) { json::write(json, *object, each); });
    json.end_array();
  }

  template <typename T>
  void describe(schema& to) const {
    schema all{this->with_rules({.type = "array"}), this->name.view()};
    all.items.push_back(reference_or_schema_of(*object));
    to.members.push_back(std::move(all));
  }
};

/// An array of described objects. `visit` returns a range of their sources, or calls its second argument with
/// each.
template <std::size_t Size, typename Visit, typename Object, typename... Rules>
constexpr auto list(const char (&name)[Size], Visit visit, const Object& object, std::string_view meaning,
                    Rules... rules) {
  return list_member<Size, Visit, Object, Rules...>{{name, meaning, {rules...}}, visit, &object};
}

template <std::size_t Size, typename Write, typename... Rules>
struct written_member : described<Size, Rules...> {
  Write write_to;

  template <typename T>
  void write(writer& json, const T& from) const {
    json.key(this->name.text);
    write_to(json, from);
  }

  template <typename T>
  void describe(schema& to) const {
    to.members.push_back({this->with_rules({}), this->name.view()});
  }
};

/// A member whose value `write(json, source)` writes; the rules say what it is.
template <std::size_t Size, typename Write, typename... Rules>
constexpr auto written(const char (&name)[Size], Write write, std::string_view meaning, Rules... rules) {
  return written_member<Size, Write, Rules...>{{name, meaning, {rules...}}, write};
}

template <typename Get, typename Object>
struct included_members {
  Get get;
  const Object* object;

  template <typename T>
  void write(writer& json, const T& from) const {
    write_members(json, *object, std::invoke(get, from));
  }

  template <typename T>
  void describe(schema& to) const {
    if (!object->name.empty())
      to.bases.push_back(object->name);
    else
      object->describe_members(to);
  }
};

/// The members of another described object, as members of this one.
template <typename Get, typename Object>
constexpr auto included(Get get, const Object& object) {
  return included_members<Get, Object>{get, &object};
}

/// The description of an object that is made from a T.
template <typename T, typename... Members>
struct object_of {
  using source = T;

  std::string_view name; ///< of its schema; empty: it is part of others only
  std::tuple<Members...> members;
  std::string_view meaning = {};
  other_members others = other_members::unsaid;
  std::string_view shown[2] = {}; ///< examples, as JSON

  constexpr object_of means(std::string_view text) const {
    auto made = *this;
    made.meaning = text;
    return made;
  }
  /// Other members are refused.
  constexpr object_of closed() const {
    auto made = *this;
    made.others = other_members::refused;
    return made;
  }
  /// Other members are taken, and mean nothing.
  constexpr object_of open() const {
    auto made = *this;
    made.others = other_members::taken;
    return made;
  }
  /// Adds an example, as JSON; there can be two.
  constexpr object_of example(std::string_view json) const {
    auto made = *this;
    made.shown[made.shown[0].empty() ? 0 : 1] = json;
    return made;
  }

  void describe_members(schema& to) const {
    std::apply([&](const auto&... each) { (each.template describe<T>(to), ...); }, members);
  }
};

/// Describes an object made from a T. `name` is that of its schema in documents; an object without one is
/// described where it is used.
template <typename T, typename... Members>
constexpr auto object(std::string_view name, Members... members) {
  return object_of<T, Members...>{name, {members...}};
}

template <typename T, typename... Members>
schema schema_of(const object_of<T, Members...>& object) {
  schema made{{.type = "object", .meaning = object.meaning}};
  object.describe_members(made);
  made.others = object.others;
  for (const auto example : object.shown)
    if (!example.empty()) made.examples.push_back(example);
  return made;
}

template <typename T, typename... Members>
void write_members(writer& json, const object_of<T, Members...>& object, const T& from) {
  std::apply([&](const auto&... each) { (each.write(json, from), ...); }, object.members);
}

/// Returns the text of the object that `object` describes.
template <typename T, typename... Members>
std::string text_of(const object_of<T, Members...>& object, const T& from) {
  writer json;
  write(json, object, from);
  return std::string{json.text()};
}

} // namespace roost::json
