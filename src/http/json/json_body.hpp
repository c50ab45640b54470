#pragma once

#include "http/json/message_list.hpp"

#include <simdjson.h>

#include <string>
#include <utility>

namespace roost::http {

/// A request's JSON object, and all that is wrong with it: the messages, in the order that partners know, and
/// what only a column of the store would refuse. object_reader reads its fields.
class json_body {
public:
  /// Parses in place. Throws bad_request when it is no JSON, or no object.
  explicit json_body(std::string& text);

  const simdjson::dom::object& root() const { return root_; }

  void refuse(std::string message) { messages_.refuse(std::move(message)); }
  column_problems& columns() { return columns_; }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const { messages_.throw_if_any(); }
  /// The same, and for what a column would refuse.
  void throw_if_any() const;

private:
  simdjson::dom::object root_;
  message_list messages_;
  column_problems columns_;
};

} // namespace roost::http
