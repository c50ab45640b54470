#include "http/json/json_body.hpp"

#include "http/json/json_fault.hpp"
#include "http/protocol/error.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace roost::http {

namespace {

/// A small body can hold very many mistakes, which nobody reads all of.
constexpr std::size_t most_messages = 100;

/// One a thread: a parser keeps its memory, and a request is read before its handler first waits.
simdjson::dom::parser& parser() {
  thread_local simdjson::dom::parser reused;
  return reused;
}

} // namespace

json_body::json_body(std::string& body) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element document;
  if (parser().parse(body.data(), body.size(), false).get(document))
    throw bad_request("Body is not valid JSON but content-type is set to 'application/json': " +
                      json_fault(body));
  if (document.get(object_)) throw bad_request("Request body must be a JSON object");
}

void json_body::allow(std::span<const std::string_view> keys) {
  for (const auto key : unknown_in(object_, keys))
    refuse("property " + std::string{key} + " should not exist");
}

void json_body::refuse(std::string message) {
  if (messages_.size() < most_messages)
    messages_.push_back(std::move(message));
  else
    ++further_;
}

void json_body::throw_if_refused() const {
  if (messages_.empty()) return;
  std::string all;
  for (const auto& message : messages_) {
    if (!all.empty()) all += ", ";
    all += message;
  }
  if (further_ > 0) all += ", and " + std::to_string(further_) + " more";
  throw bad_request(std::move(all));
}

std::optional<simdjson::dom::element> find_in(const simdjson::dom::object& object, std::string_view key) {
  std::optional<simdjson::dom::element> found;
  for (const auto field : object)
    if (field.key == key) found = field.value;
  if (found && found->is_null()) return std::nullopt;
  return found;
}

std::vector<std::string_view> unknown_in(const simdjson::dom::object& object,
                                         std::span<const std::string_view> known) {
  std::vector<std::string_view> unknown;
  std::unordered_set<std::string_view> named;
  for (const auto field : object)
    if (std::ranges::find(known, field.key) == known.end() && named.insert(field.key).second)
      unknown.push_back(field.key);
  return unknown;
}

std::optional<std::string_view> as_text(const simdjson::dom::element& value) {
  std::string_view text;
  if (value.get(text)) return std::nullopt;
  return text;
}

std::optional<std::string> as_number_text(const simdjson::dom::element& value) {
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double number = 0;
  if (!value.get(whole)) return std::to_string(whole);
  if (!value.get(large)) return std::to_string(large);
  if (value.get(number)) return std::nullopt;
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::optional<domain::money> as_money(const simdjson::dom::element& value) {
  double number = 0;
  if (value.get(number)) return std::nullopt;
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, number).ptr; // the shortest text that reads back the same
  return domain::parse_money({text, end}).value_or(domain::amount_limit);
}

std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace roost::http
