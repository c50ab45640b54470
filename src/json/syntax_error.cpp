#include "json/syntax_error.hpp"

#include "domain/text.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>

namespace roost::json {

namespace {

/// Ignores the values.
class text_checker : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, text_checker> {
public:
  bool String(const char* text, rapidjson::SizeType length, bool) { return !holds_surrogate({text, length}); }
};

} // namespace

bool holds_surrogate(std::string_view text) {
  for (auto at = text.find('\xed'); at != std::string_view::npos; at = text.find('\xed', at + 1))
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0) return true;
  return false;
}

syntax_error error_at(std::string_view document, std::size_t offset, std::string_view text) {
  const auto before = document.substr(0, offset);
  const auto line_start = before.rfind('\n') + 1; // npos + 1 is 0: the first line
  if (text.ends_with('.')) text.remove_suffix(1);
  return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          1 + domain::character_count(before.substr(line_start)), std::string(text)};
}

std::optional<syntax_error> find_syntax_error(std::string_view document) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  rapidjson::MemoryStream stream(document.data(), document.size());
  rapidjson::Reader reader;
  text_checker handler;
  const auto result = reader.Parse<flags>(stream, handler);
  if (result.Code() == rapidjson::kParseErrorTermination)
    return error_at(document, result.Offset(), half_surrogate_pair);
  if (result.IsError())
    return error_at(document, result.Offset(), rapidjson::GetParseError_En(result.Code()));
  // The parser treats a NUL as the end of its input.
  if (stream.Tell() != document.size()) return error_at(document, stream.Tell(), "Invalid value");
  return std::nullopt;
}

std::string to_string(const syntax_error& error) {
  return error.text + ", at line " + std::to_string(error.line) + ", column " + std::to_string(error.column);
}

} // namespace roost::json
