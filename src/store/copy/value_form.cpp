#include "store/copy/value_form.hpp"

#include "domain/money.hpp"
#include "store/database/cell.hpp"
#include "store/database/error.hpp"
#include "store/usage/costs.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <charconv>
#include <map>
#include <vector>

namespace roost::store {

namespace {

constexpr int sqlite_digits = 15;

constexpr unsigned parse_flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseValidateEncodingFlag;

template <typename Handler>
void parse_value(std::string_view text, Handler& handler) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  if (!reader.Parse<parse_flags>(stream, handler)) throw failure("a column holds invalid JSON");
}

std::string json_string(const char* text, rapidjson::SizeType length) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  writer.String(text, length);
  return {out.GetString(), out.GetSize()};
}

/// Writes numbers kept as text without the quotes that rapidjson's own writer adds.
class compact_writer : public rapidjson::Writer<rapidjson::StringBuffer> {
public:
  explicit compact_writer(rapidjson::StringBuffer& buffer)
      : rapidjson::Writer<rapidjson::StringBuffer>(buffer) {}
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return RawValue(text, length, rapidjson::kNumberType);
  }
};

/// Collects the members of all open objects and writes them sorted by name when the object closes.
class canonical_writer : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, canonical_writer> {
public:
  bool Null() { return put("null"); }
  bool Bool(bool flag) { return put(flag ? "true" : "false"); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const auto number = domain::parse_decimal({text, length});
    if (!number) return false;
    if (number->digits.empty()) return put("0");
    return put((number->negative ? "-" : "") + number->digits + 'e' + std::to_string(number->exponent));
  }
  bool String(const char* text, rapidjson::SizeType length, bool) { return put(json_string(text, length)); }
  bool StartObject() { return open_.emplace_back(), true; }
  bool StartArray() { return open_.emplace_back(), true; }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    open_.back().name = json_string(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    std::string text = "{";
    for (const auto& [name, value] : open_.back().members)
      text.append(text.size() > 1 ? "," : "").append(name).append(":").append(value);
    open_.pop_back();
    return put(text + '}');
  }
  bool EndArray(rapidjson::SizeType) {
    auto text = '[' + open_.back().elements + ']';
    open_.pop_back();
    return put(std::move(text));
  }

  std::string result;

private:
  struct level {
    std::string name; ///< of the next member; empty in an array
    std::map<std::string, std::string> members;
    std::string elements;
  };

  bool put(std::string value) {
    if (open_.empty()) {
      result = std::move(value);
    } else if (auto& parent = open_.back(); !parent.name.empty()) {
      parent.members.insert_or_assign(parent.name, std::move(value));
    } else {
      parent.elements.append(parent.elements.empty() ? "" : ",").append(value);
    }
    return true;
  }

  std::vector<level> open_;
};

/// Removes the whitespace between tokens; changes nothing else. Throws failure for invalid JSON.
std::string compact_json(std::string_view text) {
  rapidjson::StringBuffer out;
  compact_writer writer(out);
  parse_value(text, writer);
  return {out.GetString(), out.GetSize()};
}

/// Returns the same text for all equivalent texts: members are sorted by name, the last of two with one name
/// counts, and numbers are written as digits and an exponent. Throws failure for invalid JSON.
std::string canonical_json(std::string_view text) {
  canonical_writer writer;
  parse_value(text, writer);
  return std::move(writer.result);
}

template <typename Value>
Value parse(std::string_view text) {
  Value value{};
  if (!read_cell(text, value)) throw failure("a column holds an invalid value for its type");
  return value;
}

template <typename Value>
std::string normalized(std::string_view text) {
  return *to_cell(parse<Value>(text));
}

std::string canonical_real(std::string_view text) {
  const auto number = parse<double>(text);
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), number == 0 ? 0 : number,
                                 std::chars_format::general, sqlite_digits)
                       .ptr;
  return {digits.begin(), end};
}

} // namespace

std::optional<value_form> value_form_of(std::string_view type) {
  using enum value_form;
  static constexpr std::array<std::pair<std::string_view, value_form>, 12> forms{
      {{"text", text},
       {"json", text},
       {"jsonb", jsonb},
       {"boolean", boolean},
       {"integer", integer},
       {"bigint", integer},
       {"double precision", real},
       {"real", real},
       {"numeric", decimal},
       {"uuid", uuid},
       {"date", date},
       {"timestamp with time zone", moment}}};
  for (const auto& [name, form] : forms)
    if (name == type) return form;
  return std::nullopt;
}

std::string text_for_target(value_form form, dialect source, dialect target, std::string_view text) {
  if (source == target || target == dialect::postgresql) return std::string(text);
  if (form == value_form::jsonb) return compact_json(text);
  const bool differs = form == value_form::boolean || form == value_form::moment;
  return differs ? canonical_text(form, text) : std::string(text);
}

std::string canonical_text(value_form form, std::string_view text) {
  switch (form) {
  case value_form::boolean:
    return normalized<bool>(text);
  case value_form::moment:
    return normalized<domain::timestamp>(text);
  case value_form::jsonb:
    return canonical_json(text);
  case value_form::real:
    return canonical_real(text);
  case value_form::decimal:
    return domain::to_string(parse_cost(text));
  default:
    return std::string(text);
  }
}

} // namespace roost::store
