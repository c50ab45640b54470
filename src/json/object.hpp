#pragma once

#include "domain/pack.hpp"
#include "json/schema.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Descriptions of JSON objects. A description states each member of an object once: its name, the source of
/// its value, its meaning and its rules. write() and schema_of() interpret it; http/json/body.hpp has
/// descriptions of request bodies.
///
///     constexpr auto tier = object<admin_fee_tier>(
///         "", member("fromDays", &admin_fee_tier::from_days, "Shortest stay of this tier in days",
///         minimum{1}), member("value", &admin_fee_tier::value, "The fee, in the currency of the account"));
///
/// This header is for .cpp files that hold descriptions; other files include what those export.
namespace roost::json {

/// A literal that is part of a description.
template <std::size_t Size>
struct literal {
  // NOLINTNEXTLINE(google-explicit-constructor): literals convert implicitly
  constexpr literal(const char (&from)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, Size - 1}; }

  char text[Size] = {};
};

/// A rule: the member is written only if `condition(source)` is true; otherwise it is missing.
template <typename Condition>
struct only_where {
  Condition condition;
  constexpr void apply(facts& to) const { to.required = false; }
};
template <typename Condition>
only_where(Condition) -> only_where<Condition>; // clang 14 deduces nothing for aggregates

template <typename T, typename... Members>
struct object_of;

/// Returns the schema of an object where it is used: a reference if it has a name.
template <typename Object>
schema reference_or_schema_of(const Object& object) {
  if (object.name.empty()) return schema_of(object);
  return {{.reference = object.name}};
}

/// Returns the schema of an array of these elements.
inline schema array_of(schema element) {
  schema all{{.type = "array"}};
  all.items.push_back(std::move(element));
  return all;
}

/// Writes the object that `object` describes.
template <typename T, typename... Members>
void write(writer& json, const object_of<T, Members...>& object, const T& from) {
  json.begin_object();
  write_members(json, object, from);
  json.end_object();
}

/// A path to a member's value. Each step is a pointer to a member, or a function, applied to the previous
/// step's result. All steps except the last must return references.
template <typename... Steps>
struct via {
  constexpr explicit via(Steps... all) : steps{{all}...} {}

  template <typename T>
  constexpr decltype(auto) operator()(T& from) const {
    return steps.pass_to([&](const auto&... each) -> decltype(auto) { return follow(from, each...); });
  }

  domain::pack<Steps...> steps;

private:
  template <typename T, typename First, typename... Rest>
  static constexpr decltype(auto) follow(T& from, const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) {
      return std::invoke(first, from);
    } else {
      static_assert(std::is_lvalue_reference_v<std::invoke_result_t<const First&, T&>>);
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

/// The common part of all members: a name, a meaning and rules.
template <std::size_t Size, typename... Rules>
struct described {
  literal<Size> name;
  std::string_view meaning;
  domain::pack<Rules...> rules;

  /// Adds the meaning and the rules to the facts of a type.
  constexpr facts with_rules(facts schema_facts) const {
    schema_facts.meaning = meaning;
    rules.pass_to([&](const auto&... rule) { (rule.apply(schema_facts), ...); });
    return schema_facts;
  }

  /// Adds the member to the schema of its object.
  void add_to(schema& object, schema member_schema) const {
    member_schema.schema_facts = with_rules(member_schema.schema_facts);
    member_schema.member = name.view();
    object.members.push_back(std::move(member_schema));
  }

  /// Returns whether all rules allow the member to be written.
  template <typename T>
  constexpr bool is_written(const T& from) const {
    const auto allows = [&](const auto& rule) {
      if constexpr (requires { rule.condition; }) return rule.condition(from);
      return true;
    };
    return rules.pass_to([&](const auto&... rule) { return (allows(rule) && ...); });
  }
};

/// Describes a member of a simple type. `get` is a pointer to a member, or a function of the source.
template <std::size_t Size, typename Get, typename... Rules>
struct member : described<Size, Rules...> {
  constexpr member(const char (&name)[Size], Get from, std::string_view meaning, Rules... rules)
      : described<Size, Rules...>{name, meaning, {{rules}...}}, get(from) {}

  template <typename T>
  void write(writer& json, const T& from) const {
    if (this->is_written(from)) json.field(this->name.text, std::invoke(get, from));
  }

  template <typename T>
  void describe(schema& to) const {
    this->add_to(to, {detail::facts_of<std::remove_cvref_t<std::invoke_result_t<const Get&, const T&>>>()});
  }

  Get get;
};

template <std::size_t Size, typename Value, typename Visit, typename... Rules>
struct values_member : described<Size, Rules...> {
  Visit visit;

  template <typename T>
  void write(writer& json, const T& from) const {
    if (!this->is_written(from)) return;
    json.key(this->name.text);
    json.begin_array();
    detail::for_each(visit, from, [&](const Value& each) { json.value(each); });
    json.end_array();
  }

  template <typename T>
  void describe(schema& to) const {
    auto item = this->with_rules(detail::facts_of<Value>());
    item.meaning = {};
    auto all = array_of({item});
    all.schema_facts.meaning = this->meaning;
    all.schema_facts.required = item.required;
    all.member = this->name.view();
    to.members.push_back(std::move(all));
  }
};

/// Describes an array of values of a simple type, to which the rules apply. `visit` returns a range, or calls
/// its second argument with each value.
template <typename Value, std::size_t Size, typename Visit, typename... Rules>
constexpr auto values(const char (&name)[Size], Visit visit, std::string_view meaning, Rules... rules) {
  return values_member<Size, Value, Visit, Rules...>{{name, meaning, {{rules}...}}, visit};
}

/// Describes a member that is a described object. `get` returns its source, or an optional or pointer to it
/// if the member may be null.
template <std::size_t Size, typename Get, typename Object, typename... Rules>
struct part : described<Size, Rules...> {
  constexpr part(const char (&name)[Size], Get from, const Object& description, std::string_view meaning,
                 Rules... rules)
      : described<Size, Rules...>{name, meaning, {{rules}...}}, get(from), object(&description) {}

  template <typename T>
  void write(writer& json, const T& from) const {
    if (!this->is_written(from)) return;
    decltype(auto) source = std::invoke(get, from);
    if constexpr (requires { *source; }) {
      if (!source) return json.null_field(this->name.text);
      json.key(this->name.text);
      json::write(json, *object, *source);
    } else {
      json.key(this->name.text);
      json::write(json, *object, source);
    }
  }

  template <typename T>
  void describe(schema& to) const {
    using source = std::invoke_result_t<const Get&, const T&>;
    auto member_schema = reference_or_schema_of(*object);
    member_schema.schema_facts.nullable = requires(source value) { *value; }
    &&!(detail::condition<Rules> || ...);
    this->add_to(to, std::move(member_schema));
  }

  Get get;
  const Object* object;
};

/// Describes an array of described objects. `visit` returns a range of their sources, or calls its second
/// argument with each source.
template <std::size_t Size, typename Visit, typename Object, typename... Rules>
struct list : described<Size, Rules...> {
  constexpr list(const char (&name)[Size], Visit each, const Object& description, std::string_view meaning,
                 Rules... rules)
      : described<Size, Rules...>{name, meaning, {{rules}...}}, visit(each), object(&description) {}

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
    this->add_to(to, array_of(reference_or_schema_of(*object)));
  }

  Visit visit;
  const Object* object;
};

/// Describes a member whose value is written by `write(json, source)`; its type follows only from the rules.
template <std::size_t Size, typename Write, typename... Rules>
struct written : described<Size, Rules...> {
  constexpr written(const char (&name)[Size], Write write, std::string_view meaning, Rules... rules)
      : described<Size, Rules...>{name, meaning, {{rules}...}}, write_to(write) {}

