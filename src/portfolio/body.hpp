#pragma once

#include "json/syntax_error.hpp"
#include "portfolio/description.hpp"
#include "portfolio/reader.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Objects of requests that are described like those of portfolio files.
namespace roost::portfolio {

/// A rule: the member is written, but refused in what clients send.
struct read_only_rule {
  constexpr void apply(json::facts& to) const { to.read_only = true; }
  template <typename T, typename V>
  bool check(reading<T>& at, const V&) const {
    return at.in.refuse("is read-only");
  }
};
inline constexpr read_only_rule read_only;

/// What is wrong with a text that should be an object.
struct body_problems {
  std::optional<json::syntax_error> broken; ///< the text is not JSON; then the rest is empty
  std::vector<problem> problems;            ///< in the text's order

  bool empty() const { return !broken && problems.empty(); }
};

/// Reads a JSON text by `read(reader)`, which starts at its root.
body_problems read_text(std::string_view json, const context& with, const std::function<void(reader&)>& read);

/// Reads the object of a request. Members that it does not have keep their values.
template <typename Object>
body_problems read_body(std::string_view json, const Object& object, typename Object::source& to,
                        const context& with, expected_members expected = expected_members::required) {
  return read_text(json, with, [&](reader& in) { read_object(in, object, to, {}, expected); });
}

/// Returns whether the text is an object that has one of these members.
bool has_any(std::string_view json, std::initializer_list<std::string_view> names);

/// Returns a problem as a message of the office API: `units[2].rent.amount must not be less than 0`.
std::string to_message(const problem& problem);

} // namespace roost::portfolio
