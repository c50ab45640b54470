#pragma once

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roost::support {

/// Sets the value at `pointer` (RFC 6901) to `json`, or removes it if `json` is empty. `-` appends to arrays.
struct edit {
  std::string pointer;
  std::string json;
};

/// Returns the document with the edits applied. Throws std::logic_error if an edit cannot be applied.
inline std::string edited(std::string_view document, const std::vector<edit>& edits) {
  rapidjson::Document tree;
  tree.Parse(document.data(), document.size());
  for (const auto& [pointer, json] : edits) {
    const rapidjson::Pointer at{pointer.data(), pointer.size()};
    if (json.empty()) {
      if (!at.Erase(tree)) throw std::logic_error("nothing to remove at " + pointer);
      continue;
    }
    rapidjson::Document value{&tree.GetAllocator()};
    value.Parse(json.data(), json.size());
    if (value.HasParseError()) throw std::logic_error("no JSON for " + pointer + ": " + json);
    at.Set(tree, static_cast<rapidjson::Value&>(value), tree.GetAllocator());
  }
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer{text};
  tree.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

} // namespace roost::support
