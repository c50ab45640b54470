#pragma once

#include "json/object.hpp"
#include "portfolio/reader.hpp"
#include "portfolio/values.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

using json::only_where;
using json::optional;

/// An object of a file that is being read into `to`.
template <typename T>
struct reading {
  reader& in;
  T& to;
  std::span<const T> earlier; ///< the elements before it, if it is part of a list
  member_names names;
  std::uint64_t given = 0;

  // NOLINTNEXTLINE(google-explicit-constructor): most kinds need no more than the reader
  operator reader&() const { return in; }

  /// Whether the object has the member, good or bad.
  bool has(std::string_view name) const {
    for (std::size_t i = 0; i < names.all.size(); ++i)
      if (names.all[i] == name) return (given >> i & 1) != 0;
    return false;
  }
};

/// A place that is reached over several members.
template <auto... Steps>
struct path {
  template <typename T>
  constexpr auto& operator()(T& of) const {
    return (of.*....*Steps);
  }
};

/// Hundredths of a unit that another member chooses, written as money is.
template <typename T>
struct hundredths {
  std::int64_t (*limit)(const T& of); ///< in whole units, exclusive

  constexpr json::facts said() const { return {.type = "number", .minimum = 0}; }
  bool read(reading<T>& at, std::int64_t& to) const { return read_hundredths(at.in, to, limit(at.to)); }
  void write(std::string& to, std::int64_t value) const { append_json(to, domain::money{value}); }
};

/// The place of a member that is checked and not kept.
template <typename V>
struct not_kept {
  using value = V;
};

// Rules of members, in addition to those of json/facts.hpp. They say nothing in a schema.

struct unsaid_rule {
  constexpr void apply(json::facts&) const {}
};

/// `check(reading, value)` refuses a value that other parts of the file contradict. Lists are checked even if
/// elements are bad.
template <typename Check>
struct checked_by : unsaid_rule {
  Check check;
  constexpr explicit checked_by(Check by) : check(by) {}
};

/// No other place in the file, or in the account, may have the value.
template <auto Values>
struct unique_rule : unsaid_rule {
  template <typename T, typename V>
  bool check(reading<T>& at, const V& value) const {
    return (at.in.file().unique.*Values).claim(at.in, value);
  }
};
template <auto Values>
inline constexpr unique_rule<Values> unique_in;

/// The member is left out where `is_usual(source)`, whatever the value of a new T.
template <typename Condition>
struct left_out_where : unsaid_rule {
  Condition is_usual;
  constexpr explicit left_out_where(Condition when) : is_usual(when) {}
};

/// The member is read only.
struct unwritten_rule : unsaid_rule {};
inline constexpr unwritten_rule unwritten;

/// The member is written only where password hashes are.
struct password_hash_rule : unsaid_rule {};
inline constexpr password_hash_rule password_hash;

/// A plan shows the change by this name, and no values.
struct secret : unsaid_rule {
  std::string_view shown_as;
  constexpr explicit secret(std::string_view name) : shown_as(name) {}
};

/// A plan has lines for the elements: they are no part of the object's differences.
struct apart_rule : unsaid_rule {};
inline constexpr apart_rule apart;

enum class member_shape { field, object, list };

/// How objects are written.
struct writing {
  bool defaults = false; ///< members that have their defaults are written as well
  bool password_hashes = false;
};

namespace detail {

template <typename Rule, typename... Rules>
inline constexpr bool has_rule = (std::same_as<Rule, Rules> || ...);

/// A new T, whose members have their defaults.
template <typename T>
const T& usual() {
  static const T object{};
  return object;
}

/// What every member has in addition to json::described.
template <std::size_t Size, typename... Rules>
struct described : json::described<Size, Rules...> {
  static constexpr bool is_required =
      !has_rule<json::optional_rule, Rules...> && !(json::detail::condition<Rules> || ...);
  static constexpr bool is_read_only = has_rule<unwritten_rule, Rules...>;
  static constexpr bool is_apart = has_rule<apart_rule, Rules...>;

  /// Applies the rules that check a value.
  template <typename T, typename V>
  bool check(reading<T>& at, const V& value) const {
    const auto one = [&](const auto& rule) {
      if constexpr (requires { rule.check(at, value); })
        return rule.check(at, value);
      else
        return true;
    };
    return std::apply([&](const auto&... rule) { return (one(rule) && ...); }, this->rules);
  }

  /// Whether the member is written; `is_usual` tells whether it has its default.
  template <typename T, typename Usual>
  bool is_shown(const T& from, const writing& with, Usual is_usual) const {
    if (is_read_only || !this->is_written(from)) return false;
    if (has_rule<password_hash_rule, Rules...> && !with.password_hashes) return false;
    return with.defaults || !has_rule<json::optional_rule, Rules...> || !is_left_out(from, is_usual);
  }

