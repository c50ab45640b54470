#pragma once

#include "http/json/object_reader.hpp"
#include "http/protocol/text_encoding.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// Reads the fields of a query and collects the errors: unknown fields first, in the order received, then
/// those of the fields in the order in which they are read.
class query_reader {
public:
  query_reader(std::string_view query, std::initializer_list<std::string_view> known);

  /// Reads a whole number of at least 1, and at most `max`, if given. Returns a refused one as it was sent.
  double count(std::string_view name, std::optional<int> max, double default_value);

  /// Returns the only value of a field; nullopt if it is missing. Refuses a repeated field.
  std::optional<std::string> text(std::string_view name);

  /// Reads a value with `parse`; nullopt if it is missing or was refused.
  template <typename Value>
  std::optional<Value> value(std::string_view name, std::optional<Value> (*parse)(std::string_view),
                             std::string_view rule) {
    const auto* values = find(name);
    if (!values) return std::nullopt;
    auto read = values->size() == 1 ? parse(values->front()) : std::nullopt;
    if (!read) refuse(std::string(name).append(rule));
    return read;
  }

  /// Refuses a missing value, too.
  template <typename Value>
  std::optional<Value> required_value(std::string_view name, std::optional<Value> (*parse)(std::string_view),
                                      std::string_view rule) {
    if (!find(name)) refuse(std::string(name).append(" is required"));
    return value(name, parse, rule);
  }

  void refuse(std::string message) { messages_.refuse(std::move(message)); }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const { messages_.throw_if_any(); }

private:
  const std::vector<std::string>* find(std::string_view name) const;

  std::vector<query_field> fields_;
  message_list messages_;
};

} // namespace roost::http
