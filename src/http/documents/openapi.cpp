#include "http/documents/openapi.hpp"

#include "domain/text.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/representation.hpp"
#include "json/object.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <concepts>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace roost::http {

namespace {

using rapidjson::Value;

constexpr std::string_view schema_prefix = "#/components/schemas/";

/// Security schemes.
constexpr std::string_view partner_token = "partner_token", webhook_key = "webhook_key";

/// Returns the server's most frequent error of this status. Throws std::logic_error for a status that no
/// document has.
error typical_error(unsigned status) {
  const std::array all{bad_request("Malformed HTTP request: Host"),
                       unauthorized("Unauthorized"),
                       forbidden("Forbidden resource"),
                       not_found("Not Found"),
                       conflict("Conflict"),
                       gone("Gone"),
                       payload_too_large(),
                       unsupported_media_type(),
                       too_many_requests(std::chrono::seconds{1}),
                       internal(),
                       busy()};
  const auto typical = std::ranges::find(all, status, &error::status);
  if (typical == all.end()) throw std::logic_error("no document has an error " + std::to_string(status));
  return *typical;
}

constexpr auto error_object =
    json::object<error>(
        error_schema,
        json::member("statusCode", &error::status, "The HTTP status. Branch on it: the wording may change"),
        json::member("message", &error::message,
                     "What is wrong; several problems are joined with a comma and a space"),
        json::member("error", &error::name, "The kind of error, such as BadRequestException"))
        .example(R"({"statusCode":404,"message":"Cannot GET /","error":"NotFoundException"})");

/// Returns all schemas of an API by name, used or not.
rapidjson::Document all_schemas(const documented_api& api, rapidjson::Document::AllocatorType& memory) {
  json::schemas described;
  described.add(error_object);
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
    Value paths(rapidjson::kObjectType);
    for (const auto& each : routes)
      if (each.documented) add_path(paths, each);
    Value servers(rapidjson::kArrayType);
    servers.PushBack(object("url", api_.server_url), memory());
    put(document_, "openapi", "3.1.0", "info", info(), "servers", servers, "security", security(), "paths",
        std::move(paths), "components", components());
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

  /// Adds members, given as their names and values. A value is a text or a Value.
  template <typename V, typename... More>
  void put(Value& to, std::string_view name, V&& value, More&&... more) {
    if constexpr (std::same_as<std::remove_cvref_t<V>, Value>)
      to.AddMember(text(name), value, memory());
    else
      to.AddMember(text(name), text(value), memory());
    if constexpr (sizeof...(more) > 0) put(to, std::forward<More>(more)...);
  }

  /// Returns an object with these members; see put().
  template <typename... Members>
  Value object(Members&&... members) {
    Value made(rapidjson::kObjectType);
    put(made, std::forward<Members>(members)...);
    return made;
  }

  Value info() {
    return object("title", api_.title, "version", "1", "description", api_.description, "license",
                  object("name", "By agreement with the operator of this server", "url", api_.server_url));
  }

  /// Lists the schemes as alternatives: one of them suffices.
  Value security() {
    Value all(rapidjson::kArrayType);
    for (const auto scheme : schemes()) all.PushBack(object(scheme, Value(rapidjson::kArrayType)), memory());
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
    auto operation = object("operationId", documented.id, "summary", documented.summary);
    if (auto parameters = parameters_of(of.pattern, documented); !parameters.Empty())
      put(operation, "parameters", parameters);
    if (!documented.body_schema.empty())
      put(operation, "requestBody",
          object("required", Value(true), "content", content_of(reference_to(documented.body_schema))));
    put(operation, "responses", responses_of(documented));
    if (documented.is_open) put(operation, "security", Value(rapidjson::kArrayType));
    return operation;
  }

  Value parameters_of(std::string_view pattern, const operation& documented) {
    Value parameters(rapidjson::kArrayType);
    for (auto open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1))
      parameters.PushBack(path_parameter(pattern.substr(open + 1, pattern.find('}', open) - open - 1)),
                          memory());
    for (const auto& header : documented.headers)
      parameters.PushBack(parameter("header", header.name, true, type("string"), header.description),
                          memory());
    if (has_tag(documented))
      parameters.PushBack(
          parameter("header", "If-None-Match", false, type("string"),
                    "The ETag of an earlier response; the response is 304 if nothing has changed since"),
          memory());
    for (const auto& query : documented.queries)
      parameters.PushBack(
          parameter("query", query.name, false, reference_to(query.schema), query.description), memory());
    return parameters;
  }

