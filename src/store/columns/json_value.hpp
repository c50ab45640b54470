#pragma once

#include "domain/account.hpp"
#include "store/database/error.hpp"

#include <rapidjson/document.h>

#include <string>
#include <string_view>

/// Reading the JSON of a column. Each throws failure when it is not what was written.
namespace roost::store {

inline void expect(bool as_written) {
  if (!as_written) throw failure("a JSON column does not hold what it should");
}

inline rapidjson::Document parsed(std::string_view json) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  expect(!document.HasParseError());
  return document;
}

inline const rapidjson::Value& member(const rapidjson::Value& of, const char* name) {
  expect(of.IsObject());
  const auto found = of.FindMember(name);
  expect(found != of.MemberEnd());
  return found->value;
}

inline std::string text_of(const rapidjson::Value& value) {
  expect(value.IsString());
  return {value.GetString(), value.GetStringLength()};
}

domain::payment_terms payment_terms_of(const rapidjson::Value& value);

} // namespace roost::store
