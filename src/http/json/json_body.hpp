#pragma once

#include "domain/money.hpp"

#include <simdjson.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The value of an object's key, the last one when it was repeated; nothing when it is absent or null.
std::optional<simdjson::dom::element> find_in(const simdjson::dom::object& object, std::string_view key);

/// The keys of an object that are not among these, each once, in the order they came.
std::vector<std::string_view> unknown_in(const simdjson::dom::object& object,
                                         std::span<const std::string_view> known);

/// A request's JSON object and the messages about it, in the order that partners know.
class json_body {
public:
  /// Parses in place. Throws bad_request when it is no JSON, or no object.
  explicit json_body(std::string& body);

  /// Adds `property … should not exist` for each key that is not among these.
  void allow(std::span<const std::string_view> keys);
  void allow(std::initializer_list<std::string_view> keys) {
    allow(std::span<const std::string_view>(keys.begin(), keys.size()));
  }

  /// The value of a key, the last one when it was repeated; nothing when it is absent or null.
  std::optional<simdjson::dom::element> find(std::string_view key) const { return find_in(object_, key); }

  /// Of very many only the first are kept.
  void refuse(std::string message);

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const;

  const simdjson::dom::object& object() const { return object_; }

private:
  simdjson::dom::object object_;
  std::vector<std::string> messages_;
  std::size_t further_ = 0; ///< messages that were not kept
};

/// A JSON string's text, or nothing.
std::optional<std::string_view> as_text(const simdjson::dom::element& value);

/// A JSON number's text as short as it can be, so that 7 and 7.0 are the same; nothing when it is no number.
std::optional<std::string> as_number_text(const simdjson::dom::element& value);

/// A JSON number exactly as money, half cents away from zero; nothing when it is no number. Beyond the
/// domain's range it is domain::amount_limit.
std::optional<domain::money> as_money(const simdjson::dom::element& value);

/// Characters, not bytes, of UTF-8 text.
std::size_t length_of(std::string_view text);

} // namespace roost::http
