#pragma once

#include "portfolio/json_tree.hpp"
#include "portfolio/problem.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::portfolio {

/// The array indexes on the way to a value, outermost first; small, so that every id of a file can keep one.
using pointer = std::array<std::uint32_t, 4>;

/// One known member of an object. It refers to the callable that reads the member's value, which a temporary
/// in the call of reader::object() may be.
class field {
public:
  template <typename Read>
  field(std::string_view name, bool is_required, const Read& read)
      : name_(name), required_(is_required), read_(&read),
        call_([](const void* of) -> bool { return (*static_cast<const Read*>(of))(); }) {}

  std::string_view name() const { return name_; }
  bool is_required() const { return required_; }
  bool read() const { return call_(read_); }

private:
  std::string_view name_;
  bool required_;
  const void* read_;
  bool (*call_)(const void*);
};

template <typename Read>
field required(std::string_view name, const Read& read) {
  return {name, true, read};
}

template <typename Read>
field optional(std::string_view name, const Read& read) {
  return {name, false, read};
}

/// Walks a JSON tree and knows where it stands, so that a problem can name its place. Reading goes on after a
/// problem: every function returns whether its value was good, and a bad one leaves its target as it was.
class reader {
public:
  /// Starts at `at`, which is element `index` of the member `list` of the document's root.
  /// `known` is told the members that the objects which are read may have (context); it may be empty.
  reader(const json_node& at, std::vector<problem>& problems, std::string_view list, std::size_t index,
         const std::function<void(const std::string&)>& known);

  /// Starts at the document's root.
  reader(const json_node& root, std::vector<problem>& problems);

  const json_node& node() const { return *at_; }
  bool is(json_type type) const { return at_->type == type; }
  bool is_null() const { return is(json_type::null); }

  /// Reports a problem with this value; always false.
  bool refuse(std::string text);

  /// Reports a problem with a member of this object; always false.
  bool refuse_member(std::string_view name, std::string text);

  /// Reports a problem with an element of this array; always false.
  bool refuse_element(std::size_t index, std::string text);

  pointer position() const;

  /// Reads an object that has exactly these members, each at most once. False when it is no object, a
  /// required member is missing or a known one was bad.
  bool object(std::initializer_list<field> fields);

  /// Reads an object of any keys, each at most once: `read(key)` stands at the member's value.
  template <typename Read>
  bool members(Read read);

  /// Reads an array: `read()` stands at each element.
  template <typename Read>
  bool elements(Read read);

  /// Reads an array into `to`, each element by `read(value)`; bad ones too, so that later ones can be held
  /// against them.
  template <typename T, typename Read>
  bool list(std::vector<T>& to, Read read);

  /// A value or null: `read(value)` for the former.
  template <typename T, typename Read>
  bool nullable(std::optional<T>& to, Read read);

  /// The text of this object's member, ahead of reading it; empty when it has none.
  std::string_view peek_text(std::string_view name) const;

private:
  static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

  /// Into an element when it has an index, else into the member of that name.
  struct step {
    std::string_view name;
    std::size_t index = no_index;
  };

  bool report(std::string text);
  void tell_known(std::initializer_list<field> fields) const;
  bool read_member(const json_node& member, std::initializer_list<field> fields, std::uint64_t& seen,
                   std::size_t& expected);
  bool is_repeated(const json_node& object, const json_node& member) const;

  const json_node* at_;
  std::vector<problem>* problems_;
  std::vector<step> path_;
  const std::function<void(const std::string&)>* known_ = nullptr;
};

/// The name most like `word`, as `; did you mean "…"?`; empty when none is near.
std::string hint(std::string_view word, const std::vector<std::string_view>& names);

template <typename Read>
bool reader::members(Read read) {
  if (!is(json_type::object)) return refuse("must be an object");
  bool good = true;
  const auto& object = *at_;
  for_each_child(object, [&](const json_node& member) {
    path_.push_back({member.key});
    at_ = &member;
    good &= is_repeated(object, member) ? refuse("is given twice") : read(member.key);
    path_.pop_back();
  });
  at_ = &object;
  return good;
}

template <typename Read>
bool reader::elements(Read read) {
  if (!is(json_type::array)) return refuse("must be an array");
  bool good = true;
  const auto& array = *at_;
  std::size_t index = 0;
  for_each_child(array, [&](const json_node& element) {
    path_.push_back({.index = index++});
    at_ = &element;
    good &= read();
    path_.pop_back();
  });
  at_ = &array;
  return good;
}

template <typename T, typename Read>
bool reader::list(std::vector<T>& to, Read read) {
  to.clear();
  return elements([&] {
    T value{};
    const bool good = read(value);
    to.push_back(std::move(value));
    return good;
  });
}

template <typename T, typename Read>
bool reader::nullable(std::optional<T>& to, Read read) {
  to.reset();
  if (is_null()) return true;
  T value{};
  if (!read(value)) return false;
  to = std::move(value);
  return true;
}

} // namespace roost::portfolio
