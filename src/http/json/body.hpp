#pragma once

#include "http/json/field_kinds.hpp"
#include "json/object.hpp"

#include <array>
#include <type_traits>
#include <utility>

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
  return std::apply([](const auto&... each) { return std::array{each.name.view()...}; }, object.members);
}

template <typename Object>
unknown_keys others_in(const Object& object) {
  return object.others == json::other_members::refused ? unknown_keys::refused : unknown_keys::discarded;
}

} // namespace detail

/// Reads the fields of an object into `target`.
template <typename T, typename... Members>
void read_fields(object_reader& from, const json::object_of<T, Members...>& object, T& target) {
  std::apply([&](const auto&... each) { (each.read(from, target), ...); }, object.members);
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
T read_body(std::string& text, const json::object_of<T, Members...>& object) {
  json_body body{text};
  auto target = read_fields(body, object);
  body.throw_if_any();
  return target;
}

/// A field of a simple kind. `to` is a pointer to a member of the target, a function of the target and the
/// optional value, or `ignored`.
template <std::size_t Size, typename Kind, typename To, typename... Rules>
struct field : json::described<Size, Rules...> {
  constexpr field(const char (&name)[Size], Kind of, To target, std::string_view meaning, Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {rules...}}, kind(of), to(target) {}

  template <typename T>
  void read(object_reader& from, T& target) const {
    const bool is_required = this->with_rules(kind.said()).required;
    detail::store(to, target,
                  kind.read(from, this->name.view(), is_required ? presence::required : presence::optional));
  }

  template <typename T>
  void describe(json::schema& to_object) const {
    this->add_to(to_object, {kind.said()});
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
  constexpr object_field(const char (&name)[Size], const Object& of, To target, object_refusal refused,
                         std::string_view meaning, Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {rules...}}, object(&of), to(target),
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
  constexpr rows_field(const char (&name)[Size], const Object& of, Add add_row, std::string_view meaning,
                       Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {rules...}}, object(&of), add(add_row) {}

  template <typename T>
  void read(object_reader& from, T& target) const {
    const auto said = this->with_rules({});
    const auto names = detail::names_in(*object);
    const auto count =
        from.objects(this->name.view(), said.required ? presence::required : presence::optional, names,
                     detail::others_in(*object), [&](object_reader& fields) {
                       typename Object::source row{};
                       read_fields(fields, *object, row);
                       if constexpr (!std::same_as<Add, ignored_field>) add(target, std::move(row), fields);
                     });
    if (said.max_items && count > static_cast<std::size_t>(*said.max_items))
      from.refuse(std::string{this->name.view()} + " must contain no more than " +
                  std::to_string(*said.max_items) + " elements");
  }

  template <typename T>
  void describe(json::schema& to_object) const {
    this->add_to(to_object, json::array_of(json::reference_or_schema_of(*object)));
  }

  const Object* object;
  Add add;
};

} // namespace roost::http