  /// The name by which a plan shows a secret; empty for other members.
  constexpr std::string_view secret_name() const {
    std::string_view name;
    const auto look = [&](const auto& rule) {
      if constexpr (requires { rule.shown_as; }) name = rule.shown_as;
    };
    std::apply([&](const auto&... rule) { (look(rule), ...); }, this->rules);
    return name;
  }

private:
  template <typename T, typename Usual>
  bool is_left_out(const T& from, const Usual& is_usual) const {
    std::optional<bool> decided;
    const auto ask = [&](const auto& rule) {
      if constexpr (requires { rule.is_usual(from); }) decided = rule.is_usual(from);
    };
    std::apply([&](const auto&... rule) { (ask(rule), ...); }, this->rules);
    return decided ? *decided : is_usual();
  }
};

template <typename At, typename Kind, typename V>
bool read_value(At& at, const Kind& kind, V& value) {
  if constexpr (json::detail::is_optional<V>)
    return at.in.nullable(value, [&](auto& content) { return kind.read(at, content); });
  else
    return kind.read(at, value);
}

template <typename Kind, typename V>
void write_value(std::string& to, const Kind& kind, const V& value) {
  if constexpr (json::detail::is_optional<V>) {
    if (value)
      write_value(to, kind, *value);
    else
      to += "null";
  } else if constexpr (requires { kind.write(to, value); }) {
    kind.write(to, value);
  } else {
    append_json(to, value);
  }
}

} // namespace detail

/// The description of an object that is read into a T and written from one.
template <typename T, typename... Members>
struct record_of : json::object_of<T, Members...> {
  /// Prepares the object before its members are read.
  void (*begin)(reading<T>& at) = nullptr;
  /// Checks and completes the object after its members are read. Returns whether it is good.
  bool (*finish)(reading<T>& at, bool good) = nullptr;
  bool has_lines = false; ///< each member is written on a line of its own

  constexpr record_of begun_by(void (*function)(reading<T>&)) const {
    auto made = *this;
    made.begin = function;
    return made;
  }
  constexpr record_of finished_by(bool (*function)(reading<T>&, bool)) const {
    auto made = *this;
    made.finish = function;
    return made;
  }
  constexpr record_of in_lines() const {
    auto made = *this;
    made.has_lines = true;
    return made;
  }
};

template <typename T, typename... Members>
constexpr auto record(Members... members) {
  return record_of<T, Members...>{{{}, {members...}}};
}

template <typename T, typename... Members, typename Visit>
void for_each_member(const record_of<T, Members...>& object, Visit visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, object.members);
}

/// Reads the object at the reader's position. `earlier` are the elements before it in its list.
template <typename T, typename... Members>
bool read_object(reader& in, const record_of<T, Members...>& object, T& to, std::span<const T> earlier = {}) {
  using object_type = record_of<T, Members...>;
  using read_member = bool (*)(const object_type&, reading<T>&);
  static_assert(sizeof...(Members) <= 64);
  static constexpr auto readers = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::array<read_member, sizeof...(Index)>{
        +[](const object_type& of, reading<T>& at) { return std::get<Index>(of.members).read(at); }...};
  }
  (std::index_sequence_for<Members...>{});
  static constexpr auto required = [] {
    std::uint64_t bits = 0, bit = 1;
    ((bits |= Members::is_required ? bit : 0, bit <<= 1), ...);
    return bits;
  }();
  const auto names =
      std::apply([](const auto&... each) { return std::array{each.name.view()...}; }, object.members);
  reading<T> at{in, to, earlier, {names, required}};
  if (const auto& known = in.file().configured.known) in.report_known(at.names, known);
  if (object.begin) object.begin(at);
  const bool good =
      in.object(at.names, at.given, [&](std::size_t index) { return readers[index](object, at); });
  return object.finish ? object.finish(at, good) : good;
}

/// Writes the object on one line.
template <typename T, typename... Members>
void write_on_one_line(std::string& to, const record_of<T, Members...>& object, const T& from,
                       const writing& with) {
  to += '{';
  bool is_first = true;
  for_each_member(object, [&](const auto& member) {
    if (!member.is_shown(from, with)) return;
    if (!is_first) to += ", ";
    is_first = false;
    to.append(1, '"').append(member.name.view()).append("\": ");
    member.write(to, from, with);
  });
  to += '}';
}

template <std::size_t Size, typename Kind, typename Place, typename... Rules>
struct field_member : detail::described<Size, Rules...> {
  static constexpr auto shape = member_shape::field;
  static constexpr bool is_kept = !requires { typename Place::value; };

  Kind kind;
  Place place;

