#include "http/access/access.hpp"
#include "http/connector/connector_access.hpp"
#include "http/connector/connector_routes.hpp"
#include "http/connector/oauth_messages.hpp"
#include "http/management/management_access.hpp"
#include "json/writer.hpp"

namespace roost::http {

namespace {

constexpr std::string_view api_key_prefix = "ak_";
constexpr std::string_view api_key_source = "api_key";

/// It refers to the services, which outlive it.
struct introspection_api {
  const connector_services& services;
};

/// Leaves the key's resource in the request's context.
check tool_server_check(const connector_services& services) {
  return [&services](request& req) {
    require_users(*services.management);
    const auto& management = *services.management;
    req.context =
        require_bearer_key(*management.live_keys, security::key_kind::tool_server, req, management.now())
            .resource;
  };
}

void write_areas(json::writer& json, const domain::tool_access& tools) {
  json.key("areas");
  json.begin_array();
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area) {
    if (tools.level(area) == domain::tool_level::off) continue;
    json.begin_object();
    json.field("area", domain::tool_areas.at(area).name);
    json.field("access", to_string(tools.level(area)));
    json.end_object();
  }
  json.end_array();
}

void write_user(json::writer& json, const actors::known_user& user, const domain::tool_access& tools) {
  json.field("sub", domain::to_string(user.id));
  json.field("username", user.email);
  json.field("account_id", domain::to_string(user.account_id));
  json.field("company_name", user.company_name);
  json.field("scope", tools.scope());
  write_areas(json, tools);
}

response inactive() { return json(200, R"({"active":false})"); }

/// Who a token acts for, and how far; no user: it is good for nothing.
struct token_holder {
  std::shared_ptr<const actors::user_directory> users; ///< keeps `user` alive
  const actors::known_user* user = nullptr;
  domain::tool_access tools;
};

token_holder holder_of(const connector_services& services, const domain::uuid& id) {
  token_holder holder{require_users(*services.management), nullptr, {}};
  const auto* user = holder.users->find(id);
  if (user == nullptr) return holder;
  holder.tools = usable_tools(services.management->roles, *user);
  if (holder.tools.any()) holder.user = user;
  return holder;
}

response of_api_key(const connector_services& services, std::string_view token) {
  const auto keys = services.management->live_keys->get();
  const auto* key = keys ? keys->find(security::key_kind::api, token) : nullptr;
  if (key == nullptr) return inactive();
  const auto holder = holder_of(services, key->owner);
  if (holder.user == nullptr) return inactive();
  key->use->note(services.management->now());
  json::writer json;
  json.begin_object();
  json.field("active", true);
  write_user(json, *holder.user, holder.tools);
  json.field("token_type", "Bearer");
  json.field("tokenSource", api_key_source);
  json.end_object();
  return http::json(200, std::string(json.text()));
}

response of_access_token(const connector_services& services, std::string_view token,
                         const std::string& resource) {
  const auto claims = services.tokens->claims_of(token, resource, services.management->now());
  // The epoch is the sessions' business: a new password ends no connection.
  if (!claims || services.management->ended->has_ended(claims->session_id, {}, 0)) return inactive();
  const auto holder = holder_of(services, claims->user_id);
  if (holder.user == nullptr) return inactive();
  json::writer json;
  json.begin_object();
  json.field("active", true);
  write_user(json, *holder.user, holder.tools);
  json.field("client_id", claims->client_id);
  json.field("aud", claims->audience);
  json.field("iss", claims->issuer);
  json.field("iat", claims->issued.time_since_epoch().count());
  json.field("exp", claims->expires.time_since_epoch().count());
  json.field("token_type", "Bearer");
  json.field("tokenSource", claims->source);
  json.end_object();
  return http::json(200, std::string(json.text()));
}

response introspect(const introspection_api& api, request& req) try {
  const auto sent = oauth_parameters(req);
  const auto token = parameter(sent, "token");
  if (!token) throw invalid_request("token is required");
  auto answer = token->starts_with(api_key_prefix)
                    ? of_api_key(api.services, *token)
                    : of_access_token(api.services, *token, std::any_cast<const std::string&>(req.context));
  forbid_storing(answer);
  return answer;
} catch (const oauth_refusal& refusal) {
  return to_response(refusal);
}

response refused(const request&, const error& refusal) {
  auto answer = to_response(refusal);
  if (refusal.status == 401) answer.fields.emplace_back("WWW-Authenticate", "Bearer");
  forbid_storing(answer);
  return answer;
}

} // namespace

std::vector<route> introspection_routes(const connector_services& services) {
  const introspection_api api{services};
  std::vector<route> routes{{"POST",
                             "/oauth/introspect",
                             body_policy::form,
                             {{tool_server_check(services)}, "a tool server's key"},
                             with(api, introspect)}};
  answer_as_writer(services.management->lease, routes);
  for (auto& each : routes) each.render_error = refused;
  return routes;
}

} // namespace roost::http
