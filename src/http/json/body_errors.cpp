#include "http/json/body_errors.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <utility>

namespace roost::http {

namespace {

/// Limits the response: even a small request can contain thousands of errors.
constexpr std::size_t max_messages = 100;

constexpr unsigned parse_flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

using ignoring_handler = rapidjson::BaseReaderHandler<rapidjson::UTF8<>>;

std::string with_position(std::string problem, std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto column = before.size() - (before.find_last_of('\n') + 1) + 1; // npos + 1 is 0
  if (problem.ends_with('.')) problem.pop_back();
  return problem + ", at line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace

std::string json_fault(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  ignoring_handler handler;
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

} // namespace roost::http
