#pragma once

#include "domain/money.hpp"
#include "http/json/object_reader.hpp"
#include "json/object.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
};

/// Which texts count as missing.
enum class filled { not_needed, not_empty, not_blank };

/// A text to store: a single line of at most `max_length` characters.
struct line {
  std::size_t max_length;
  filled needed = filled::not_needed;

  constexpr json::facts schema_facts() const {
    json::facts facts{.type = "string", .max_length = static_cast<std::int64_t>(max_length)};
    if (needed != filled::not_needed) facts.min_length = 1;
    return facts;
  }

  std::optional<std::string> read(object_reader& from, std::string_view key, presence expected) const {
    auto text = from.text(key, expected, max_length);
    if (text && is_missing(*text)) from.refuse(std::string{key} + " must be a string");
    return text;
  }

private:
  bool is_missing(std::string_view text) const {
    if (needed == filled::not_empty) return text.empty();
    return needed == filled::not_blank && is_blank(text);
  }
};

/// A text with column rules only. An empty one counts as missing.
struct column_text {
  std::size_t max_length;
  bool is_needed = false;

  constexpr json::facts schema_facts() const {
    json::facts facts{.type = "string",
                      .nullable = !is_needed,
                      .required = is_needed,
                      .max_length = static_cast<std::int64_t>(max_length)};
    if (is_needed) facts.min_length = 1;
    return facts;
  }

  std::optional<std::string> read(object_reader& from, std::string_view key, presence) const {
    auto text = from.column_text(key, max_length);
    if (!text && is_needed) from.refuse_missing(key);
    return text;
  }
};

/// A string, or a number, which is read as text.
struct identifier : simple<std::string, &object_reader::identifier> {
  constexpr json::facts schema_facts() const { return {.type = "string", .also = "number"}; }
};

struct flag : simple<bool, &object_reader::flag> {
  constexpr json::facts schema_facts() const { return {.type = "boolean"}; }
};

struct number {
  constexpr json::facts schema_facts() const { return {.type = "number"}; }
  std::optional<double> read(object_reader& from, std::string_view key, presence expected) const {
    return from.number(key, expected);
  }
};

/// A number, read as text.
struct number_text : simple<std::string, &object_reader::number_text> {
  constexpr json::facts schema_facts() const { return {.type = "number"}; }
};

/// An integer; any other value is refused with a message.
struct whole {
  int min, max;

  constexpr json::facts schema_facts() const { return {.type = "integer", .minimum = min, .maximum = max}; }
  std::optional<int> read(object_reader& from, std::string_view key, presence expected) const {
    const auto number = from.number(key, expected, {.min = min, .max = max, .whole = true});
    return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
  }
};

/// An integer; fractions and large values are column problems.
struct count {
  int min, max = std::numeric_limits<std::int32_t>::max();

  constexpr json::facts schema_facts() const {
    json::facts facts{.type = "integer", .minimum = min};
    if (max != std::numeric_limits<std::int32_t>::max()) facts.maximum = max;
    return facts;
  }
  std::optional<int> read(object_reader& from, std::string_view key, presence expected) const {
    return from.count(key, expected, min, max);
  }
};

/// An amount of money of 0 or more.
struct amount : simple<domain::money, &object_reader::amount> {
  constexpr json::facts schema_facts() const {
    return {.type = "number", .minimum = 0, .exclusive_maximum = domain::amount_limit.cents / 100};
  }
};

struct day : simple<domain::date, &object_reader::day> {
  constexpr json::facts schema_facts() const { return {.type = "string", .format = "date"}; }
};

/// Any value; it is not examined.
struct anything {
  constexpr json::facts schema_facts() const { return {}; }
  std::optional<bool> read(object_reader&, std::string_view, presence) const { return std::nullopt; }
};

} // namespace roost::http::kind

