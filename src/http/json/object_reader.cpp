#include "http/json/object_reader.hpp"

#include "domain/entered_text.hpp"
#include "json/syntax_error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

namespace roost::http {

namespace {

using simdjson::dom::element;

/// Limits the response: even a small request can contain thousands of errors.
constexpr std::size_t max_messages = 100;

constexpr const char* no_control_characters = "must not hold control characters";

/// Returns this thread's parser, which reuses its memory. A request is read completely before its handler
/// first suspends, so that one parser per thread is enough.
simdjson::dom::parser& parser() {
  thread_local simdjson::dom::parser reused;
  return reused;
}

std::string message(std::string_view key, const char* rule) { return std::string{key} + ' ' + rule; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Returns a string's text; nullopt for other types.
std::optional<std::string_view> as_text(const element& value) {
  std::string_view text;
  if (value.get(text)) return std::nullopt;
  return text;
}

std::optional<std::string> as_string(const element& value) {
  const auto text = as_text(value);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

/// Returns a number as it was sent, or as the shortest text of the same value; nullopt for other types.
std::optional<std::string> number_text_of(const json_body& body, const element& value) {
  if (const auto sent = body.long_number(value)) return std::string{*sent};
  std::int64_t whole = 0;
  double number = 0;
  if (!value.get(whole)) return std::to_string(whole);
  if (value.get(number)) return std::nullopt;
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// Returns a number as the shortest decimal without an exponent, so that 7, 7.0 and 70e-1 are the same;
/// nullopt for other types. A number of thousands of digits is shortened: it is too long for every field.
std::optional<std::string> plain_number(const json_body& body, const element& value) {
  constexpr long max_zeros = 4'096;
  const auto text = number_text_of(body, value);
  if (!text) return std::nullopt;
  auto number = domain::parse_decimal(*text).value();
  number.exponent = std::clamp(number.exponent, -max_zeros, max_zeros);
  return to_string(number);
}

/// Returns the nearest double, which may be infinite; nullopt for other types.
std::optional<double> double_of(const json_body& body, const element& value) {
  if (const auto sent = body.long_number(value)) return std::strtod(std::string{*sent}.c_str(), nullptr);
  double number = 0;
  if (value.get(number)) return std::nullopt;
  return number;
}

/// Returns a number as money, exactly, with half cents rounded away from zero; domain::amount_limit beyond
/// the domain's range.
domain::money as_money(const json_body& body, const element& value) {
  const auto text = number_text_of(body, value);
  return (text ? domain::parse_money(*text) : std::nullopt).value_or(domain::amount_limit);
}

} // namespace

std::string json_fault(std::string_view text, simdjson::error_code reason) {
  const auto parsed = json::without_long_numbers(domain::without_byte_order_mark(text));
  if (const auto error = json::find_syntax_error(parsed)) return json::to_string(*error);
  return reason == simdjson::DEPTH_ERROR ? "It is nested too deeply" : simdjson::error_message(reason);
}

error malformed_json(const std::string& fault) {
  return bad_request("Body is not valid JSON but content-type is set to 'application/json': " + fault);
}

void message_list::refuse(std::string message) {
  if (messages_.size() < max_messages)
    messages_.push_back(std::move(message));
  else
    ++further_;
}

std::string message_list::text() const {
  std::string all;
  for (const auto& message : messages_) {
    if (!all.empty()) all += ", ";
    all += message;
  }
  if (further_ > 0) all += ", and " + std::to_string(further_) + " more";
  return all;
}

void message_list::throw_if_any() const {
  if (!messages_.empty()) throw bad_request(text());
}

json_body::json_body(std::string& text, column_errors reported) : reported_(reported) {
  auto replaced = numbers_.replace(text);
  auto& parsed = replaced ? *replaced : text;
  parsed.reserve(parsed.size() + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element document;
  const auto content = domain::without_byte_order_mark(parsed);
  if (const auto error = parser().parse(content.data(), content.size(), false).get(document))
    throw malformed_json(json_fault(text, error));
  if (document.get(root_)) throw bad_request("Request body must be a JSON object");
}

std::optional<std::string_view> json_body::long_number(const element& value) const {
  std::uint64_t placeholder = 0;
  if (value.type() != simdjson::dom::element_type::UINT64 || value.get(placeholder)) return std::nullopt;
  return numbers_.find(placeholder);
}

void json_body::throw_if_any() const {
  throw_if_refused();
  columns_.throw_if_any();
}

object_reader::object_reader(json_body& body, known_keys known)
    : object_reader(body, body.root(), {}, known, unknown_keys::refused) {}

object_reader::object_reader(json_body& body, const simdjson::dom::object& object, std::string path,
                             known_keys known, unknown_keys others)
    : body_(body), path_(std::move(path)) {
  std::unordered_set<std::string_view> unknown;
  for (const auto& [key, value] : object) {
    is_empty_ = false;
    if (std::ranges::find(known, key) == known.end()) {
      if (others == unknown_keys::refused && unknown.insert(key).second)
        refuse("property " + std::string{key} + " should not exist");
      continue;
    }
    const auto earlier = std::ranges::find(members_, key, &std::pair<std::string_view, element>::first);
    if (earlier == members_.end())
      members_.emplace_back(key, value);
    else
      earlier->second = value;
  }
}

std::optional<element> object_reader::find(std::string_view key) const {
  const auto member = std::ranges::find(members_, key, &std::pair<std::string_view, element>::first);
  if (member == members_.end() || member->second.is_null()) return std::nullopt;
  return member->second;
}

/// Reads a value with `convert`, which returns nullopt for other types.
template <typename Convert>
auto object_reader::read(std::string_view key, presence expected, Convert convert, const char* rule)
    -> decltype(convert(element())) {
  const auto value = find(key);
  if (!value && expected == presence::optional) return std::nullopt;
  auto converted = value ? convert(*value) : std::nullopt;
  if (!converted) refuse(message(key, rule));
  return converted;
}

std::optional<std::string> object_reader::text(std::string_view key, presence expected) {
  return read(key, expected, as_string, "must be a string");
}

std::optional<std::string> object_reader::text_if(std::string_view key) const {
  const auto value = find(key);
  return value ? as_string(*value) : std::nullopt;
}

std::optional<std::string> object_reader::text(std::string_view key, presence expected,
                                               std::size_t max_length) {
  auto text = this->text(key, expected);
  if (!text) return text;
  if (std::ranges::any_of(*text, is_control)) refuse_format(key, no_control_characters);
  if (length_of(*text) > max_length) refuse_length(key, max_length);
  return text;
}

std::optional<std::string> object_reader::column_text(std::string_view key, std::size_t max_length) {
  const auto value = find(key);
  if (!value) return std::nullopt;
  const auto text = as_text(*value);
  if (!text || has_nul(*text)) {
    refuse_format(key, text ? no_control_characters : "must be a string");
    return std::nullopt;
  }
  if (length_of(*text) > max_length) refuse_length(key, max_length);
  if (text->empty()) return std::nullopt;
  return std::string{*text};
}

std::optional<std::string> object_reader::identifier(std::string_view key, presence expected) {
  const auto convert = [this](const element& value) {
    auto text = as_string(value);
    return text ? text : plain_number(body_, value);
  };
  return read(key, expected, convert, "must be a string or a number");
}

std::optional<std::string> object_reader::identifier(std::string_view key, presence expected,
                                                     std::size_t max_length) {
  const auto value = find(key);
  return value && as_text(*value) ? text(key, expected, max_length) : identifier(key, expected);
}

std::optional<bool> object_reader::flag(std::string_view key, presence expected) {
  const auto convert = [](const element& value) {
    bool flag = false;
    return value.get(flag) ? std::nullopt : std::optional{flag};
  };
  return read(key, expected, convert, "must be a boolean value");
}

std::optional<double> object_reader::number(std::string_view key, presence expected,
                                            const number_bounds& bounds) {
  const auto value = find(key);
  if (!value && expected == presence::optional) return std::nullopt;
  const auto sent = value ? double_of(body_, *value) : std::nullopt;
  const auto number = sent.value_or(0);
  const bool is_number = sent.has_value();
  const bool is_whole = is_number && number == std::floor(number);
  bool good = true;
  const auto expect = [&](bool holds, std::string rule) {
    if (!holds) refuse(message(key, rule.c_str()));
    good = good && holds;
  };
  if (bounds.max)
    expect(is_number && number <= *bounds.max, "must not be greater than " + std::to_string(*bounds.max));
  if (bounds.min)
    expect(is_number && number >= *bounds.min, "must not be less than " + std::to_string(*bounds.min));
  if (bounds.whole)
    expect(is_whole, "must be an integer number");
  else
    expect(is_number, "must be a number conforming to the specified constraints");
  return good ? std::optional{number} : std::nullopt;
}

std::optional<std::string> object_reader::number_text(std::string_view key, presence expected) {
  constexpr std::size_t max_length = 32;
  if (!number(key, expected)) return std::nullopt;
  auto text = plain_number(body_, *find(key));
  if (text->size() > max_length)
    refuse_range(key, "must not have more than " + std::to_string(max_length) + " digits");
  return text;
}

std::optional<domain::money> object_reader::amount(std::string_view key, presence expected) {
  if (!number(key, expected, {.min = 0})) return std::nullopt;
  const auto amount = as_money(body_, *find(key));
  if (amount >= domain::amount_limit) refuse_range(key, below_amount_limit);
  return amount;
}

std::optional<int> object_reader::count(std::string_view key, presence expected, int min, int max) {
  const auto sent = number(key, expected, {.min = min});
  if (!sent) return std::nullopt;
  if (*sent != std::floor(*sent)) {
    refuse_format(key, "must be an integer number");
  } else if (*sent > max) {
    refuse_range(key, "must not be greater than " + std::to_string(max));
  } else {
    return static_cast<int>(*sent);
  }
  return std::nullopt;
}

std::optional<domain::date> object_reader::day(std::string_view key, presence expected) {
  const auto convert = [](const element& value) {
    const auto text = as_text(value);
    return text ? domain::parse_date(*text) : std::nullopt;
  };
  return read(key, expected, convert, "must be a valid ISO 8601 date string");
}

bool object_reader::object(std::string_view key, known_keys known, unknown_keys others,
                           const std::function<void(object_reader&)>& read) {
  const auto value = find(key);
  simdjson::dom::object object;
  if (!value) return true;
  if (value->get(object)) return false;
  object_reader fields(body_, object, path_ + std::string{key} + '.', known, others);
  read(fields);
  return true;
}

std::size_t object_reader::objects(std::string_view key, presence expected, known_keys known,
                                   unknown_keys others, const std::function<void(object_reader&)>& read) {
  const auto value = find(key);
  std::size_t count = 0;
  if (!value && expected == presence::optional) return count;
  simdjson::dom::array array;
  if (!value || value->get(array)) {
    refuse(message(key, "must be an array"));
    return count;
  }
  const auto path = path_ + std::string{key} + '.';
  if (!items(array, path, known, others, count, read))
    body_.refuse(path + "each value in nested property " + std::string{key} +
                 " must be either object or array");
  return count;
}

void object_reader::refuse_format(std::string_view key, std::string_view rule) {
  refuse_in_column(key, rule, &column_problems::invalid_format);
}

void object_reader::refuse_length(std::string_view key, std::size_t max_length) {
  refuse_in_column(key, "must not be longer than " + std::to_string(max_length) + " characters",
                   &column_problems::too_long);
}

void object_reader::refuse_range(std::string_view key, std::string_view rule) {
  refuse_in_column(key, rule, &column_problems::out_of_range);
}

void object_reader::refuse_missing(std::string_view key) {
  refuse_in_column(key, "is required", &column_problems::missing);
}

void object_reader::refuse_in_column(std::string_view key, std::string_view rule,
                                     void (column_problems::*add)()) {
  if (body_.reported() == column_errors::named)
    refuse(std::string(key).append(1, ' ').append(rule));
  else
    (body_.columns().*add)();
}

/// Reads the objects of an array; returns whether all items are objects or arrays of objects.
bool object_reader::items(const simdjson::dom::array& in, const std::string& path, known_keys known,
                          unknown_keys others, std::size_t& count,
                          const std::function<void(object_reader&)>& read) {
  bool good = true;
  std::size_t index = 0;
  for (const auto item : in) {
    const auto element_path = path + std::to_string(index++) + '.';
    simdjson::dom::object object;
    simdjson::dom::array array;
    if (!item.get(object)) {
      object_reader fields(body_, object, element_path, known, others);
      ++count;
      read(fields);
    } else if (!item.get(array)) {
      good = items(array, element_path, known, others, count, read) && good;
    } else {
      good = false;
    }
  }
  return good;
}

} // namespace roost::http
