#pragma once

#include "json/object.hpp"
#include "portfolio/reader.hpp"
#include "portfolio/values.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Descriptions of the objects of portfolio files, in the terms of json/object.hpp. A description names each
/// member once, in the order of docs/portfolio.md, with its kind of value, its place in memory, its meaning
/// and its rules. Reading, writing and differences() interpret it, and schema_of() can.
///
/// A member with the rule `json::optional` may be missing: it then has the value that a new T has, and a
/// member that has this value is left out of files that are written.
///
///     constexpr auto tier_object = record<admin_fee_tier>(
///         field("fromDays", kind::whole{1, 36'500}, &admin_fee_tier::from_days, "…"),
///         field("value", kind::amount, &admin_fee_tier::value, "…"));
namespace roost::portfolio {

using json::only_where, json::optional, json::via;

/// An object of a file that is being read into `to`.
template <typename T>
struct reading {
  reader& in;
  T& to;
  std::span<const T> earlier; ///< the elements before it, if it is part of a list
  member_names names;
  std::uint64_t given = 0;

  // NOLINTNEXTLINE(google-explicit-constructor): most kinds need only the reader
  operator reader&() const { return in; }

  /// Whether the object has the member, good or bad.
  bool has(std::string_view name) const {
    for (std::size_t i = 0; i < names.all.size(); ++i)
      if (names.all[i] == name) return (given >> i & 1) != 0;
    return false;
  }
};

/// The place of a member that is checked and not kept.
template <typename V>
struct not_kept {
  using value = V;
};

// Rules of members, in addition to those of json/schema.hpp. Schemas do not show them.

struct not_in_schema {
  constexpr void apply(json::facts&) const {}
};

/// A rule: `check(reading, value)` refuses a value that other parts of the file contradict.
template <typename Check>
struct checked_by : not_in_schema {
  constexpr explicit checked_by(Check by) : check(by) {}
  Check check;
};

/// A rule: the value is unique in the file, or in the account.
template <auto Values>
struct unique_rule : not_in_schema {
  template <typename T, typename V>
  bool check(reading<T>& at, const V& value) const {
    return (at.in.file().unique.*Values).claim(at.in, value);
  }
};
template <auto Values>
inline constexpr unique_rule<Values> unique_in;

/// A rule: no earlier element of the list has the value.
template <auto Member>
struct unique_in_list : not_in_schema {
  constexpr explicit unique_in_list(const char* text) : problem(text) {}
  template <typename T, typename V>
  bool check(reading<T>& at, const V& value) const {
    const bool is_new = std::ranges::find(at.earlier, value, Member) == at.earlier.end();
    return is_new || at.in.refuse(problem);
  }
  const char* problem;
};

/// A rule: the member is omitted if `is_usual(source)`, instead of if it has the value of a new T.
template <typename Condition>
struct omitted_if : not_in_schema {
  constexpr explicit omitted_if(Condition when) : is_usual(when) {}
  Condition is_usual;
};

/// A rule: the member is read, but not written.
struct not_written_rule : not_in_schema {};
inline constexpr not_written_rule not_written;

/// A rule: the member is written only with password hashes.
struct password_hash_rule : not_in_schema {};
inline constexpr password_hash_rule password_hash;

/// A rule: a plan shows that the member changes, under this name, but not its values.
struct secret : not_in_schema {
  constexpr explicit secret(std::string_view name) : shown_as(name) {}
  std::string_view shown_as;
};

/// A rule: a plan lists the elements separately; they are not part of the object's differences.
struct listed_separately_rule : not_in_schema {};
inline constexpr listed_separately_rule listed_separately;

/// Options of writing objects.
struct writing {
  bool defaults = false; ///< writes members that have their defaults, too
  bool password_hashes = false;
};

/// Returns a T whose members have their defaults.
template <typename T>
const T& usual() {
  static const T object{};
  return object;
}

/// Steps of reading and writing an object in addition to its members.
template <typename T>
struct hooks {
  /// Prepares the object before its members are read.
  void (*begin)(reading<T>& at) = nullptr;
  /// Checks the object after its members are read. Returns whether it is good.
  bool (*check)(reading<T>& at) = nullptr;
  /// Checks and completes an object that is good so far. Returns whether it is.
  bool (*finish)(reading<T>& at) = nullptr;
  bool has_lines = false; ///< each member is written on a line of its own
};

/// The description of an object that is read into a T and written from one.
template <typename T, typename... Members>
struct record_of : json::object_of<T, Members...> {
  hooks<T> object_hooks;
};

template <typename T, typename... Members>
constexpr auto record(hooks<T> object_hooks, Members... members) {
  return record_of<T, Members...>{{{}, {{members}...}}, object_hooks};
}
template <typename T, typename... Members>
constexpr auto record(Members... members) {
  return record<T>(hooks<T>{}, members...);
}

template <typename T, typename... Members, typename Visit>
void for_each_member(const record_of<T, Members...>& object, Visit visit) {
  object.members.pass_to([&](const auto&... each) { (visit(each), ...); });
}

/// Which members an object that is read must have: the required ones, or any, as those that change.
enum class expected_members { required, any };

/// Reads the object at the reader's position. `earlier` are the elements before it in its list. Members that
/// it does not have keep their values.
template <typename T, typename... Members>
bool read_object(reader& in, const record_of<T, Members...>& object, T& to, std::span<const T> earlier = {},
                 expected_members expected = expected_members::required) {
  using object_type = record_of<T, Members...>;
  using read_member = bool (*)(const object_type&, reading<T>&);
  static_assert(sizeof...(Members) <= 64);
  static constexpr auto readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<read_member, sizeof...(Index)>{+[](const object_type& described, reading<T>& at) {
      return domain::at<Index>(described.members).read(at);
    }...};
  }
  (std::index_sequence_for<Members...>{});
  static constexpr auto required = [] {
    std::uint64_t bits = 0, bit = 1;
    ((bits |= Members::is_required ? bit : 0, bit <<= 1), ...);
    return bits;
  }();
  const auto names =
      object.members.pass_to([](const auto&... each) { return std::array{each.name.view()...}; });
  reading<T> at{in, to, earlier, {names, expected == expected_members::required ? required : 0}};
  if (object.object_hooks.begin) object.object_hooks.begin(at);
  bool good = in.object(at.names, at.given, [&](std::size_t index) { return readers[index](object, at); });
  if (object.object_hooks.check) good &= object.object_hooks.check(at);
  return good && (!object.object_hooks.finish || object.object_hooks.finish(at));
}

