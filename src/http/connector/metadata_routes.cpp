#include "domain/assistant.hpp"
#include "http/connector/connector_routes.hpp"
#include "http/connector/oauth_messages.hpp"
#include "http/protocol/rate_limiter.hpp"
#include "http/protocol/representation.hpp"
#include "json/writer.hpp"

#include <initializer_list>

namespace roost::http {

namespace {

template <std::size_t Size>
void write_list(json::writer& json, const char (&name)[Size],
                std::initializer_list<std::string_view> values) {
  json.key(name);
  json.begin_array();
  for (const auto value : values) json.value(value);
  json.end_array();
}

void write_scopes(json::writer& json) {
  json.key("scopes_supported");
  json.begin_array();
  for (const auto& area : domain::tool_areas) json.value(area.name);
  json.end_array();
}

std::string metadata_of(const connector_services& services) {
  const auto& base_url = services.management->base_url;
  json::writer json;
  json.begin_object();
  json.field("issuer", base_url);
  json.field("authorization_endpoint", base_url + "/oauth/authorize");
  json.field("token_endpoint", base_url + "/oauth/token");
  json.field("registration_endpoint", base_url + "/oauth/register");
  write_list(json, "response_types_supported", {"code"});
  write_list(json, "grant_types_supported", {"authorization_code", "refresh_token"});
  write_list(json, "code_challenge_methods_supported", {"S256"});
  write_list(json, "token_endpoint_auth_methods_supported", {"none", "client_secret_post"});
  write_scopes(json);
  json.field("authorization_response_iss_parameter_supported", true);
  json.field("introspection_endpoint", base_url + "/oauth/introspect");
  if (services.tokens != nullptr && services.tokens->has_public_keys())
    json.field("jwks_uri", base_url + "/oauth/jwks");
  if (services.documents) json.field("client_id_metadata_document_supported", true);
  json.end_object();
  return std::string(json.text());
}

/// The path of base_url, which stands behind the well-known part (RFC 8414, 3.1).
std::string path_of(std::string_view base_url) {
  const auto start = base_url.find('/', base_url.find("://") + 3);
  return start == std::string_view::npos ? "" : std::string(base_url.substr(start));
}

response keys(const connector_services& services) {
  auto answer = json(200, services.tokens->public_keys());
  answer.content_type = "application/jwk-set+json";
  answer.fields.emplace_back("Cache-Control", "public, max-age=300");
  answer.fields.emplace_back("Access-Control-Allow-Origin", "*");
  return answer;
}

entry_rule discovery_checks(const connector_services& services) {
  return {rate_limit_check(*services.management->limiter, "discovery", services.limits.discovery)};
}

response refused_to_all(const request&, const error& refusal) {
  auto answer = to_response(refusal);
  allow_every_origin(answer);
  return answer;
}

} // namespace

std::vector<route> metadata_routes(const connector_services& services) {
  std::vector<std::string> patterns{"/.well-known/oauth-authorization-server",
                                    "/.well-known/openid-configuration"};
  if (const auto path = path_of(services.management->base_url); !path.empty())
    for (const auto* name : {"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"})
      patterns.push_back(name + path);
  const fixed_document document{
      "application/json; charset=utf-8",
      metadata_of(services),
      {},
      {{"Access-Control-Allow-Origin", "*"}, {"Cache-Control", "public, max-age=3600"}}};
  std::vector<route> routes;
  routes.reserve(2 * patterns.size() + 2);
  for (const auto& pattern : patterns) routes.push_back(document_route(pattern, document));
  if (services.tokens != nullptr && services.tokens->has_public_keys()) {
    patterns.emplace_back("/oauth/jwks");
    routes.push_back({"GET", "/oauth/jwks", body_policy::none, {}, immediate_handler([&services](request&) {
                        return keys(services);
                      })});
  }
  for (auto& each : routes) {
    each.entry = discovery_checks(services);
    each.render_error = refused_to_all;
  }
  for (const auto& pattern : patterns) routes.push_back(preflight(pattern, "GET"));
  return routes;
}

} // namespace roost::http
