#include "http/documents/openapi.hpp"

#include "domain/text.hpp"
#include "http/documents/openapi_errors.hpp"
#include "http/protocol/representation.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace roost::http {

namespace {

using rapidjson::Value;

constexpr std::string_view schema_prefix = "#/components/schemas/";

/// Security schemes.
constexpr std::string_view partner_token = "partner_token", webhook_key = "webhook_key";

/// Returns all schemas of an API by name, used or not.
rapidjson::Document all_schemas(const documented_api& api, rapidjson::Document::AllocatorType& memory) {
  json::schemas described;
  add_error_schema(described);
  if (api.schemas) api.schemas(described);
  rapidjson::Document all(&memory);
  if (all.Parse(described.text().c_str()).HasParseError())
    throw std::logic_error("an OpenAPI schema is not JSON");
  return all;
}

class document_builder {
public:
  explicit document_builder(const documented_api& api) : api_(api) {}

  std::string build(const std::vector<route>& routes) {
    document_.SetObject();
    put(document_, "openapi", "3.1.0");
    document_.AddMember("info", info(), memory());
    document_.AddMember("servers", servers(), memory());
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
    Value license(rapidjson::kObjectType);
    put(license, "name", "By agreement with the operator of this server");
    put(license, "url", api_.server_url);
    info.AddMember("license", license, memory());
    return info;
  }

  Value servers() {
    Value server(rapidjson::kObjectType), all(rapidjson::kArrayType);
    put(server, "url", api_.server_url);
    all.PushBack(server, memory());
    return all;
  }

  /// Lists the schemes as alternatives: one of them suffices.
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
    const auto& documented = *of.documented;
    Value operation(rapidjson::kObjectType);
    put(operation, "operationId", documented.id);
    put(operation, "summary", documented.summary);
    if (auto parameters = parameters_of(of.pattern, documented); !parameters.Empty())
      operation.AddMember("parameters", parameters, memory());
    if (!documented.body_schema.empty())
      operation.AddMember("requestBody", body_of(documented.body_schema), memory());
    operation.AddMember("responses", responses_of(documented), memory());
    if (documented.is_open) operation.AddMember("security", Value(rapidjson::kArrayType), memory());
    return operation;
  }

