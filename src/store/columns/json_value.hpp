#pragma once

#include "store/database/error.hpp"

#include <rapidjson/document.h>

#include <string>
#include <string_view>

/// Readers for the JSON of a column. All throw failure if the JSON is not in the written format.
namespace roost::store {

inline void expect(bool is_valid) {
  if (!is_valid) throw failure("a JSON column has an invalid value");
}

inline rapidjson::Document parsed(std::string_view json) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  expect(!document.HasParseError());
  return document;
}

inline const rapidjson::Value& member(const rapidjson::Value& object, const char* name) {
  expect(object.IsObject());
  const auto it = object.FindMember(name);
  expect(it != object.MemberEnd());
  return it->value;
}

inline std::string text_of(const rapidjson::Value& value) {
  expect(value.IsString());
  return {value.GetString(), value.GetStringLength()};
}

} // namespace roost::store
