#include "http/documents/openapi.hpp"

#include "domain/lower_case.hpp"
#include "domain/platform_traits.hpp"
#include "http/protocol/document_route.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace roost::embedded {
extern const std::string_view openapi_common, openapi_listing, openapi_booking, openapi_full_a,
    openapi_full_b, openapi_full_c, openapi_full_d, openapi_webhook, openapi_engine, openapi_usage,
    openapi_sessions;
} // namespace roost::embedded

namespace roost::http {

namespace {

using rapidjson::Value;

constexpr std::string_view schema_place = "#/components/schemas/";

/// Ways to authenticate.
constexpr std::string_view partner_token = "partner_token", webhook_key = "webhook_key";

/// Every schema that there is, by name.
rapidjson::Document all_schemas(rapidjson::Document::AllocatorType& memory) {
  rapidjson::Document all(&memory);
  all.SetObject();
  for (const auto* text : {&embedded::openapi_common, &embedded::openapi_listing, &embedded::openapi_booking,
                           &embedded::openapi_full_a, &embedded::openapi_full_b, &embedded::openapi_full_c,
                           &embedded::openapi_full_d, &embedded::openapi_webhook, &embedded::openapi_engine,
                           &embedded::openapi_usage, &embedded::openapi_sessions}) {
    rapidjson::Document part(&memory);
    if (part.Parse(text->data(), text->size()).HasParseError())
      throw std::logic_error("an OpenAPI schema is no JSON");
    for (auto& member : part.GetObject()) all.AddMember(member.name, member.value, memory);
  }
  return all;
}

/// An answer that is not told by the routes themselves.
struct common_error {
  unsigned status;
  std::string_view description;
};
constexpr std::array common_errors{
    common_error{400, "The request is malformed, or a field is"},
    common_error{401, "The credentials are missing or not valid here"},
    common_error{404, "There is no such path or listing"},
    common_error{410, "The account of the svc-api-key has moved to the native booking engine"},
    common_error{500, "An unexpected failure"},
    common_error{503, "The service is busy, or this feed is not configured; see Retry-After"},
};

class document_builder {
public:
  explicit document_builder(const documented_api& of) : api_(of) {}

  std::string build(const std::vector<route>& routes) {
    document_.SetObject();
    put(document_, "openapi", "3.1.0");
    document_.AddMember("info", info(), memory());
    document_.AddMember("security", security(), memory());
    Value paths(rapidjson::kObjectType);
    for (const auto& each : routes)
      if (each.documented) add_path(paths, each);
    document_.AddMember("paths", paths, memory());
    document_.AddMember("components", components(), memory());
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer(text);
    document_.Accept(writer);
    return {text.GetString(), text.GetSize()};
  }

private:
  rapidjson::Document::AllocatorType& memory() { return document_.GetAllocator(); }

  Value text(std::string_view value) {
    return {value.data(), static_cast<rapidjson::SizeType>(value.size()), memory()};
  }

  void put(Value& to, std::string_view name, std::string_view value) {
    to.AddMember(text(name), text(value), memory());
  }

  Value info() {
    Value info(rapidjson::kObjectType);
    put(info, "title", api_.title);
    put(info, "version", "1");
    put(info, "description", api_.description);
    return info;
  }

  /// One of them is enough.
  Value security() {
    Value all(rapidjson::kArrayType);
    for (const auto scheme : schemes()) {
      Value requirement(rapidjson::kObjectType);
      requirement.AddMember(text(scheme), Value(rapidjson::kArrayType), memory());
      all.PushBack(requirement, memory());
    }
    return all;
  }

  std::vector<std::string_view> schemes() const {
    if (!api_.wants_token) return {};
    if (!api_.takes_webhook_key) return {partner_token};
    return {partner_token, webhook_key};
  }

  void add_path(Value& paths, const route& of) {
    const auto path = (api_.prefix.empty() ? "" : "/" + api_.prefix) + of.pattern;
    const auto method = domain::lower_case(of.method);
    if (!paths.HasMember(path.c_str())) paths.AddMember(text(path), Value(rapidjson::kObjectType), memory());
    paths[path.c_str()].AddMember(text(method), operation_of(of), memory());
  }

  Value operation_of(const route& of) {
    const auto& told = *of.documented;
    Value operation(rapidjson::kObjectType);
    put(operation, "operationId", told.id);
    put(operation, "summary", told.summary);
    if (auto parameters = parameters_of(of.pattern, told); !parameters.Empty())
      operation.AddMember("parameters", parameters, memory());
    if (!told.body_schema.empty()) operation.AddMember("requestBody", body_of(told.body_schema), memory());
    operation.AddMember("responses", answers_of(told), memory());
    if (told.is_open) operation.AddMember("security", Value(rapidjson::kArrayType), memory());
    return operation;
  }

  Value parameters_of(std::string_view pattern, const operation& told) {
    Value parameters(rapidjson::kArrayType);
    for (auto open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1))
      parameters.PushBack(parameter("path", pattern.substr(open + 1, pattern.find('}', open) - open - 1)),
                          memory());
    for (const auto& header : told.headers) {
      auto each = parameter("header", header.name);
      put(each, "description", header.description);
      parameters.PushBack(each, memory());
    }
    for (const auto& query : told.queries) {
      auto each = parameter("query", query.name, false, reference_to(query.schema));
      put(each, "description", query.description);
      parameters.PushBack(each, memory());
    }
    return parameters;
  }

