#pragma once

#include "http/json/column_problems.hpp"

#include <simdjson.h>

#include <string>
#include <vector>

namespace roost::http {

/// A request's JSON object, and all that is wrong with it: the messages, in the order that partners know, and
/// what only a column of the store would refuse. object_reader reads its fields.
class json_body {
public:
  /// Parses in place. Throws bad_request when it is no JSON, or no object.
  explicit json_body(std::string& text);

  const simdjson::dom::object& root() const { return root_; }

  /// Of very many messages only the first are kept.
  void refuse(std::string message);
  column_problems& columns() { return columns_; }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const;
  /// The same, and for what a column would refuse.
  void throw_if_any() const;

private:
  simdjson::dom::object root_;
  std::vector<std::string> messages_;
  std::size_t further_ = 0; ///< messages that were not kept
  column_problems columns_;
};

} // namespace roost::http
