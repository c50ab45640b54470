#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roost::portfolio {

enum class json_type : std::uint8_t { null, boolean, number, text, array, object };

/// A value of a JSON document. Values stand in one array in the document's order, so a value's descendants
/// follow it at once.
struct json_node {
  std::string_view key;   ///< the name in its object; empty elsewhere
  std::string_view text;  ///< text: unescaped; number, array and object: as the document has it
  std::uint32_t span = 1; ///< how many nodes this value and its descendants are
  json_type type = json_type::null;
  bool boolean = false;
};

/// Calls `visit` with each member or element.
template <typename Visit>
void for_each_child(const json_node& of, Visit visit) {
  for (const auto* child = &of + 1; child != &of + of.span; child += child->span) visit(*child);
}

/// Where a text stops being JSON (RFC 8259), counted from 1, in characters.
struct json_error {
  std::size_t line = 1, column = 1;
  std::string text;
};

/// `line 2, column 6: is not JSON: Missing a name for object member`.
std::string to_string(const json_error& error);

/// Who takes the document in. Nodes live until the call that brings them returns.
struct json_consumer {
  /// The next element of the root object's list: big files never stand in memory as a whole.
  std::function<void(std::size_t index, const json_node& element)> element;
  /// The document with that list left empty.
  std::function<void(const json_node& root)> rest;
  /// How many bytes are read, about once a megabyte. May be empty.
  std::function<void(std::size_t bytes)> progress;
};

/// Reads a JSON document whose root object has its bulk in the array `list`; an empty name: it has none, and
/// the root is given as a whole. On an error, what the consumer was given so far counts for nothing.
std::optional<json_error> read_json(std::string_view document, std::string_view list,
                                    const json_consumer& consumer);

} // namespace roost::portfolio
