#include "http/documents/openapi.hpp"

#include "domain/text.hpp"
#include "http/documents/used_schemas.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/representation.hpp"
#include "json/object.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace roost::http {

namespace {

constexpr std::string_view json_type = "application/json";

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
                       precondition_failed("Precondition Failed"),
                       precondition_required(),
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

class document_builder {
public:
  explicit document_builder(const documented_api& api) : api_(api) {}

  std::string build(const std::vector<route>& routes) {
    object(
        "openapi", "3.1.0", "info", info(), "servers", array({object("url", api_.server_url)}), "security",
        security(), "paths", [&] { write_paths(routes); }, "components", [&] { write_components(); })();
    return std::string{json_.text()};
  }

private:
  /// A function that writes a value.
  using value = std::function<void()>;

  /// Writes members, given as their names and values. A value is a text, a flag, a number or a function that
  /// writes the value.
  template <typename V, typename... More>
  void put(std::string_view name, const V& content, const More&... more) {
    json_.data_key(name);
    if constexpr (std::invocable<const V&>)
      content();
    else
      json_.value(content);
    if constexpr (sizeof...(more) > 0) put(more...);
  }

  /// Returns an object with these members; see put().
  template <typename... Members>
  value object(Members... members) {
    return [this, members...] {
      json_.begin_object();
      put(members...);
      json_.end_object();
    };
  }

  value array(std::vector<value> elements) {
    return [this, elements = std::move(elements)] {
      json_.begin_array();
      for (const auto& each : elements) each();
      json_.end_array();
    };
  }

  value info() {
    return object("title", api_.title, "version", "1", "description", api_.description, "license",
                  object("name", "By agreement with the operator of this server", "url", api_.server_url));
  }

  /// Lists the schemes as alternatives: one of them suffices.
  value security() {
    std::vector<value> all;
    for (const auto scheme : schemes()) all.push_back(object(scheme, array({})));
    return array(std::move(all));
  }

  std::vector<std::string_view> schemes() const {
    if (!api_.wants_token) return {};
    if (!api_.takes_webhook_key) return {partner_token};
    return {partner_token, webhook_key};
  }

  /// Writes the operations of a path together, in the place of the first one.
  void write_paths(const std::vector<route>& routes) {
    std::set<std::string_view> written;
    json_.begin_object();
    for (const auto& first : routes) {
      if (!first.documented || !written.insert(first.pattern).second) continue;
      put((api_.prefix.empty() ? "" : "/" + api_.prefix) + first.pattern,
          [&] { write_operations(routes, first.pattern); });
    }
    json_.end_object();
  }

  void write_operations(const std::vector<route>& routes, std::string_view pattern) {
    json_.begin_object();
    for (const auto& each : routes)
      if (each.documented && each.pattern == pattern)
        put(domain::lower_case(each.method), [&] { write_operation(each); });
    json_.end_object();
  }

  void write_operation(const route& route) {
    const auto& documented = *route.documented;
    json_.begin_object();
    put("operationId", documented.id, "summary", documented.summary);
    if (!documented.tag.empty()) put("tags", array({[&] { json_.value(documented.tag); }}));
    if (auto parameters = parameters_of(route.pattern, documented); !parameters.empty())
      put("parameters", array(std::move(parameters)));
    if (const auto content = body_of(documented))
      put("requestBody", object("required", true, "content", *content));
    put("responses", [&] { write_responses(documented); });
    if (documented.is_open) put("security", array({}));
    json_.end_object();
  }

  /// Returns the content of the body by its media types; nullopt if the operation has none.
  std::optional<value> body_of(const operation& documented) {
    const auto &schema = documented.body_schema, &text = documented.body_text;
    if (schema.empty() && text.empty()) return std::nullopt;
    if (text.empty()) return content_of(reference_to(schema));
    if (schema.empty()) return content_of(type("string"), text);
    return object(json_type, object("schema", reference_to(schema)), text, object("schema", type("string")));
  }

  std::vector<value> parameters_of(std::string_view pattern, const operation& documented) {
    std::vector<value> parameters;
    for (auto open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1))
      parameters.push_back(path_parameter(pattern.substr(open + 1, pattern.find('}', open) - open - 1)));
    for (const auto& header : documented.headers)
      parameters.push_back(
          parameter("header", header.name, header.is_required, type("string"), header.description));
    if (has_etag(documented))
      parameters.push_back(
          parameter("header", "If-None-Match", false, type("string"),
                    "The ETag of an earlier response; the response is 304 if nothing has changed since"));
    for (const auto& query : documented.queries) parameters.push_back(query_parameter(query));
    return parameters;
  }

  value query_parameter(const documented_query& query) {
    auto schema = reference_to(query.schema);
    if (query.required_example.empty())
      return parameter("query", query.name, false, std::move(schema), query.description);
    return parameter("query", query.name, true, std::move(schema), query.description, "example",
                     query.required_example);
  }

  value path_parameter(std::string_view name) {
    const auto described = api_.parameters.find(std::string{name});
    if (described == api_.parameters.end())
      throw std::logic_error("the OpenAPI parameter " + std::string{name} + " has no description");
    const auto example = api_.examples.find(std::string{name});
    if (example == api_.examples.end())
      return parameter("path", name, true, type("string"), described->second);
    return parameter("path", name, true, type("string"), described->second, "example", example->second);
  }

  /// `more` are further members; see put().
  template <typename... More>
  value parameter(std::string_view in, std::string_view name, bool is_required, value schema,
                  std::string_view description, More... more) {
    return object("name", name, "in", in, "required", is_required, "schema", std::move(schema), "description",
                  description, more...);
  }