  Value path_parameter(std::string_view name) {
    const auto described = api_.parameters.find(std::string{name});
    if (described == api_.parameters.end())
      throw std::logic_error("the OpenAPI parameter " + std::string{name} + " has no description");
    auto made = parameter("path", name, true, type("string"), described->second);
    if (const auto example = api_.examples.find(std::string{name}); example != api_.examples.end())
      put(made, "example", example->second);
    return made;
  }

  Value parameter(std::string_view in, std::string_view name, bool is_required, Value schema,
                  std::string_view description) {
    return object("name", name, "in", in, "required", Value(is_required), "schema", schema, "description",
                  description);
  }

  Value reference_to(std::string_view schema) {
    used_.emplace(schema);
    return object("$ref", std::string(schema_prefix) + std::string(schema));
  }

  Value content_of(Value schema, std::string_view media_type = "application/json") {
    return object(media_type, object("schema", schema));
  }

  Value responses_of(const operation& documented) {
    Value responses(rapidjson::kObjectType);
    for (const auto& [status, same] : responses_by_status(documented))
      put(responses, std::to_string(status), response_of(same, has_tag(documented)));
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
    auto response = object("description", description);
    if (auto headers = headers_of(first.status, tagged); !headers.ObjectEmpty())
      put(response, "headers", headers);
    if (!first.text_type.empty())
      put(response, "content", content_of(type("string"), first.text_type));
    else if (!first.schema.empty())
      put(response, "content", content_of(schema_of(first)));
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
      put(headers, "ETag",
          object("description", "Identifies this version; send it as If-None-Match in the next request",
                 "schema", type("string")));
    if (status == 429 || status == 503)
      put(headers, "Retry-After",
          object("description", "Seconds to wait before a retry. If it is missing, a retry does not help",
                 "schema", type("integer")));
    return headers;
  }

  void add_examples(Value& media, const std::vector<documented_response>& errors) {
    if (errors.size() == 1) return put(media, "example", error_example(errors.front()));
    Value examples(rapidjson::kObjectType);
    for (const auto& each : errors)
      put(examples, std::to_string(examples.MemberCount() + 1),
          object("summary", each.description, "value", error_example(each)));
    put(media, "examples", examples);
  }

  Value error_example(const documented_response& documented) {
    constexpr std::string_view place = "{platform}";
    auto refusal = typical_error(documented.status);
    if (!documented.message.empty()) refusal.message = documented.message;
    if (const auto at = refusal.message.find(place); at != std::string::npos)
      refusal.message.replace(at, place.size(), api_.platform);
    return object("statusCode", Value(refusal.status), "message", refusal.message, "error", refusal.name);
  }

  Value type(std::string_view name) { return object("type", name); }

  Value schema_of(const documented_response& response) {
    if (!response.list) return reference_to(response.schema);
    return object("type", "array", "items", reference_to(response.schema));
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
        put(schemas, name, all[name.c_str()]);
      }
    }
    Value components(rapidjson::kObjectType);
    if (api_.wants_token) put(components, "securitySchemes", security_schemes());
    put(components, "schemas", schemas);
    return components;
  }

  Value security_schemes() {
    Value all(rapidjson::kObjectType);
    for (const auto scheme : schemes())
      put(all, scheme,
          scheme == partner_token ? object("type", "http", "scheme", "bearer", "description", api_.token_help)
                                  : webhook_key_scheme());
    return all;
  }

  /// Partner API, Authentication, rule 3.
  Value webhook_key_scheme() {
    return object(
        "type", "apiKey", "in", "header", "name", "x-api-key", "description",
        "Your webhook key, instead of the token. The header name x-api_key is accepted, too. If the "
        "key does not match, the token is checked as usual.");
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