/// Descriptions of request bodies, built with json::object(): read_body() parses by them, and OpenAPI
/// documents include their schemas. Messages are in the order of the fields.
///
///     constexpr auto login = json::object<login_body>("Login", field("email", email{}, &login_body::email,
///     "…"))
///
/// This header is for the .cpp files that hold descriptions.
namespace roost::http {

/// The target of a field that is checked but not kept.
struct ignored_field {};
inline constexpr ignored_field ignored;

namespace detail {

/// Stores a present value in a member, or passes the optional value to a function of the target and the
/// value.
template <typename To, typename T, typename V>
void store(const To& to, T& target, std::optional<V>&& value) {
  if constexpr (std::is_member_object_pointer_v<To>) {
    if (value) target.*to = std::move(*value);
  } else if constexpr (!std::same_as<To, ignored_field>) {
    to(target, std::move(value));
  }
}

template <typename Object>
auto names_in(const Object& object) {
  return object.members.pass_to([](const auto&... each) { return std::array{each.name.view()...}; });
}

template <typename Object>
unknown_keys others_in(const Object& object) {
  return object.others == json::other_members::forbidden ? unknown_keys::refused : unknown_keys::discarded;
}

} // namespace detail

/// Reads the fields of an object into `target`.
template <typename T, typename... Members>
void read_fields(object_reader& from, const json::object_of<T, Members...>& object, T& target) {
  object.members.pass_to([&](const auto&... each) { (each.read(from, target), ...); });
}

/// Reads the body's fields; collects errors in the body's messages and column problems.
template <typename T, typename... Members>
T read_fields(json_body& body, const json::object_of<T, Members...>& object) {
  const auto names = detail::names_in(object);
  object_reader fields{body, names};
  T target{};
  read_fields(fields, object, target);
  return target;
}

/// Reads a body. Throws bad_request with all messages: unknown keys in the order received, then fields in the
/// order of the description.
template <typename T, typename... Members>
T read_body(std::string& text, const json::object_of<T, Members...>& object,
            column_errors reported = column_errors::shared) {
  json_body body{text, reported};
  auto target = read_fields(body, object);
  body.throw_if_any();
  return target;
}

/// A field of a simple kind. `to` is a pointer to a member of the target, a function of the target and the
/// optional value, or `ignored`.
template <std::size_t Size, typename Kind, typename To, typename... Rules>
struct field : json::described<Size, Rules...> {
  constexpr field(const char (&name)[Size], Kind value_kind, To target, std::string_view meaning,
                  Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {{rules}...}}, kind(value_kind), to(target) {}

  template <typename T>
  void read(object_reader& from, T& target) const {
    const bool is_required = this->with_rules(kind.schema_facts()).required;
    detail::store(to, target,
                  kind.read(from, this->name.view(), is_required ? presence::required : presence::optional));
  }

  template <typename T>
  void describe(json::schema& to_object) const {
    this->add_to(to_object, {kind.schema_facts()});
  }

  Kind kind;
  To to;
};

/// The rule by which an object in a body is refused.
struct object_refusal {
  const char* rule;              ///< the message, after the field's name
  bool is_empty_refused = false; ///< refuses an empty object, and a missing one
};

/// A field that is a described object.
template <std::size_t Size, typename Object, typename To, typename... Rules>
struct object_field : json::described<Size, Rules...> {
  constexpr object_field(const char (&name)[Size], const Object& description, To target,
                         object_refusal refused, std::string_view meaning, Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {{rules}...}}, object(&description), to(target),
        refusal(refused) {}

  template <typename T>
  void read(object_reader& from, T& target) const {
    const auto names = detail::names_in(*object);
    std::optional<typename Object::source> part;
    const bool is_object =
        from.object(this->name.view(), names, detail::others_in(*object), [&](object_reader& fields) {
          if (refusal.is_empty_refused && fields.is_empty()) return;
          read_fields(fields, *object, part.emplace());
        });
    if (refusal.is_empty_refused ? !part : !is_object)
      from.refuse(std::string{this->name.view()} + ' ' + refusal.rule);
    detail::store(to, target, std::move(part));
  }

  template <typename T>
  void describe(json::schema& to_object) const {
    this->add_to(to_object, json::reference_or_schema_of(*object));
  }

  const Object* object;
  To to;
  object_refusal refusal;
};

/// A field that is an array of described objects. `add(target, row, reader)` receives each of them and may
/// refuse it through the reader.
template <std::size_t Size, typename Object, typename Add, typename... Rules>
struct rows_field : json::described<Size, Rules...> {
  constexpr rows_field(const char (&name)[Size], const Object& description, Add add_row,
                       std::string_view meaning, Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {{rules}...}}, object(&description), add(add_row) {}

  template <typename T>
  void read(object_reader& from, T& target) const {
    const auto schema_facts = this->with_rules({});
    const auto names = detail::names_in(*object);
    const auto count =
        from.objects(this->name.view(), schema_facts.required ? presence::required : presence::optional,
                     names, detail::others_in(*object), [&](object_reader& fields) {
                       typename Object::source row{};
                       read_fields(fields, *object, row);
                       if constexpr (!std::same_as<Add, ignored_field>) add(target, std::move(row), fields);
                     });
    if (schema_facts.max_items && count > static_cast<std::size_t>(*schema_facts.max_items))
      from.refuse(std::string{this->name.view()} + " must contain no more than " +
                  std::to_string(*schema_facts.max_items) + " elements");
  }

  template <typename T>
  void describe(json::schema& to_object) const {
    this->add_to(to_object, json::array_of(json::reference_or_schema_of(*object)));
  }

  const Object* object;
  Add add;
};

} // namespace roost::http
