#include "actors/runtime/ask.hpp"
#include "bytes/ascii.hpp"
#include "http/access/access.hpp"
#include "http/connector/authorize_request.hpp"
#include "http/connector/connector_access.hpp"
#include "http/connector/connector_routes.hpp"
#include "http/connector/oauth_messages.hpp"
#include "http/management/management_access.hpp"
#include "json/writer.hpp"
#include "security/live_keys.hpp"
#include "security/session_tokens.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr std::size_t shortest_verifier = 43, longest_verifier = 128; // RFC 7636, 4.1

/// It refers to the services, which outlive it.
struct token_api {
  const connector_services& services;
};

oauth_refusal invalid_grant(std::string description) {
  return {400, "invalid_grant", std::move(description)};
}

oauth_refusal invalid_client(std::string description) {
  return {401, "invalid_client", std::move(description)};
}

std::string required_parameter(const form_fields& of, std::string_view name) {
  auto value = parameter(of, name);
  if (!value) throw invalid_request(std::string(name) + " is required");
  return std::move(*value);
}

bool is_verifier(std::string_view text) {
  const auto allowed = [](char c) {
    return ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  };
  return text.size() >= shortest_verifier && text.size() <= longest_verifier &&
         std::ranges::all_of(text, allowed);
}

/// The client, once it has shown who it is. An unknown one is told so that it registers anew.
asio::awaitable<std::shared_ptr<const store::oauth_client>> authenticated_client(const token_api& api,
                                                                                 const form_fields& sent) {
  const auto id = required_parameter(sent, "client_id");
  std::shared_ptr<const store::oauth_client> client;
  if (parameter(sent, "grant_type") == "refresh_token")
    client = co_await refreshing_client_of(api.services, id);
  else
    client = co_await client_of(api.services, id);
  if (!client) throw invalid_client("The client is unknown. Please register it again.");
  if (client->secret_hash) {
    const auto secret = parameter(sent, "client_secret");
    if (!secret) throw invalid_client("client_secret is required (client_secret_post)");
    if (!security::key_matches(*secret, *client->secret_hash)) throw invalid_client("client_secret is wrong");
  }
  co_return client;
}

/// Nothing: it was not repeated.
std::optional<std::string> repeated_resource(const token_api& api, const form_fields& sent) {
  const auto resource = parameter(sent, "resource");
  if (!resource) return std::nullopt;
  auto known = known_resource(*resource, api.services.tool_server);
  if (!known) throw oauth_refusal(400, "invalid_target", "resource is not a URI of a resource");
  return known;
}

oauth_refusal refusal_of_code(store::token_refusal why) {
  using enum store::token_refusal;
  switch (why) {
  case expired:
    return invalid_grant("The authorization code has expired");
  case used:
    return invalid_grant("The authorization code was used already; what came of it is ended");
  case other_redirect:
    return invalid_grant("redirect_uri is not the one that the code was sent to");
  case other_verifier:
    return invalid_grant("code_verifier does not belong to the code's challenge");
  default:
    return invalid_grant("The authorization code is not valid");
  }
}

oauth_refusal refusal_of_token(store::token_refusal why) {
  using enum store::token_refusal;
  switch (why) {
  case expired:
    return invalid_grant("The refresh token has expired");
  case reused:
    return invalid_grant("The refresh token was used already; the connection is ended");
  case ended:
    return invalid_grant("The connection was ended");
  default:
    return invalid_grant("The refresh token is not valid");
  }
}

/// What both grants say in the same words; else in those of `otherwise`.
oauth_refusal refusal_of(store::token_refusal why, oauth_refusal (*otherwise)(store::token_refusal)) {
  if (why == store::token_refusal::no_tools)
    return {400, "access_denied", "No tool area is enabled for this user any more"};
  if (why == store::token_refusal::other_resource)
    return {400, "invalid_target", "resource is not the one that was authorized"};
  return otherwise(why);
}

