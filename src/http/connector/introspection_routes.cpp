#include "http/access/access.hpp"
#include "http/connector/connector_api.hpp"
#include "json/object.hpp"

namespace roost::http {

namespace {

using json::member;

constexpr std::string_view api_key_prefix = "ak_";
constexpr std::string_view api_key_source = "api_key";

/// Checks a tool server's key, and stores the key's resource in the request's context.
void check_tool_server(const management_services& services, request& req) {
  require_users(services);
  req.context =
      require_bearer_key(*services.live_keys, security::key_kind::tool_server, req, services.now()).resource;
}

/// A live token: its user, the areas that it opens, and the claims, which an API key does not have.
struct live_token {
  const actors::known_user& user;
  const domain::tool_access& tools;
  const security::access_claims* claims = nullptr;
};

constexpr bool has_claims(const live_token& token) { return token.claims != nullptr; }

struct open_area {
  std::string_view area;
  domain::tool_level access;
};

constexpr auto area_object =
    json::object<open_area>("", member("area", &open_area::area, "The area's name, as in scope"),
                            member("access", &open_area::access, "read-only or edit"));

constexpr auto open_areas = [](const live_token& token, auto yield) {
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area)
    if (const auto level = token.tools.level(area); level != domain::tool_level::off)
      yield({domain::tool_areas.at(area).name, level});
};

/// Describes a member of the user.
template <std::size_t Size, typename Get>
constexpr auto user_member(const char (&name)[Size], Get get, std::string_view meaning) {
  return member(
      name, [get](const live_token& token) -> const auto& { return std::invoke(get, token.user); }, meaning);
}

/// Describes a claim, which the response for an API key omits.
template <std::size_t Size, typename Get>
constexpr auto claim(const char (&name)[Size], Get get, std::string_view meaning) {
  return member(
      name, [get](const live_token& token) -> decltype(auto) { return std::invoke(get, *token.claims); },
      meaning, json::only_where{has_claims});
}

template <std::chrono::sys_seconds security::access_claims::*Moment>
constexpr auto epoch_seconds =
    [](const security::access_claims& claims) { return (claims.*Moment).time_since_epoch().count(); };

constexpr auto introspection_object = json::object<live_token>(
    "LiveToken",
    member(
        "active", [](const live_token&) { return true; }, "Whether the token is live"),
    user_member("sub", &actors::known_user::id, "The user's UUID"),
    user_member("username", &actors::known_user::email, "The user's email address"),
    user_member("account_id", &actors::known_user::account_id, "The account's UUID"),
    user_member("company_name", &actors::known_user::company_name, "The landlord's name"),
    member(
        "scope", [](const live_token& token) { return token.tools.scope(); }, "The open areas, with spaces"),
    json::list("areas", open_areas, area_object, "The open areas and their levels"),
    claim("client_id", &security::access_claims::client_id, "The client that the token was issued to"),
    claim("aud", &security::access_claims::audience, "The resource that the token is for"),
    claim("iss", &security::access_claims::issuer, "This server's base URL"),
    claim("iat", epoch_seconds<&security::access_claims::issued>,
          "When it was issued, in seconds since 1970"),
    claim("exp", epoch_seconds<&security::access_claims::expires>, "When it expires, in seconds since 1970"),
    member(
        "token_type", [](const live_token&) { return std::string_view{"Bearer"}; }, "Always Bearer"),
    member(
        "tokenSource",
        [](const live_token& token) {
          return token.claims ? std::string_view{token.claims->source} : api_key_source;
        },
        "mcp, or api_key for an API key"));

/// Returns the description of a token of this user; nullopt if the user may not use any tool.
std::optional<std::string> describe(const connector_services& services, const actors::user_directory& users,
                                    const domain::uuid& user_id, const security::access_claims* claims) {
  const auto* user = users.find(user_id);
  if (user == nullptr || (claims && claims->epoch < user->connection_epoch)) return std::nullopt;
  const auto tools = usable_tools(services.management->roles, *user);
  if (!tools.any()) return std::nullopt;
  return json::text_of(introspection_object, live_token{*user, tools, claims});
}

/// Returns whether an API key may be used at a resource.
bool is_for(const connector_services& services, const security::live_key& key, const std::string& resource) {
  const auto& own = key.resource.empty() ? services.tool_server : key.resource;
  return oauth::normalized_resource(own) == oauth::normalized_resource(resource);
}

std::optional<std::string> describe_api_key(const connector_services& services,
                                            const actors::user_directory& users, std::string_view token,
                                            const std::string& resource) {
  const auto key = find_key(*services.management->live_keys, security::key_kind::api, token);
  if (!key || !is_for(services, *key, resource)) return std::nullopt;
  auto description = describe(services, users, key->owner, nullptr);
  if (description) key->use->note(services.management->now());
  return description;
}

std::optional<std::string> describe_access_token(const connector_services& services,
                                                 const actors::user_directory& users, std::string_view token,
                                                 const std::string& resource) {
  const auto claims = services.tokens->claims_of(token, resource, services.management->now());
  // The register's epochs are those of sessions: a new password ends no connection.
  if (!claims || services.management->ended->has_ended(claims->session_id, {}, 0)) return std::nullopt;
  return describe(services, users, claims->user_id, &*claims);
}

response introspected(const connector_services& services, request& req) try {
  const auto form = oauth_parameters(req);
  const auto token = parameter(form, "token");
  if (!token) throw invalid_request("token is required");
  const auto& resource = std::any_cast<const std::string&>(req.context);
  // First, so that a server that may not serve has compared the token with nothing outdated.
  const auto users = require_users(*services.management);
  const auto live = token->starts_with(api_key_prefix)
                        ? describe_api_key(services, *users, *token, resource)
                        : describe_access_token(services, *users, *token, resource);
  auto result = json(200, live.value_or(R"({"active":false})"));
  forbid_storing(result);
  return result;
} catch (const oauth_refusal& refusal) {
  return to_response(refusal);
}

response introspect(const connector_services& services, request& req) {
  auto result = introspected(services, req);
  allow_every_origin(result);
  return result;
}

} // namespace

std::vector<route> introspection_routes(const connector_services& services) {
  std::vector<route> routes{
      {"POST",
       "/oauth/introspect",
       body_policy::form,
       {{[&management = *services.management](request& req) { check_tool_server(management, req); }},
        "a tool server's key"},
       bound_to(services, introspect)}};
  respond_as_writer(services.management->lease, routes);
  for (auto& each : routes)
    each.render_error = [](const request&, const error& refusal) {
      auto result = to_response(refusal);
      forbid_storing(result);
      allow_every_origin(result);
      return result;
    };
  routes.push_back(preflight("/oauth/introspect", "POST"));
  return routes;
}

} // namespace roost::http
