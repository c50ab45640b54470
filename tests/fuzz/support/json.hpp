#pragma once

#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

#include <optional>
#include <string>
#include <string_view>

namespace roost::fuzz {

/// A writer that copies numbers, which RapidJSON's own writes as strings.
struct json_rewriter : rapidjson::PrettyWriter<rapidjson::StringBuffer> {
  using PrettyWriter::PrettyWriter;

  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return RawValue(text, length, rapidjson::kNumberType);
  }
};

/// Returns the document with other blanks and escapes; nullopt if RapidJSON rejects it. Numbers are copied.
/// The text is at most about twice as long, because readers limit the length of JSON that they store as it
/// is.
inline std::optional<std::string> reformatted(std::string_view json) {
  constexpr unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag |
                             rapidjson::kParseIterativeFlag;
  rapidjson::MemoryStream in(json.data(), json.size());
  rapidjson::StringBuffer out;
  json_rewriter writer(out);
  writer.SetIndent(' ', 0); // an indented text grows with the square of its depth
  rapidjson::Reader reader;
  if (!reader.Parse<flags>(in, writer)) return std::nullopt;
  return std::string{out.GetString(), out.GetSize()};
}

} // namespace roost::fuzz