/// Writes the object on one line.
template <typename T, typename... Members>
void write_on_one_line(std::string& to, const record_of<T, Members...>& object, const T& from,
                       const writing& with) {
  to += '{';
  for_each_member(object, [&](const auto& member) {
    if (!member.is_shown(from, with)) return;
    if (to.back() != '{') to += ", ";
    to.append(1, '"').append(member.name.view()).append("\": ");
    member.write(to, from, with);
  });
  to += '}';
}

namespace kind {

/// Some members of the object itself, described as an object of their own.
template <typename Object>
struct part {
  constexpr explicit part(const Object& description) : described(&description) {}

  json::schema schema() const { return json::reference_or_schema_of(*described); }
  template <typename T>
  bool read(reader& in, T& to) const {
    return read_object(in, *described, to);
  }
  template <typename T>
  void write(std::string& to, const T& from, const writing& with) const {
    write_on_one_line(to, *described, from, with);
  }
  /// Returns whether nothing would be written in it.
  template <typename T>
  requires(!json::detail::is_optional<T>) bool is_empty(const T& value, const writing& with) const {
    bool empty = true;
    for_each_member(*described, [&](const auto& member) { empty &= !member.is_shown(value, with); });
    return empty;
  }

  const Object* described;
};

/// A described object. It is replaced as a whole: members that are left out have their defaults.
template <typename Object>
struct object : part<Object> {
  using part<Object>::part;

  template <typename T>
  bool read(reader& in, T& to) const {
    to = {};
    return read_object(in, *this->described, to);
  }
};
template <typename Object>
object(const Object&) -> object<Object>;

/// An array of described objects.
template <typename Object>
struct list {
  constexpr explicit list(const Object& description) : elements(&description) {}

  json::schema schema() const { return json::array_of(json::reference_or_schema_of(*elements)); }
  template <typename T>
  bool read(reader& in, std::vector<T>& to) const {
    return in.list(
        to, [&](T& element) { return read_object(in, *elements, element, std::span{std::as_const(to)}); });
  }
  template <typename T>
  void write(std::string& to, const std::vector<T>& from, const writing& with) const {
    append_array(to, from, [&](const T& each) { write_on_one_line(to, *elements, each, with); });
  }
  template <typename T>
  bool is_empty(const std::vector<T>& values, const writing&) const {
    return values.empty();
  }

