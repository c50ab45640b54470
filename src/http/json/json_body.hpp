#pragma once

#include "http/json/body_errors.hpp"

#include <simdjson.h>

#include <string>
#include <utility>

namespace roost::http {

/// A request's JSON object with the errors found in it: messages, in the order that partners know, and
/// problems that only the store's columns have. object_reader reads its fields.
class json_body {
public:
  /// Parses in place. Throws bad_request unless the text is a JSON object.
  explicit json_body(std::string& text);

  const simdjson::dom::object& root() const { return root_; }

  void refuse(std::string message) { messages_.refuse(std::move(message)); }
  column_problems& columns() { return columns_; }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const { messages_.throw_if_any(); }
  /// Throws bad_request with all messages, else with the first column problem, if there are any.
  void throw_if_any() const;

private:
  simdjson::dom::object root_;
  message_list messages_;
  column_problems columns_;
};

} // namespace roost::http