  template <typename T>
  bool read(reading<T>& at) const {
    if constexpr (is_kept) {
      auto& value = std::invoke(place, at.to);
      return detail::read_value(at, kind, value) && this->check(at, value);
    } else {
      typename Place::value value{};
      return kind.read(at, value) && this->check(at, value);
    }
  }

  template <typename T>
  bool is_shown(const T& from, const writing& with) const {
    return detail::described<Size, Rules...>::is_shown(from, with, [&] {
      if constexpr (is_kept)
        return std::invoke(place, from) == std::invoke(place, detail::usual<T>());
      else
        return true;
    });
  }

  template <typename T>
  void write(std::string& to, const T& from, const writing&) const {
    if constexpr (is_kept) detail::write_value(to, kind, std::invoke(place, from));
  }

  template <typename T>
  void describe(json::schema& to) const {
    auto said = kind.said();
    if constexpr (is_kept)
      said.nullable = json::detail::is_optional<std::remove_cvref_t<std::invoke_result_t<const Place&, T&>>>;
    to.members.push_back({this->with_rules(said), this->name.view()});
  }
};

/// A member of a simple kind. `place` is a pointer to a member of T, a path, or `not_kept`. Null stands for
/// an empty optional.
template <std::size_t Size, typename Kind, typename Place, typename... Rules>
constexpr auto field(const char (&name)[Size], Kind kind, Place place, std::string_view meaning,
                     Rules... rules) {
  return field_member<Size, Kind, Place, Rules...>{{{name, meaning, {rules...}}}, kind, place};
}

template <std::size_t Size, typename Object, typename Place, typename... Rules>
struct object_field_member : detail::described<Size, Rules...> {
  static constexpr auto shape = member_shape::object;

  const Object* object;
  Place place;

  template <typename T>
  bool read(reading<T>& at) const {
    return read_object(at.in, *object, std::invoke(place, at.to));
  }

  template <typename T>
  bool is_shown(const T& from, const writing& with) const {
    const auto& part = std::invoke(place, from);
    return detail::described<Size, Rules...>::is_shown(from, with, [&] {
      bool is_empty = true;
      for_each_member(*object, [&](const auto& member) { is_empty &= !member.is_shown(part, with); });
      return is_empty || part == std::invoke(place, detail::usual<T>());
    });
  }

  template <typename T>
  void write(std::string& to, const T& from, const writing& with) const {
    write_on_one_line(to, *object, std::invoke(place, from), with);
  }

  template <typename T>
  void describe(json::schema& to) const {
    auto made = json::reference_or_schema_of(*object);
    made.said = this->with_rules(made.said);
    made.member = this->name.view();
    to.members.push_back(std::move(made));
  }
};

/// A member that is a described object.
template <std::size_t Size, typename Object, typename Place, typename... Rules>
constexpr auto object_field(const char (&name)[Size], const Object& object, Place place,
                            std::string_view meaning, Rules... rules) {
  return object_field_member<Size, Object, Place, Rules...>{{{name, meaning, {rules...}}}, &object, place};
}

template <std::size_t Size, typename Object, typename Place, typename... Rules>
struct list_field_member : detail::described<Size, Rules...> {
  static constexpr auto shape = member_shape::list;

  const Object* object;
  Place place;

  template <typename T>
  bool read(reading<T>& at) const {
    auto& list = std::invoke(place, at.to);
    const bool good = at.in.list(list, [&](auto& element) {
      return read_object(at.in, *object, element, std::span{std::as_const(list)});
    });
    return this->check(at, list) && good;
  }

  template <typename T>
  bool is_shown(const T& from, const writing& with) const {
    return detail::described<Size, Rules...>::is_shown(from, with,
                                                       [&] { return std::invoke(place, from).empty(); });
  }

  template <typename T>
  void write(std::string& to, const T& from, const writing& with) const {
    to += '[';
    bool is_first = true;
    for (const auto& each : std::invoke(place, from)) {
      if (!is_first) to += ", ";
      is_first = false;
      write_on_one_line(to, *object, each, with);
    }
    to += ']';
  }

  template <typename T>
  void describe(json::schema& to) const {
    json::schema all{this->with_rules({.type = "array"}), this->name.view()};
    all.items.push_back(json::reference_or_schema_of(*object));
    to.members.push_back(std::move(all));
  }
};

/// A member that is an array of described objects.
template <std::size_t Size, typename Object, typename Place, typename... Rules>
constexpr auto list_field(const char (&name)[Size], const Object& object, Place place,
                          std::string_view meaning, Rules... rules) {
  return list_field_member<Size, Object, Place, Rules...>{{{name, meaning, {rules...}}}, &object, place};
}

} // namespace roost::portfolio