  const Object* elements;
};

} // namespace kind

/// Describes a member. `place` is a pointer to a member of T, a `via`, or `not_kept`. Null stands for an
/// empty optional.
template <std::size_t Size, typename Kind, typename Place, typename... Rules>
struct field : json::described<Size, Rules...> {
  constexpr field(const char (&name)[Size], Kind value_kind, Place at, std::string_view meaning,
                  Rules... rules)
      : json::described<Size, Rules...>{name, meaning, {{rules}...}}, kind(value_kind), place(at) {}

  template <typename Rule>
  static constexpr bool has_rule = (std::same_as<Rule, Rules> || ...);

  static constexpr bool is_required =
      !has_rule<json::optional_rule> && !(json::detail::condition<Rules> || ...);
  static constexpr bool is_listed_separately = has_rule<listed_separately_rule>;
  static constexpr bool is_kept = !requires { typename Place::value; };
  static constexpr bool is_list = requires(const Kind& list) { list.elements; };

  Kind kind;
  Place place;

  /// Reads the value at the reader's position. A list is checked even if an element is bad.
  template <typename T>
  bool read(reading<T>& at) const {
    if constexpr (is_kept) {
      auto& value = std::invoke(place, at.to);
      const bool good = read_into(at, value);
      return (good || is_list) && check(at, value) && good;
    } else {
      typename Place::value value{};
      return kind.read(at, value) && check(at, value);
    }
  }

  template <typename T>
  bool is_shown(const T& from, const writing& with) const {
    if (has_rule<not_written_rule> || !this->is_written(from)) return false;
    if (has_rule<password_hash_rule> && !with.password_hashes) return false;
    if (with.defaults || !has_rule<json::optional_rule>) return true;
    std::optional<bool> left_out;
    each_rule([&](const auto& rule) {
      if constexpr (requires { rule.is_usual(from); }) left_out = rule.is_usual(from);
    });
    return left_out ? !*left_out : !has_default(from, with);
  }

  template <typename T>
  void write(std::string& to, const T& from, const writing& with) const {
    if constexpr (is_kept) write_value(to, std::invoke(place, from), with);
  }

  /// The name by which a plan shows a secret; empty for other members.
  constexpr std::string_view secret_name() const {
    std::string_view name;
    each_rule([&](const auto& rule) {
      if constexpr (requires { rule.shown_as; }) name = rule.shown_as;
    });
    return name;
  }

  template <typename T>
  void describe(json::schema& to) const {
    json::schema member_schema;
    if constexpr (requires { kind.schema(); })
      member_schema = kind.schema();
    else
      member_schema.schema_facts = kind.schema_facts();
    if constexpr (is_kept)
      member_schema.schema_facts.nullable |=
          json::detail::is_optional<std::remove_cvref_t<std::invoke_result_t<const Place&, T&>>>;
    this->add_to(to, std::move(member_schema));
  }

private:
  template <typename Visit>
  constexpr void each_rule(Visit visit) const {
    this->rules.pass_to([&](const auto&... rule) { (visit(rule), ...); });
  }

  template <typename T, typename V>
  bool check(reading<T>& at, const V& value) const {
    bool good = true;
    each_rule([&](const auto& rule) {
      if constexpr (requires { rule.check(at, value); }) good = good && rule.check(at, value);
    });
    return good;
  }

  template <typename T, typename V>
  bool read_into(reading<T>& at, V& value) const {
    if constexpr (json::detail::is_optional<V>)
      return at.in.nullable(value, [&](auto& content) { return kind.read(at, content); });
    else
      return kind.read(at, value);
  }

  template <typename T>
  bool has_default(const T& from, const writing& with) const {
    if constexpr (requires { kind.is_empty(std::invoke(place, from), with); })
      if (kind.is_empty(std::invoke(place, from), with)) return true;
    if constexpr (is_kept && !is_list) return std::invoke(place, from) == std::invoke(place, usual<T>());
    return false;
  }

  template <typename V>
  void write_value(std::string& to, const V& value, const writing& with) const {
    if constexpr (json::detail::is_optional<V>) {
      if (value)
        write_value(to, *value, with);
      else
        to += "null";
    } else if constexpr (requires { kind.write(to, value, with); }) {
      kind.write(to, value, with);
    } else if constexpr (requires { kind.write(to, value); }) {
      kind.write(to, value);
    } else {
      append_json(to, value);
    }
  }
};

} // namespace roost::portfolio
