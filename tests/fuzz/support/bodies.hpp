#pragma once

#include "fuzz/support/json.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Properties of all functions that read a JSON body.
namespace roost::fuzz {

/// The result of reading a body: its values as one text, or the refusal.
struct body_outcome {
  unsigned refusal = 0; ///< status
  std::string text;

  bool operator==(const body_outcome&) const = default;
};

/// Reads a body and describes the result. `describe` may throw http::error.
inline body_outcome read_body(std::string body, const std::function<std::string(std::string&)>& describe) {
  body.reserve(body.size() + 64); // as request::body
  try {
    return {0, describe(body)};
  } catch (const http::error& refusal) {
    return {refusal.status, refusal.message};
  }
}

/// Requires that a refusal is a 400 whose response is JSON with a message.
inline void require_refusal(const body_outcome& outcome) {
  require(outcome.refusal == 400 || outcome.refusal == 413, "a body is refused with 400 or 413");
  require(!outcome.text.empty(), "a refusal names the error");
  const auto response = http::to_response(http::bad_request(outcome.text));
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(response.body.data(), response.body.size());
  require(!document.HasParseError() && document.IsObject() && document.HasMember("message"),
          "the response of a refusal is JSON with a message");
}

/// Requires that the blanks and escapes of a body do not matter, and that refusals are well-formed.
inline void check_body(std::string_view body, const std::function<std::string(std::string&)>& describe) {
  const auto outcome = read_body(std::string{body}, describe);
  require(read_body(std::string{body}, describe) == outcome, "a body is read the same twice");
  if (outcome.refusal != 0) require_refusal(outcome);
  const auto other = reformatted(body);
  if (!other) return;
  const auto other_outcome = read_body(*other, describe);
  require((other_outcome.refusal == 0) == (outcome.refusal == 0), "the form of a body does not matter");
  if (outcome.refusal == 0)
    require(other_outcome == outcome, "the form of a body does not change its values");
}

/// A kind of body, and the function that describes its values.
struct body_kind {
  std::string_view name;
  std::string (*describe)(std::string&);
};

/// The same for a body after a line with the name of its kind; other inputs mean nothing.
inline void check_named_body(std::string_view input, std::span<const body_kind> kinds) {
  const auto name = take_line(input);
  const auto kind = std::ranges::find(kinds, name, &body_kind::name);
  if (kind != kinds.end()) check_body(input, kind->describe);
}

} // namespace roost::fuzz
