#pragma once

#include "json/syntax_error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roost::portfolio {

enum class json_type : std::uint8_t { null, boolean, number, text, array, object };

/// A value of a JSON document. All values are in one array in the document's order, so a value's descendants
/// follow it immediately.
struct json_node {
  std::string_view key;   ///< the name in its object; otherwise empty
  std::string_view text;  ///< text: unescaped; number, array and object: as the document has it
  std::uint32_t span = 1; ///< the number of nodes: this value and its descendants
  json_type type = json_type::null;
  bool boolean = false;
};

/// Calls `visit` with each member or element.
template <typename Visit>
void for_each_child(const json_node& node, Visit visit) {
  for (const auto* child = &node + 1; child != &node + node.span; child += child->span) visit(*child);
}

/// Receives a document. Nodes are valid until the call that passes them returns.
struct json_consumer {
  /// Receives the next element of the root object's list: large files are never in memory as a whole.
  std::function<void(std::size_t index, const json_node& element)> element;
  /// Receives the document, with that list empty.
  std::function<void(const json_node& root)> rest;
  /// Receives the number of bytes that are read, about once a megabyte. May be empty.
  std::function<void(std::size_t bytes)> progress;
  /// Called if the document is read once more because of a number beyond a double: everything passed before
  /// is invalid. May be empty.
  std::function<void()> restart;
};

/// Reads a JSON document. The elements of the root object's array `list` are passed one by one; if the name
/// is empty, the root is passed as a whole. After an error, everything passed before is invalid.
std::optional<json::syntax_error> read_json(std::string_view document, std::string_view list,
                                            const json_consumer& consumer);

} // namespace roost::portfolio