  template <typename T>
  void write(writer& json, const T& from) const {
    json.key(this->name.text);
    write_to(json, from);
  }

  template <typename T>
  void describe(schema& to) const {
    this->add_to(to, {});
  }

  Write write_to;
};

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

/// Includes the members of another described object in this one.
template <typename Get, typename Object>
constexpr auto included(Get get, const Object& object) {
  return included_members<Get, Object>{get, &object};
}

/// The description of an object whose source is a T.
template <typename T, typename... Members>
struct object_of {
  using source = T;

  std::string_view name; ///< the schema's name; empty: described inline
  domain::pack<Members...> members;
  std::string_view meaning = {};
  other_members others = other_members::unspecified;
  std::string_view shown[2] = {}; ///< examples, as JSON

  constexpr object_of means(std::string_view text) const {
    auto copy = *this;
    copy.meaning = text;
    return copy;
  }
  /// Returns a copy whose schema forbids other members.
  constexpr object_of closed() const {
    auto copy = *this;
    copy.others = other_members::forbidden;
    return copy;
  }
  /// Returns a copy whose schema allows other members, which are ignored.
  constexpr object_of open() const {
    auto copy = *this;
    copy.others = other_members::ignored;
    return copy;
  }
  /// Returns a copy with another example, as JSON; at most two are kept.
  constexpr object_of example(std::string_view json) const {
    auto copy = *this;
    copy.shown[copy.shown[0].empty() ? 0 : 1] = json;
    return copy;
  }

  void describe_members(schema& to) const {
    members.pass_to([&](const auto&... each) { (each.template describe<T>(to), ...); });
  }
};

/// Describes an object whose source is a T. `name` is the name of its schema in documents; an object without
/// one is described inline where it is used.
template <typename T, typename... Members>
constexpr auto object(std::string_view name, Members... members) {
  return object_of<T, Members...>{name, {{members}...}};
}

template <typename T, typename... Members>
schema schema_of(const object_of<T, Members...>& object) {
  schema result{{.type = "object", .meaning = object.meaning}};
  object.describe_members(result);
  result.others = object.others;
  for (const auto example : object.shown)
    if (!example.empty()) result.examples.push_back(example);
  return result;
}

template <typename T, typename... Members>
void write_members(writer& json, const object_of<T, Members...>& object, const T& from) {
  object.members.pass_to([&](const auto&... each) { (each.write(json, from), ...); });
}

/// Returns the text of the object that `object` describes.
template <typename T, typename... Members>
std::string text_of(const object_of<T, Members...>& object, const T& from) {
  writer json;
  write(json, object, from);
  return std::string{json.text()};
}

} // namespace roost::json
