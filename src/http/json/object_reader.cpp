#include "http/json/object_reader.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

namespace roost::http {

namespace {

using simdjson::dom::element;

/// Limits the response: even a small request can contain thousands of errors.
constexpr std::size_t max_messages = 100;

constexpr unsigned parse_flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

std::string with_position(std::string problem, std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto column = before.size() - (before.find_last_of('\n') + 1) + 1; // npos + 1 is 0
  if (problem.ends_with('.')) problem.pop_back();
  return problem + ", at line " + std::to_string(line) + ", column " + std::to_string(column);
}

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

/// Returns a number's shortest text, so that 7 and 7.0 are the same; nullopt for other types.
std::optional<std::string> as_number_text(const element& value) {
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double number = 0;
  if (!value.get(whole)) return std::to_string(whole);
  if (!value.get(large)) return std::to_string(large);
  if (value.get(number)) return std::nullopt;
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// Returns a number as money, exactly, with half cents rounded away from zero; domain::amount_limit beyond
/// the domain's range.
domain::money as_money(const element& value) {
  double number = 0;
  if (value.get(number)) return domain::amount_limit;
  char text[64];
  // The shortest text that reads back as the same number.
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return domain::parse_money({text, end}).value_or(domain::amount_limit);
}

} // namespace

std::string json_fault(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<rapidjson::UTF8<>> handler; // ignores the values
  const auto result = reader.Parse<parse_flags>(stream, handler);
  if (result.IsError())
    return with_position(rapidjson::GetParseError_En(result.Code()), text, result.Offset());
  // RapidJSON's stream ends at a NUL, which is invalid in JSON.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    return with_position("Invalid value", text, nul);
  return "It is nested too deeply";
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

void message_list::throw_if_any() const {
  if (messages_.empty()) return;
  std::string all;
  for (const auto& message : messages_) {
    if (!all.empty()) all += ", ";
    all += message;
  }
  if (further_ > 0) all += ", and " + std::to_string(further_) + " more";
  throw bad_request(std::move(all));
}

json_body::json_body(std::string& text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  simdjson::dom::element document;
  if (parser().parse(text.data(), text.size(), false).get(document)) throw malformed_json(json_fault(text));
  if (document.get(root_)) throw bad_request("Request body must be a JSON object");
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

std::optional<std::string> object_reader::text(std::string_view key, presence expected, std::size_t longest) {
  auto text = this->text(key, expected);
  if (!text) return text;
  if (std::ranges::any_of(*text, is_control)) columns().invalid_format();
  if (length_of(*text) > longest) columns().too_long();
  return text;
}

std::optional<std::string> object_reader::column_text(std::string_view key, std::size_t longest) {
  const auto value = find(key);
  if (!value) return std::nullopt;
  const auto text = as_text(*value);
  if (!text || text->find('\0') != text->npos) { // no column accepts NUL
    columns().invalid_format();
    return std::nullopt;
  }
  if (length_of(*text) > longest) columns().too_long();
  if (text->empty()) return std::nullopt;
  return std::string{*text};
}

std::optional<std::string> object_reader::identifier(std::string_view key, presence expected) {
  const auto convert = [](const element& value) {
    auto text = as_string(value);
    return text ? text : as_number_text(value);
  };
  return read(key, expected, convert, "must be a string or a number");
}

std::optional<std::string> object_reader::identifier(std::string_view key, presence expected,
                                                     std::size_t longest) {
  const auto value = find(key);
  return value && as_text(*value) ? text(key, expected, longest) : identifier(key, expected);
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
  double number = 0;
  const bool is_number = value && !value->get(number);
  const bool is_whole = is_number && number == std::floor(number);
  bool good = true;
  const auto expect = [&](bool holds, std::string rule) {
    if (!holds) refuse(message(key, rule.c_str()));
    good = good && holds;
  };
  if (bounds.greatest)
    expect(is_number && number <= *bounds.greatest,
           "must not be greater than " + std::to_string(*bounds.greatest));
  if (bounds.least)
    expect(is_number && number >= *bounds.least, "must not be less than " + std::to_string(*bounds.least));
  if (bounds.whole)
    expect(is_whole, "must be an integer number");
  else
    expect(is_number, "must be a number conforming to the specified constraints");
  return good ? std::optional{number} : std::nullopt;
}

std::optional<std::string> object_reader::number_text(std::string_view key, presence expected) {
  if (!number(key, expected)) return std::nullopt;
  return as_number_text(*find(key));
}

std::optional<domain::money> object_reader::amount(std::string_view key, presence expected) {
  if (!number(key, expected, {.least = 0})) return std::nullopt;
  const auto amount = as_money(*find(key));
  if (amount >= domain::amount_limit) columns().out_of_range();
  return amount;
}

std::optional<int> object_reader::count(std::string_view key, presence expected, int least, int greatest) {
  const auto sent = number(key, expected, {.least = least});
  if (!sent) return std::nullopt;
  if (*sent != std::floor(*sent)) {
    columns().invalid_format();
  } else if (*sent > greatest) {
    columns().out_of_range();
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

/// Reads the objects of an array; returns whether all items are objects or arrays of objects.
bool object_reader::items(const simdjson::dom::array& in, const std::string& path, known_keys known,
                          unknown_keys others, std::size_t& count,
                          const std::function<void(object_reader&)>& read) {
  bool good = true;
  std::size_t index = 0;
  for (const auto item : in) {
    const auto here = path + std::to_string(index++) + '.';
    simdjson::dom::object object;
    simdjson::dom::array array;
    if (!item.get(object)) {
      object_reader fields(body_, object, here, known, others);
      ++count;
      read(fields);
    } else if (!item.get(array)) {
      good = items(array, here, known, others, count, read) && good;
    } else {
      good = false;
    }
  }
  return good;
}

} // namespace roost::http