  Value parameters_of(std::string_view pattern, const operation& documented) {
    Value parameters(rapidjson::kArrayType);
    for (auto open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1))
      parameters.PushBack(path_parameter(pattern.substr(open + 1, pattern.find('}', open) - open - 1)),
                          memory());
    for (const auto& header : documented.headers) {
      auto each = parameter("header", header.name);
      put(each, "description", header.description);
      parameters.PushBack(each, memory());
    }
    if (has_tag(documented)) {
      auto tag = parameter("header", "If-None-Match", false, type("string"));
      put(tag, "description",
          "The ETag of an earlier response; the response is 304 if nothing has changed since");
      parameters.PushBack(tag, memory());
    }
    for (const auto& query : documented.queries) {
      auto each = parameter("query", query.name, false, reference_to(query.schema));
      put(each, "description", query.description);
      parameters.PushBack(each, memory());
    }
    return parameters;
  }

  Value path_parameter(std::string_view name) {
    auto made = parameter("path", name);
    const auto described = api_.parameters.find(std::string{name});
    if (described == api_.parameters.end())
      throw std::logic_error("the OpenAPI parameter " + std::string{name} + " has no description");
    put(made, "description", described->second);
    if (const auto example = api_.examples.find(std::string{name}); example != api_.examples.end())
      put(made, "example", example->second);
    return made;
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
    put(reference, "$ref", std::string(schema_prefix) + std::string(schema));
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

  Value responses_of(const operation& documented) {
    Value responses(rapidjson::kObjectType);
    for (const auto& [status, same] : responses_by_status(documented))
      responses.AddMember(text(std::to_string(status)), response_of(same, has_tag(documented)), memory());
    return responses;
  }

  /// Returns the responses by status: the operation's own, else the document's, else the common ones.
  std::map<unsigned, std::vector<documented_response>>
  responses_by_status(const operation& documented) const {
    std::map<unsigned, std::vector<documented_response>> all;
    const auto add = [&all](const auto& responses) {
      std::map<unsigned, std::vector<documented_response>> by_status;
      for (const auto& each : responses) by_status[each.status].push_back(each);
      all.merge(by_status);
    };
    add(documented.responses);
    add(api_.errors);
    add(common_errors);
    if (!api_.wants_token) all.erase(401);
    return all;
  }

  /// Combines the responses of one status into one; each error has its own example.
  Value response_of(const std::vector<documented_response>& same, bool tagged) {
    const auto& first = same.front();
    std::string description;
    for (const auto& each : same)
      description.append(description.empty() ? "" : ". Or: ").append(each.description);
    Value response(rapidjson::kObjectType);
    put(response, "description", description);
    if (auto headers = headers_of(first.status, tagged); !headers.ObjectEmpty())
      response.AddMember("headers", headers, memory());
    if (!first.text_type.empty())
      response.AddMember("content", content_of(type("string"), first.text_type), memory());
    else if (!first.schema.empty())
      response.AddMember("content", content_of(schema_of(first)), memory());
    if (first.schema == error_schema) add_examples(response["content"]["application/json"], same);
    return response;
  }

  /// Whether the operation supports If-None-Match.
  static bool has_tag(const operation& documented) {
    return std::ranges::find(documented.responses, 304U, &documented_response::status) !=
           documented.responses.end();
  }

  Value headers_of(unsigned status, bool tagged) {
    Value headers(rapidjson::kObjectType);
    if (tagged && (status == 200 || status == 304))
      add_header(headers, "ETag", "string",
                 "Identifies this version; send it as If-None-Match in the next request");
    if (status == 429 || status == 503)
      add_header(headers, "Retry-After", "integer",
                 "Seconds to wait before a retry. If it is missing, a retry does not help");
    return headers;
  }

  void add_header(Value& to, std::string_view name, std::string_view type_name,
                  std::string_view description) {
    Value header(rapidjson::kObjectType);
    put(header, "description", description);
    header.AddMember("schema", type(type_name), memory());
    to.AddMember(text(name), header, memory());
  }

  void add_examples(Value& media, const std::vector<documented_response>& errors) {
    if (errors.size() == 1) {
      media.AddMember("example", error_example(errors.front()), memory());
      return;
    }
    Value examples(rapidjson::kObjectType);
    for (const auto& each : errors) {
      Value example(rapidjson::kObjectType);
      put(example, "summary", each.description);
      example.AddMember("value", error_example(each), memory());
      examples.AddMember(text(std::to_string(examples.MemberCount() + 1)), example, memory());
    }
    media.AddMember("examples", examples, memory());
  }

  Value error_example(const documented_response& documented) {
    constexpr std::string_view place = "{platform}";
    std::string message{documented.message};
    if (const auto at = message.find(place); at != std::string::npos)
      message.replace(at, place.size(), api_.platform);
    const auto refusal = example_error(documented.status, message);
    Value example(rapidjson::kObjectType);
    example.AddMember("statusCode", refusal.status, memory());
    put(example, "message", refusal.message);
    put(example, "error", refusal.name);
    return example;
  }

  Value type(std::string_view name) {
    Value schema(rapidjson::kObjectType);
    put(schema, "type", name);
    return schema;
  }

  Value schema_of(const documented_response& response) {
    if (!response.list) return reference_to(response.schema);
    auto list = type("array");
    list.AddMember("items", reference_to(response.schema), memory());
    return list;
  }

  /// Returns only the schemas that the document refers to, directly or indirectly.
  Value components() {
    auto all = all_schemas(api_, memory());
    Value schemas(rapidjson::kObjectType);
    std::set<std::string> added;
    while (added != used_) {
      const auto referenced = used_;
      for (const auto& name : referenced) {
        if (!added.insert(name).second) continue;
        if (!all.HasMember(name.c_str())) throw std::logic_error("there is no OpenAPI schema " + name);
        note_references(all[name.c_str()]);
        use_own_examples(all[name.c_str()]);
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
        "Your webhook key, instead of the token. The header name x-api_key is accepted, too. If the key does "
        "not match, the token is checked as usual.");
    return scheme;
  }

  /// Gives fields with a parameter's name the parameter's example in bodies, too.
  void use_own_examples(Value& schema) {
    if (!schema.HasMember("examples")) return;
    for (auto& example : schema["examples"].GetArray())
      for (const auto& [name, value] : api_.examples)
        if (const auto field = example.FindMember(name.c_str()); field != example.MemberEnd())
          field->value = text(value);
  }

  void note_references(const Value& in) {
    if (in.IsArray())
      for (const auto& each : in.GetArray()) note_references(each);
    if (!in.IsObject()) return;
    for (const auto& member : in.GetObject()) {
      const std::string_view name(member.name.GetString(), member.name.GetStringLength());
      if (name == "$ref" && member.value.IsString())
        used_.emplace(std::string_view(member.value.GetString()).substr(schema_prefix.size()));
      else
        note_references(member.value);
    }
  }

  const documented_api& api_;
  rapidjson::Document document_;
  std::set<std::string> used_; ///< names of schemas
};

} // namespace

std::string openapi_document(const documented_api& api, const std::vector<route>& routes) {
  return document_builder(api).build(routes);
}

route openapi_route(const documented_api& api, const std::vector<route>& routes) {
  return document_route("/" + api.name + "-json", {.content_type = "application/json; charset=utf-8",
                                                   .text = openapi_document(api, routes)});
}

} // namespace roost::http
