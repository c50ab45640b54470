#pragma once

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/schema.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// An OpenAPI document of a running server, against which tests validate responses.
class openapi {
public:
  explicit openapi(const std::string& text) {
    if (document_.Parse(text.data(), text.size()).HasParseError())
      throw std::runtime_error("the OpenAPI document is not JSON");
    auto& schemas = document_["components"]["schemas"];
    for (auto& schema : schemas.GetObject()) merge_bases(schema.value, schemas);
    reject_unknown_members(schemas);
  }

  struct operation {
    std::string method, path;
  };

  /// Returns those that delete last, so that all others can use the same examples.
  std::vector<operation> operations() const {
    std::vector<operation> all;
    for (const auto& path : document_["paths"].GetObject())
      for (const auto& method : path.value.GetObject())
        all.push_back({method.name.GetString(), path.name.GetString()});
    std::stable_partition(all.begin(), all.end(), [](const auto& each) { return each.method != "delete"; });
    return all;
  }

  /// Whether the operation has a header parameter of this name.
  bool needs_header(const operation& op, const std::string& name) const {
    return requires_header(op, name).has_value();
  }

  /// Returns whether the operation requires the header parameter of this name; nullopt if it has none.
  std::optional<bool> requires_header(const operation& op, const std::string& name) const {
    const auto* parameters = at({"paths", op.path, op.method, "parameters"});
    if (!parameters) return std::nullopt;
    for (const auto& parameter : parameters->GetArray())
      if (parameter["in"] == "header" && parameter["name"] == name.c_str())
        return parameter["required"].GetBool();
    return std::nullopt;
  }

  bool has_query(const operation& op, const std::string& name) const {
    const auto* parameters = at({"paths", op.path, op.method, "parameters"});
    if (!parameters) return false;
    for (const auto& parameter : parameters->GetArray())
      if (parameter["in"] == "query" && parameter["name"] == name.c_str()) return true;
    return false;
  }

  bool documents_status(const operation& op, unsigned status) const {
    return at({"paths", op.path, op.method, "responses", std::to_string(status)}) != nullptr;
  }

  /// Whether the response of this status is documented with a header field of this name.
  bool documents_header(const operation& op, unsigned status, const std::string& name) const {
    return at({"paths", op.path, op.method, "responses", std::to_string(status), "headers", name}) != nullptr;
  }

  /// Returns the messages of an error's examples.
  std::set<std::string> messages(const operation& op, unsigned status) const {
    std::set<std::string> all;
    const auto* media =
        at({"paths", op.path, op.method, "responses", std::to_string(status), "content", "application/json"});
    if (!media) return all;
    if (media->HasMember("example")) all.emplace((*media)["example"]["message"].GetString());
    if (media->HasMember("examples"))
      for (const auto& example : (*media)["examples"].GetObject())
        all.emplace(example.value["value"]["message"].GetString());
    return all;
  }

  /// Returns the example of an operation's request body; empty when it has none.
  std::string body_example(const operation& op) const {
    const auto* reference =
        at({"paths", op.path, op.method, "requestBody", "content", "application/json", "schema", "$ref"});
    if (!reference) return "";
    const std::string_view prefix = "#/components/schemas/";
    const auto name = std::string(reference->GetString()).substr(prefix.size());
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer(text);
    (*at({"components", "schemas", name, "examples"}))[0].Accept(writer);
    return text.GetString();
  }

  /// Returns why a body violates the schema of this response; empty when it matches.
  std::string mismatch(const operation& op, unsigned status, const std::string& body) const {
    const auto* response = at({"paths", op.path, op.method, "responses", std::to_string(status)});
    if (!response) return "the status " + std::to_string(status) + " is not documented";
    const auto* schema = at({"paths", op.path, op.method, "responses", std::to_string(status), "content",
                             "application/json", "schema"});
    if (!schema) return body.empty() ? "" : "the body is not documented";
    return mismatch(*schema, body);
  }

  std::string mismatch_of_schema(const std::string& name, const std::string& body) const {
    const auto* schema = at({"components", "schemas", name});
    return schema ? mismatch(*schema, body) : "there is no schema " + name;
  }

  const rapidjson::Document& document() const { return document_; }

  const rapidjson::Value* at(const std::vector<std::string>& path) const {
    const rapidjson::Value* value = &document_;
    for (const auto& name : path) {
      if (!value->IsObject() || !value->HasMember(name.c_str())) return nullptr;
      value = &(*value)[name.c_str()];
    }
    return value;
  }

private:
  /// Merges the objects that the schema combines (`allOf`) into one, so that each may reject the members that
  /// the document does not name.
  void merge_bases(rapidjson::Value& schema, rapidjson::Value& schemas) {
    const auto parts = schema.FindMember("allOf");
    if (parts == schema.MemberEnd()) return;
    auto& memory = document_.GetAllocator();
    rapidjson::Value merged(rapidjson::kObjectType), properties(rapidjson::kObjectType),
        required(rapidjson::kArrayType);
    for (auto& part : parts->value.GetArray()) {
      auto* object = &part;
      if (part.HasMember("$ref")) {
        const std::string name = part["$ref"].GetString();
        object = &schemas[name.substr(name.rfind('/') + 1).c_str()];
        merge_bases(*object, schemas);
      }
      for (const auto& member : (*object)["properties"].GetObject())
        properties.AddMember(rapidjson::Value(member.name, memory), rapidjson::Value(member.value, memory),
                             memory);
      if (object->HasMember("required"))
        for (const auto& name : (*object)["required"].GetArray())
          required.PushBack(rapidjson::Value(name, memory), memory);
    }
    merged.AddMember("type", "object", memory);
    merged.AddMember("properties", properties, memory);
    merged.AddMember("required", required, memory);
    if (schema.HasMember("examples")) merged.AddMember("examples", schema["examples"], memory);
    schema = merged;
  }

