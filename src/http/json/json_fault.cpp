#include "http/json/json_fault.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>

namespace roost::http {

namespace {

constexpr unsigned parse_flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

using nothing = rapidjson::BaseReaderHandler<rapidjson::UTF8<>>;

std::string at(std::string what, std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto column = before.size() - (before.find_last_of('\n') + 1) + 1; // npos + 1 is 0
  if (what.ends_with('.')) what.pop_back();
  return what + ", at line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace

std::string json_fault(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  nothing handler;
  const auto result = reader.Parse<parse_flags>(stream, handler);
  if (result.IsError()) return at(rapidjson::GetParseError_En(result.Code()), text, result.Offset());
  // A stream ends at a NUL, which no JSON has.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) return at("Invalid value", text, nul);
  return "It is nested too deeply";
}

error malformed_json(const std::string& fault) {
  return bad_request("Body is not valid JSON but content-type is set to 'application/json': " + fault);
}

} // namespace roost::http