  value reference_to(std::string_view schema) {
    used_.emplace(schema);
    return object("$ref", std::string(schema_prefix) + std::string(schema));
  }

  /// `more` are further members of the media type; see put().
  template <typename... More>
  value content_of(value schema, std::string_view media_type = json_type, More... more) {
    return object(media_type, object("schema", std::move(schema), more...));
  }

  void write_responses(const operation& documented) {
    json_.begin_object();
    for (const auto& [status, same] : responses_by_status(documented)) {
      json_.data_key(std::to_string(status));
      write_response(same, documented);
    }
    json_.end_object();
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
  void write_response(const std::vector<documented_response>& same, const operation& of) {
    const auto& first = same.front();
    std::string description;
    for (const auto& each : same)
      description.append(description.empty() ? "" : ". Or: ").append(each.description);
    json_.begin_object();
    put("description", description);
    if (const auto headers = headers_of(first.status, of)) put("headers", *headers);
    if (!first.text_type.empty())
      put("content", content_of(type("string"), first.text_type));
    else if (std::ranges::find(same, error_schema, &documented_response::schema) != same.end())
      put("content", error_content(same));
    else if (!first.schema.empty())
      put("content", content_of(schema_of(first)));
    json_.end_object();
  }

  /// Whether the operation supports If-None-Match.
  static bool has_etag(const operation& documented) {
    return std::ranges::find(documented.responses, 304U, &documented_response::status) !=
           documented.responses.end();
  }

  /// Whether the operation supports If-Match.
  static bool has_condition(const operation& documented) {
    return std::ranges::find(documented.headers, "If-Match", &documented_header::name) !=
           documented.headers.end();
  }

  /// Returns the header fields of a response; nullopt if it has none of its own.
  std::optional<value> headers_of(unsigned status, const operation& of) {
    if (status == 412 && has_condition(of))
      return object("ETag",
                    object("description", "Of the current state, if there is one", "schema", type("string")));
    if (has_etag(of) && (status == 200 || status == 304))
      return object("ETag", object("description",
                                   "Identifies this version; send it as If-None-Match in the next request",
                                   "schema", type("string")));
    if (status == 429 || status == 503)
      return object("Retry-After",
                    object("description",
                           "Seconds to wait before a retry. If it is missing, a retry does not help",
                           "schema", type("integer")));
    return std::nullopt;
  }

  value error_content(const std::vector<documented_response>& errors) {
    const auto schema = schema_of(errors);
    if (errors.size() == 1) return content_of(schema, json_type, "example", error_example(errors.front()));
    return content_of(schema, json_type, "examples", [this, errors] { write_examples(errors); });
  }

  void write_examples(const std::vector<documented_response>& errors) {
    json_.begin_object();
    for (std::size_t i = 0; i < errors.size(); ++i)
      put(std::to_string(i + 1), object("summary", errors[i].description, "value", error_example(errors[i])));
    json_.end_object();
  }

  value error_example(const documented_response& documented) {
    constexpr std::string_view place = "{platform}";
    auto refusal = typical_error(documented.status);
    if (!documented.message.empty()) refusal.message = documented.message;
    if (const auto at = refusal.message.find(place); at != std::string::npos)
      refusal.message.replace(at, place.size(), api_.platform);
    return object("statusCode", refusal.status, "message", refusal.message, "error", refusal.name);
  }

  value type(std::string_view name) { return object("type", name); }

  /// Returns the schema of several errors: alternatives if they differ.
  value schema_of(const std::vector<documented_response>& errors) {
    std::set<std::string_view> names;
    std::vector<value> schemas;
    for (const auto& each : errors)
      if (!each.schema.empty() && names.insert(each.schema).second) schemas.push_back(schema_of(each));
    return schemas.size() == 1 ? schemas.front() : object("anyOf", array(std::move(schemas)));
  }

  value schema_of(const documented_response& response) {
    if (!response.list) return reference_to(response.schema);
    return object("type", "array", "items", reference_to(response.schema));
  }

  void write_components() {
    json_.begin_object();
    if (api_.wants_token) put("securitySchemes", [this] { write_security_schemes(); });
    put("schemas", [this] { write_schemas(); });
    json_.end_object();
  }

  void write_security_schemes() {
    json_.begin_object();
    for (const auto scheme : schemes())
      put(scheme, scheme == partner_token
                      ? object("type", "http", "scheme", "bearer", "description", api_.token_help)
                      : webhook_key_scheme());
    json_.end_object();
  }

  /// Partner API, Authentication, rule 3.
  value webhook_key_scheme() {
    return object(
        "type", "apiKey", "in", "header", "name", "x-api-key", "description",
        "Your webhook key, instead of the token. The header name x-api_key is accepted, too. If the "
        "key does not match, the token is checked as usual.");
  }

  void write_schemas() {
    json::schemas all;
    all.add(error_object);
    if (api_.schemas) api_.schemas(all);
    write_used_schemas(json_, all, std::move(used_), api_.examples);
  }

  const documented_api& api_;
  json::writer json_;
  std::set<std::string> used_; ///< names of schemas
};

} // namespace

std::string openapi_document(const documented_api& api, const std::vector<route>& routes) {
  return document_builder(api).build(routes);
}

route openapi_route(const documented_api& api, const std::vector<route>& routes) {
  std::vector<route> documented; // without the handlers and what they hold
  for (const auto& each : routes)
    if (each.documented)
      documented.push_back({.method = each.method, .pattern = each.pattern, .documented = each.documented});
  return document_route("/" + api.name + "-json", [api, documented = std::move(documented)] {
    return fixed_document{.content_type = "application/json; charset=utf-8",
                          .text = openapi_document(api, documented)};
  });
}

} // namespace roost::http