  /// Adds `additionalProperties: false`, so that members missing from the document are mismatches. The
  /// document itself omits it because partners must not rely on it.
  void reject_unknown_members(rapidjson::Value& schema) {
    if (schema.IsArray())
      for (auto& element : schema.GetArray()) reject_unknown_members(element);
    if (!schema.IsObject()) return;
    for (auto& member : schema.GetObject()) reject_unknown_members(member.value);
    const auto type = schema.FindMember("type");
    if (type != schema.MemberEnd() && type->value == "object" && schema.HasMember("properties") &&
        !schema.HasMember("additionalProperties"))
      schema.AddMember("additionalProperties", false, document_.GetAllocator());
  }

  std::string mismatch(const rapidjson::Value& schema, const std::string& body) const {
    rapidjson::Document whole(rapidjson::kObjectType);
    auto& memory = whole.GetAllocator();
    rapidjson::Value copy(schema, memory), all_of(rapidjson::kArrayType),
        components(document_["components"], memory);
    all_of.PushBack(copy, memory);
    whole.AddMember("allOf", all_of, memory);
    whole.AddMember("components", components, memory);
    const rapidjson::SchemaDocument compiled(whole);
    rapidjson::SchemaValidator validator(compiled);
    rapidjson::Document parsed;
    if (parsed.Parse(body.data(), body.size()).HasParseError()) return "not JSON: " + body.substr(0, 100);
    if (parsed.Accept(validator)) return "";
    rapidjson::StringBuffer location;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(location);
    return std::string(validator.GetInvalidSchemaKeyword()) + " at " + location.GetString();
  }

  rapidjson::Document document_;
};

/// The OpenAPI documents of the shipped platforms whose operations all work with a portfolio of one account.
inline const std::vector<std::string> partner_documents{
    "marketplace-a",  "marketplace-b",   "marketplace-b-webhook", "marketplace-c",   "marketplace-d",
    "booking-engine", "channel-manager", "room-sharing",          "student-housing", "landlord-one"};

inline std::vector<std::string> partner_documents_with(const std::vector<std::string>& more) {
  auto all = partner_documents;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Returns the prefix of the routes in a document.
inline std::string prefix_of(std::string document) {
  constexpr std::string_view webhook = "-webhook";
  if (document.ends_with(webhook)) document.resize(document.size() - webhook.size());
  return document;
}

inline openapi document_of(const running_roost& server, const std::string& name) {
  return openapi{send_request(server.port(), "GET", "/" + name + "-json").body};
}

/// Returns an operation's path without its prefix, with these parameters and the required ones of a query.
/// `other` is the ID of a change or of a hold.
inline std::string path_below(const std::string& prefix, std::string path, const std::string& landlord_key,
                              const std::string& id,
                              const std::string& booking = "7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a",
                              const std::string& other = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9") {
  const std::map<std::string, std::string> values{
      {"{landlordKey}", landlord_key}, {"{externalId}", id},  {"{listingId}", id},
      {"{bookingId}", booking},        {"{changeId}", other}, {"{holdId}", other}};
  for (const auto& [name, value] : values)
    if (const auto at = path.find(name); at != std::string::npos) path.replace(at, name.size(), value);
  if (path.ends_with("/quote")) path += "?checkInDate=2027-02-01&checkOutDate=2027-05-01";
  return path.substr(prefix.size() + 1);
}

inline bool is_of_change(const openapi::operation& operation) {
  return operation.path.ends_with("/changes/{changeId}");
}

inline bool is_of_hold(const openapi::operation& operation) {
  return operation.path.ends_with("/holds/{holdId}");
}

/// Returns a request body for an operation, about this unit.
inline std::string body_for(const std::string& path, const std::string& id) {
  if (path == "/marketplace-a/webhook")
    return R"({"event":"booking-paid","offer_api_reference":")" + id + R"(","booking_id":7,)" +
           R"("move_in_date":"2099-01-01","move_out_date":"2099-02-01","contract_price_amount":68300})";
  if (path == "/marketplace-b/{landlordKey}/webhook")
    return R"({"notification_type":"booking_paid","listing_external_reference":")" + id + R"(",)" +
           R"("booking_uuid":"7","booking_start_date":"2099-01-01","booking_end_date":"2099-02-01"})";
  if (path == "/booking-engine/listing") return listing_update(id);
  if (path == "/booking-engine/property-listing") return engine_property("P1", 2);
  if (path.ends_with("/changes/{changeId}"))
    return R"({"checkInDate":")" + day_from_now(40) + R"(","checkOutDate":")" + day_from_now(50) + R"("})";
  if (path.ends_with("/holds/{holdId}"))
    return R"({"externalId":")" + id + R"(","checkInDate":"2089-01-01","checkOutDate":"2089-02-01",)" +
           R"("minutes":15})";
  return booking(id, 30, 60);
}

/// Sends an operation's request below the partner's prefix; GET and DELETE ignore `body`.
inline raw_response send(const partner& sender, const openapi::operation& operation, const std::string& path,
                         const std::string& body, const header_fields& fields = {}) {
  if (operation.method == "get") return sender.get(path, fields);
  if (operation.method == "delete") return sender.erase(path, fields);
  return operation.method == "put" ? sender.put(path, body, fields) : sender.post(path, body, fields);
}

/// Returns the message of an error response, or an empty string.
inline std::string message_of(const raw_response& response) {
  const auto quoted = json_at(response.body, "/message");
  return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
}

} // namespace roost::testing
