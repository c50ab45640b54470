#include "domain/assistant.hpp"
#include "http/connector/connector_api.hpp"
#include "http/pages/pages_api.hpp"
#include "http/protocol/representation.hpp"
#include "json/object.hpp"

#include <array>
#include <string>

namespace roost::http {

namespace {

const std::string& base_url_of(const connector_services& services) { return services.management->base_url; }

bool has_public_keys(const connector_services& services) {
  return services.tokens != nullptr && services.tokens->has_public_keys();
}

bool reads_documents(const connector_services& services) { return static_cast<bool>(services.documents); }

template <std::size_t Size, typename... Rules>
constexpr auto endpoint(const char (&name)[Size], std::string_view path, std::string_view meaning,
                        Rules... rules) {
  return json::member(
      name, [path](const connector_services& services) { return base_url_of(services) + std::string(path); },
      meaning, rules...);
}

template <std::size_t Size, typename... Rules>
constexpr auto capability(const char (&name)[Size], std::string_view meaning, Rules... rules) {
  return json::member(
      name, [](const connector_services&) { return true; }, meaning, rules...);
}

template <std::size_t Size, typename... Values>
constexpr auto supported(const char (&name)[Size], std::string_view meaning, Values... values) {
  const std::array<std::string_view, sizeof...(Values)> all{values...};
  return json::values<std::string_view>(
      name, [all](const connector_services&) -> const auto& { return all; }, meaning);
}

constexpr auto metadata_object = json::object<connector_services>(
    "AuthorizationServer", json::member("issuer", base_url_of, "This server's base URL"),
    endpoint("authorization_endpoint", "/oauth/authorize", "The consent page"),
    endpoint("token_endpoint", "/oauth/token", "Where a client exchanges codes and refreshes tokens"),
    endpoint("registration_endpoint", "/oauth/register", "Where a client registers"),
    supported("response_types_supported", "Response types", "code"),
    supported("grant_types_supported", "Grant types", "authorization_code", "refresh_token"),
    supported("code_challenge_methods_supported", "PKCE methods", "S256"),
    supported("token_endpoint_auth_methods_supported", "Methods of client authentication", "none",
              "client_secret_post"),
    json::values<std::string_view>(
        "scopes_supported",
        [](const connector_services&, auto yield) {
          for (const auto& area : domain::tool_areas) yield(area.name);
        },
        "The areas of the tool server"),
    capability("authorization_response_iss_parameter_supported", "RFC 9207"),
    endpoint("introspection_endpoint", "/oauth/introspect", "Where the tool server checks tokens"),
    endpoint("jwks_uri", "/oauth/jwks", "The keys of tokens, if they are public",
             json::only_where{has_public_keys}),
    capability("client_id_metadata_document_supported", "Whether a client may be known by its document",
               json::only_where{reads_documents}));

response keys(const connector_services& services) {
  auto result = json(200, services.tokens->public_keys());
  result.content_type = "application/jwk-set+json";
  result.fields.emplace_back("Cache-Control", "public, max-age=300");
  result.fields.emplace_back("Access-Control-Allow-Origin", "*");
  return result;
}

response refused_to_all(const request&, const error& refusal) {
  auto result = to_response(refusal);
  allow_every_origin(result);
  return result;
}

} // namespace

std::vector<route> metadata_routes(const connector_services& services) {
  // The path of base_url follows the well-known part (RFC 8414, 3.1).
  const auto path = path_of(base_url_of(services));
  std::vector<std::string> patterns{"/.well-known/oauth-authorization-server",
                                    "/.well-known/openid-configuration"};
  if (!path.empty()) patterns.insert(patterns.end(), {patterns[0] + path, patterns[1] + path});
  const fixed_document document{
      "application/json; charset=utf-8",
      json::text_of(metadata_object, services),
      {},
      {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "public, max-age=3600"}}};
  std::vector<route> routes;
  routes.reserve(2 * patterns.size() + 2);
  for (const auto& pattern : patterns) routes.push_back(document_route(pattern, document));
  if (has_public_keys(services)) {
    patterns.emplace_back("/oauth/jwks");
    routes.push_back({"GET", "/oauth/jwks", body_policy::none, {}, immediate_handler([&services](request&) {
                        return keys(services);
                      })});
  }
  for (auto& each : routes) {
    each.entry = {rate_limit_check(*services.management->limiter, "discovery", services.limits.discovery)};
    each.render_error = refused_to_all;
  }
  for (const auto& pattern : patterns) routes.push_back(preflight(pattern, "GET"));
  return routes;
}

} // namespace roost::http
