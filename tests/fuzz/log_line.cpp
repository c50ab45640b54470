#include "domain/text.hpp"
#include "fuzz/support/target.hpp"
#include "log/log.hpp"

#include <rapidjson/document.h>

#include <string>
#include <string_view>

/// Untrusted values in log lines.
namespace roost::fuzz::log_line {
namespace {

/// Returns the byte of `\xNN`, whose backslash and x were read.
char byte_of(std::string_view digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  const auto high = hex.find(digits.at(0)), low = hex.find(digits.at(1));
  require(high != std::string_view::npos && low != std::string_view::npos, "an escape has two digits");
  return static_cast<char>(high * 16 + low);
}

/// Returns the value of a field as a reader of the log sees it.
std::string unescaped(std::string_view value) {
  if (!value.starts_with('"')) {
    require(!value.empty() && value.find_first_of(" =\"\\") == std::string_view::npos,
            "a value without quotes is one word");
    return std::string{value};
  }
  require(value.size() >= 2 && value.ends_with('"'), "a quote ends");
  value = value.substr(1, value.size() - 2);
  constexpr std::string_view named = "\n\r\t\"\\", letters = "nrt\"\\";
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    require(value[i] != '"', "quotes are escaped");
    if (value[i] != '\\') {
      text += value[i];
      continue;
    }
    require(++i < value.size(), "an escape is complete");
    if (value[i] == 'x') {
      require(i + 2 < value.size(), "an escape is complete");
      text += byte_of(value.substr(i + 1, 2));
      i += 2;
      continue;
    }
    const auto letter = letters.find(value[i]);
    require(letter != std::string_view::npos, "an escape is known");
    text += named[letter];
  }
  return text;
}

/// Returns whether a text has only characters that are shown as they are.
bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    const auto length = c >= ' ' && c < 0x7f ? 1 : domain::printable_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void check(std::string_view input) {
  const log::field field{"value", input};
  std::string line;
  field.append_to(line);
  constexpr std::string_view name = " value=";
  require(line.starts_with(name), "a field has a name");
  require(is_printable(line), "a log line has only printable characters");
  require(unescaped(std::string_view{line}.substr(name.size())) == input, "a reader sees the value");

  std::string json = "{\"event\":\"any\"";
  field.append_json_to(json);
  json += '}';
  require(is_printable(json), "an event has only printable characters");
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(json.data(), json.size());
  require(!document.HasParseError() && document.IsObject() && document.MemberCount() == 2,
          "an event is an object with its fields");
  const auto& value = document["value"];
  require(value.IsString(), "a value is a string");
  if (is_printable(input))
    require(std::string_view{value.GetString(), value.GetStringLength()} == input,
            "a reader of JSON sees the value");
}

const target registered{"log_line", "NoValueLooksLikeAnotherFieldOfALogLine", check};

} // namespace
} // namespace roost::fuzz::log_line
