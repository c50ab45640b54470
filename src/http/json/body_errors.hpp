#pragma once

#include "http/protocol/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The errors in a request, in the order that clients know; one 400 lists them all.
class message_list {
public:
  /// Adds a message; keeps the first 100 and counts the others.
  void refuse(std::string message);

  bool empty() const { return messages_.empty(); }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_any() const;

private:
  std::vector<std::string> messages_;
  std::size_t further_ = 0; ///< messages that were not kept
};

/// Values that the store's columns would reject. One message stands for all fields: the first that applies,
/// in the order format, bound, missing value.
class column_problems {
public:
  void invalid_format() { invalid_format_ = true; }
  void too_long() { first_bound_ = first_bound_ ? first_bound_ : "A value is too long for its field."; }
  void out_of_range() { first_bound_ = first_bound_ ? first_bound_ : "A numeric value is out of range."; }
  void missing() { missing_ = true; }

  void throw_if_any() const {
    if (invalid_format_) throw bad_request("A value has an invalid format.");
    if (first_bound_) throw bad_request(first_bound_);
    if (missing_) throw bad_request("A required value is missing.");
  }

private:
  bool invalid_format_ = false, missing_ = false;
  const char* first_bound_ = nullptr;
};

/// Describes the error in a text that simdjson rejected, with its position: `Invalid value, at line 3, column
/// 7`. Parses the text again with RapidJSON, because simdjson reports no position. Columns count bytes,
/// from 1.
std::string json_fault(std::string_view text);

/// Returns the 400 for a body that is not JSON; `fault` is its description from json_fault().
error malformed_json(const std::string& fault);

} // namespace roost::http