security::access_claims claims_for(const connector_services& services, const store::connection& connection,
                                   const actors::known_user& user, const std::string& scope) {
  security::access_claims claims;
  claims.issuer = services.management->base_url;
  claims.audience = connection.resource;
  claims.user_id = user.id;
  claims.session_id = connection.id;
  claims.epoch = user.epoch;
  claims.issued = std::chrono::floor<std::chrono::seconds>(services.management->now());
  claims.expires = claims.issued + std::chrono::ceil<std::chrono::seconds>(services.access_token);
  claims.source = security::connector_source;
  claims.client_id = connection.client_id;
  claims.scope = scope;
  return claims;
}

/// Management API, Token response.
response token_response(const connector_services& services, const store::connection& connection,
                        const store::oauth_client& client) {
  const auto users = require_users(*services.management);
  const auto* user = users->find(connection.user_id);
  if (user == nullptr) throw invalid_grant("The user was removed");
  const auto scope = usable_tools(services.management->roles, *user).scope();
  const auto claims = claims_for(services, connection, *user, scope);
  json::writer body;
  body.begin_object();
  body.field("access_token", services.tokens->issue(claims));
  body.field("token_type", "Bearer");
  body.field("expires_in", (claims.expires - claims.issued).count());
  if (client.may("refresh_token"))
    body.field("refresh_token", security::refresh_token_text(*services.management->keys->get(),
                                                             security::refresh_kind::connection,
                                                             {connection.id, connection.generation}));
  body.field("scope", scope);
  body.end_object();
  auto answer = json(200, std::string(body.text()));
  forbid_storing(answer);
  answer.fields.emplace_back("Pragma", "no-cache");
  return answer;
}

asio::awaitable<response> exchange(const token_api& api, const form_fields& sent,
                                   const store::oauth_client& client) {
  const auto verifier = required_parameter(sent, "code_verifier");
  if (!is_verifier(verifier))
    throw invalid_request("code_verifier must have 43 to 128 unreserved characters");
  store::code_exchange presented;
  presented.hash = security::key_hash(required_parameter(sent, "code"));
  presented.client_id = client.id;
  presented.redirect_uri = required_parameter(sent, "redirect_uri");
  presented.challenge = security::to_base64url(security::sha256(verifier));
  presented.resource = repeated_resource(api, sent);
  const auto outcome = co_await api.services.management->connections->exchange_code(std::move(presented));
  if (const auto* why = std::get_if<store::token_refusal>(&outcome)) throw refusal_of(*why, refusal_of_code);
  co_return token_response(api.services, std::get<store::connection>(outcome), client);
}

asio::awaitable<response> refresh(const token_api& api, const form_fields& sent,
                                  const store::oauth_client& client) {
  const auto token =
      security::parse_refresh_token(*api.services.management->keys->get(), security::refresh_kind::connection,
                                    required_parameter(sent, "refresh_token"));
  if (!token) throw invalid_grant("The refresh token is not valid");
  actors::refresh_connection message;
  message.presented = {token->chain, token->generation, client.id, repeated_resource(api, sent)};
  message.deadline = actors::answer_deadline();
  const auto done = co_await actors::ask(api.services.keeper, std::move(message));
  if (const auto* why = std::get_if<store::token_refusal>(&done.outcome))
    throw refusal_of(*why, refusal_of_token);
  co_return token_response(api.services, std::get<store::connection>(done.outcome), client);
}

asio::awaitable<response> give_tokens(const token_api& api, request& req) {
  const auto sent = oauth_parameters(req);
  const auto grant = required_parameter(sent, "grant_type");
  if (grant != "authorization_code" && grant != "refresh_token")
    throw oauth_refusal(400, "unsupported_grant_type",
                        "grant_type must be authorization_code or refresh_token");
  const auto client = co_await authenticated_client(api, sent);
  if (!client->may(grant))
    throw oauth_refusal(400, "unsupported_grant_type", "The client registered without this grant type");
  if (grant == "refresh_token") co_return co_await refresh(api, sent, *client);
  co_return co_await exchange(api, sent, *client);
}

} // namespace

std::vector<route> token_routes(const connector_services& services) {
  const token_api api{services};
  std::vector<route> routes{{"POST", "/oauth/token", body_policy::form,
                             connector_checks(services, "token", services.limits.token),
                             with(api, give_tokens)}};
  answer_as_oauth(routes);
  routes.push_back(preflight("/oauth/token", "POST"));
  return routes;
}

} // namespace roost::http
