#pragma once

#include "service/support/json_text.hpp"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/schema.h>

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// An OpenAPI document of a running server, to hold its answers against.
class openapi {
public:
  explicit openapi(const std::string& text) {
    if (document_.Parse(text.data(), text.size()).HasParseError())
      throw std::runtime_error("the OpenAPI document is no JSON");
    refuse_unknown_members(document_["components"]["schemas"]);
  }

  struct told_operation {
    std::string method, path;
  };

  std::vector<told_operation> operations() const {
    std::vector<told_operation> all;
    for (const auto& path : document_["paths"].GetObject())
      for (const auto& method : path.value.GetObject())
        all.push_back({method.name.GetString(), path.name.GetString()});
    return all;
  }

  /// Whether the operation has a parameter in a header field of this name.
  bool needs_header(const told_operation& of, const std::string& name) const {
    const auto* parameters = at({"paths", of.path, of.method, "parameters"});
    if (!parameters) return false;
    for (const auto& parameter : parameters->GetArray())
      if (parameter["in"] == "header" && parameter["name"] == name.c_str()) return true;
    return false;
  }

  /// Whether the answer of this status is said to have a header field of this name.
  bool tells_header(const told_operation& of, unsigned status, const std::string& name) const {
    return at({"paths", of.path, of.method, "responses", std::to_string(status), "headers", name}) != nullptr;
  }

  /// What the examples of an error say.
  std::set<std::string> messages(const told_operation& of, unsigned status) const {
    std::set<std::string> all;
    const auto* media =
        at({"paths", of.path, of.method, "responses", std::to_string(status), "content", "application/json"});
    if (!media) return all;
    if (media->HasMember("example")) all.emplace((*media)["example"]["message"].GetString());
    if (media->HasMember("examples"))
      for (const auto& each : (*media)["examples"].GetObject())
        all.emplace(each.value["value"]["message"].GetString());
    return all;
  }

  /// The example of what an operation takes; empty when it takes nothing.
  std::string body_example(const told_operation& of) const {
    const auto* reference =
        at({"paths", of.path, of.method, "requestBody", "content", "application/json", "schema", "$ref"});
    if (!reference) return "";
    const std::string_view place = "#/components/schemas/";
    const auto name = std::string(reference->GetString()).substr(place.size());
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer(text);
    (*at({"components", "schemas", name, "examples"}))[0].Accept(writer);
    return text.GetString();
  }

  /// Why a body is not what the operation's answer of this status is said to be; empty when it is.
  std::string mismatch(const told_operation& of, unsigned status, const std::string& body) const {
    const auto* answer = at({"paths", of.path, of.method, "responses", std::to_string(status)});
    if (!answer) return "the status " + std::to_string(status) + " is not told";
    const auto* schema = at({"paths", of.path, of.method, "responses", std::to_string(status), "content",
                             "application/json", "schema"});
    if (!schema) return body.empty() ? "" : "a body is not told";
    return mismatch(*schema, body);
  }

  std::string mismatch_of_schema(const std::string& name, const std::string& body) const {
    const auto* schema = at({"components", "schemas", name});
    return schema ? mismatch(*schema, body) : "there is no schema " + name;
  }

  const rapidjson::Document& document() const { return document_; }

  const rapidjson::Value* at(const std::vector<std::string>& path) const {
    const rapidjson::Value* found = &document_;
    for (const auto& name : path) {
      if (!found->IsObject() || !found->HasMember(name.c_str())) return nullptr;
      found = &(*found)[name.c_str()];
    }
    return found;
  }

private:
  /// A member that no schema names is a difference between code and document. Partners must not rely on it,
  /// so it is not in the document itself.
  void refuse_unknown_members(rapidjson::Value& in) {
    if (in.IsArray())
      for (auto& each : in.GetArray()) refuse_unknown_members(each);
    if (!in.IsObject()) return;
    for (auto& member : in.GetObject()) refuse_unknown_members(member.value);
    const auto type = in.FindMember("type");
    if (type != in.MemberEnd() && type->value == "object" && in.HasMember("properties") &&
        !in.HasMember("additionalProperties"))
      in.AddMember("additionalProperties", false, document_.GetAllocator());
  }

  std::string mismatch(const rapidjson::Value& schema, const std::string& body) const {
    rapidjson::Document whole(rapidjson::kObjectType);
    auto& memory = whole.GetAllocator();
    rapidjson::Value one(schema, memory), all(rapidjson::kArrayType), parts(document_["components"], memory);
    all.PushBack(one, memory);
    whole.AddMember("allOf", all, memory);
    whole.AddMember("components", parts, memory);
    const rapidjson::SchemaDocument compiled(whole);
    rapidjson::SchemaValidator validator(compiled);
    rapidjson::Document parsed;
    if (parsed.Parse(body.data(), body.size()).HasParseError()) return "no JSON: " + body.substr(0, 100);
    if (parsed.Accept(validator)) return "";
    rapidjson::StringBuffer place;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(place);
    return std::string(validator.GetInvalidSchemaKeyword()) + " at " + place.GetString();
  }

  rapidjson::Document document_;
};

} // namespace roost::testing