  Value parameter(std::string_view in, std::string_view name) {
    return parameter(in, name, true, type("string"));
  }

  Value parameter(std::string_view in, std::string_view name, bool is_required, Value schema) {
    Value parameter(rapidjson::kObjectType);
    put(parameter, "name", name);
    put(parameter, "in", in);
    parameter.AddMember("required", is_required, memory());
    parameter.AddMember("schema", schema, memory());
    return parameter;
  }

  Value reference_to(std::string_view schema) {
    used_.emplace(schema);
    Value reference(rapidjson::kObjectType);
    put(reference, "$ref", std::string(schema_place) + std::string(schema));
    return reference;
  }

  Value content_of(Value schema, std::string_view media_type = "application/json") {
    Value media(rapidjson::kObjectType), content(rapidjson::kObjectType);
    media.AddMember("schema", schema, memory());
    content.AddMember(text(media_type), media, memory());
    return content;
  }

  Value body_of(std::string_view schema) {
    Value body(rapidjson::kObjectType);
    body.AddMember("required", true, memory());
    body.AddMember("content", content_of(reference_to(schema)), memory());
    return body;
  }

  Value answers_of(const operation& told) {
    Value answers(rapidjson::kObjectType);
    for (const auto& answer : told.answers) {
      Value each(rapidjson::kObjectType);
      put(each, "description", answer.description);
      if (!answer.text_type.empty())
        each.AddMember("content", content_of(type("string"), answer.text_type), memory());
      else if (!answer.schema.empty())
        each.AddMember("content", content_of(schema_of(answer)), memory());
      answers.AddMember(text(std::to_string(answer.status)), each, memory());
    }
    for (const auto& error : common_errors) {
      if (error.status == 401 && !api_.wants_token) continue;
      if (error.status == 410 && !api_.accounts_move) continue;
      const auto status = std::to_string(error.status);
      if (answers.HasMember(status.c_str())) continue;
      Value each(rapidjson::kObjectType);
      put(each, "description", error.description);
      each.AddMember("content", content_of(reference_to("Error")), memory());
      answers.AddMember(text(status), each, memory());
    }
    return answers;
  }

  Value type(std::string_view name) {
    Value schema(rapidjson::kObjectType);
    put(schema, "type", name);
    return schema;
  }

  Value schema_of(const documented_answer& answer) {
    if (!answer.list) return reference_to(answer.schema);
    auto list = type("array");
    list.AddMember("items", reference_to(answer.schema), memory());
    return list;
  }

  /// Only the schemas that the document refers to, however indirectly.
  Value components() {
    auto all = all_schemas(memory());
    Value schemas(rapidjson::kObjectType);
    std::set<std::string> added;
    while (added != used_) {
      const auto wanted = used_;
      for (const auto& name : wanted) {
        if (!added.insert(name).second) continue;
        if (!all.HasMember(name.c_str())) throw std::logic_error("there is no OpenAPI schema " + name);
        note_references(all[name.c_str()]);
        schemas.AddMember(text(name), all[name.c_str()], memory());
      }
    }
    Value components(rapidjson::kObjectType);
    if (api_.wants_token) components.AddMember("securitySchemes", security_schemes(), memory());
    components.AddMember("schemas", schemas, memory());
    return components;
  }

  Value security_schemes() {
    Value all(rapidjson::kObjectType);
    for (const auto scheme : schemes())
      all.AddMember(text(scheme), scheme == partner_token ? token_scheme() : webhook_key_scheme(), memory());
    return all;
  }

  Value token_scheme() {
    auto scheme = type("http");
    put(scheme, "scheme", "bearer");
    put(scheme, "description", api_.token_help);
    return scheme;
  }

  /// Partner API, Authentication, rule 3.
  Value webhook_key_scheme() {
    auto scheme = type("apiKey");
    put(scheme, "in", "header");
    put(scheme, "name", "x-api-key");
    put(scheme, "description",
        "Your webhook key, in place of the token. The header may be called x-api_key, too. With a key that "
        "does "
        "not match, the token is checked as usual.");
    return scheme;
  }

  void note_references(const Value& in) {
    if (in.IsArray())
      for (const auto& each : in.GetArray()) note_references(each);
    if (!in.IsObject()) return;
    for (const auto& member : in.GetObject()) {
      const std::string_view name(member.name.GetString(), member.name.GetStringLength());
      if (name == "$ref" && member.value.IsString())
        used_.emplace(std::string_view(member.value.GetString()).substr(schema_place.size()));
      else
        note_references(member.value);
    }
  }

  const documented_api& api_;
  rapidjson::Document document_;
  std::set<std::string> used_; ///< schemas
};

} // namespace

documented_api api_of(const domain::platform& platform) {
  return {.prefix = platform.prefix,
          .title = "Roost for " + platform.name,
          .description = "Listings and bookings under /" + platform.prefix +
                         ". Paste your token without the word Bearer.",
          .takes_webhook_key = domain::traits_of(platform).takes_webhook_key,
          .accounts_move = domain::traits_of(platform).accounts_move_away};
}

std::string openapi_document(const documented_api& of, const std::vector<route>& routes) {
  return document_builder(of).build(routes);
}

route openapi_route(const documented_api& of, const std::vector<route>& routes) {
  return document_route("/" + of.name + "-json", {.content_type = "application/json; charset=utf-8",
                                                  .text = openapi_document(of, routes)});
}

} // namespace roost::http
