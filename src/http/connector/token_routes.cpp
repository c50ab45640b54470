#include "actors/runtime/ask.hpp"
#include "bytes/ascii.hpp"
#include "http/access/access.hpp"
#include "http/connector/connector_api.hpp"
#include "json/object.hpp"
#include "security/live_keys.hpp"

#include <algorithm>
#include <map>

namespace roost::http {

namespace {

constexpr std::size_t min_verifier_length = 43, max_verifier_length = 128; // RFC 7636, 4.1

oauth_refusal invalid_grant(std::string description) {
  return {400, "invalid_grant", std::move(description)};
}

/// RFC 6749, 5.2 allows 400, too, but assistants document 401 as the signal to register again.
oauth_refusal invalid_client(std::string description) {
  return {401, "invalid_client", std::move(description)};
}

oauth_refusal invalid_target(std::string description) {
  return {400, "invalid_target", std::move(description)};
}

std::string required_parameter(const form_fields& form, std::string_view name) {
  auto value = parameter(form, name);
  if (!value) throw invalid_request(std::string(name) + " is required");
  return std::move(*value);
}

bool is_verifier(std::string_view text) {
  const auto allowed = [](char c) {
    return ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  };
  return text.size() >= min_verifier_length && text.size() <= max_verifier_length &&
         std::ranges::all_of(text, allowed);
}

/// Returns the client after authenticating it. The error for an unknown client makes it register again.
asio::awaitable<actors::shared_client> authenticated_client(const connector_services& services,
                                                            const form_fields& form,
                                                            actors::request_origin origin) {
  const auto id = required_parameter(form, "client_id");
  actors::shared_client client;
  if (parameter(form, "grant_type") == "refresh_token")
    client = co_await refreshing_client_of(services, id, std::move(origin));
  else
    client = co_await client_of(services, id, std::move(origin));
  if (!client) throw invalid_client("The client is unknown. Please register it again.");
  if (client->secret_hash) {
    const auto secret = parameter(form, "client_secret");
    if (!secret) throw invalid_client("client_secret is required (client_secret_post)");
    if (!security::key_matches(*secret, *client->secret_hash)) throw invalid_client("client_secret is wrong");
  }
  co_return client;
}

/// Returns the resource that the client repeats; nullopt if it omits it.
std::optional<std::string> repeated_resource(const connector_services& services, const form_fields& form) {
  const auto resource = parameter(form, "resource");
  if (!resource) return std::nullopt;
  auto issuable = issuable_resource(*resource, services.tool_server, *require_keys(services));
  if (!issuable) throw invalid_target("This service issues no tokens for that resource");
  return issuable;
}

using refusal_texts = std::map<store::token_refusal, std::string_view>;

const refusal_texts code_refusals{
    {store::token_refusal::expired, "The authorization code has expired"},
    {store::token_refusal::used, "The authorization code was already used; its connection has been ended"},
    {store::token_refusal::other_redirect, "redirect_uri differs from the one that received the code"},
    {store::token_refusal::other_verifier, "code_verifier does not match the code's challenge"}};

const refusal_texts refresh_refusals{
    {store::token_refusal::expired, "The refresh token has expired"},
    {store::token_refusal::reused, "The refresh token was already used; its connection has been ended"},
    {store::token_refusal::ended, "The connection has been ended"}};

/// Returns the refusal that both grants share, or the one of `texts`, or `otherwise`.
oauth_refusal refusal_of(store::token_refusal reason, const refusal_texts& texts, const char* otherwise) {
  if (reason == store::token_refusal::no_tools)
    return {400, "access_denied", "No tool area is enabled for this user any longer"};
  if (reason == store::token_refusal::other_resource)
    return invalid_target("resource is not the one that was authorized");
  if (reason == store::token_refusal::resource_gone)
    return invalid_target("This service no longer issues tokens for the authorized resource");
  const auto text = texts.find(reason);
  return invalid_grant(std::string(text == texts.end() ? otherwise : text->second));
}

security::access_claims claims_for(const connector_services& services, const store::connection& connection,
                                   const actors::known_user& user, const std::string& scope) {
  security::access_claims claims;
  claims.issuer = services.management->base_url;
  claims.audience = connection.resource;
  claims.user_id = user.id;
  claims.session_id = connection.id;
  claims.epoch = connection.epoch;
  claims.issued = std::chrono::floor<std::chrono::seconds>(services.management->now());
  claims.expires = claims.issued + std::chrono::ceil<std::chrono::seconds>(services.access_token);
  claims.source = security::connector_source;
  claims.client_id = connection.client_id;
  claims.scope = scope;
  return claims;
}

/// The tokens in a response (Management API, Token response).
struct issued_tokens {
  std::string access_token;
  std::int64_t expires_in;
  std::optional<std::string> refresh_token; ///< nullopt without the grant type refresh_token
  std::string scope;
};

constexpr auto tokens_object = json::object<issued_tokens>(
    "Tokens", json::member("access_token", &issued_tokens::access_token, "A JWT for the resource"),
    json::member(
        "token_type", [](const issued_tokens&) { return std::string_view{"Bearer"}; }, "Always Bearer"),
    json::member("expires_in", &issued_tokens::expires_in, "Seconds until the access token expires"),
    json::member(
        "refresh_token", &issued_tokens::refresh_token, "Replaces the previous one",
        json::only_where{[](const issued_tokens& tokens) { return tokens.refresh_token.has_value(); }}),
    json::member("scope", &issued_tokens::scope, "The tool areas that are open, with spaces"));

response token_response(const connector_services& services, const store::connection& connection,
                        const store::oauth_client& client) {
  const auto users = require_users(*services.management);
  const auto* user = users->find(connection.user_id);
  if (user == nullptr) throw invalid_grant("The user was removed");
  const auto scope = usable_tools(services.management->roles, *user).scope();
  const auto claims = claims_for(services, connection, *user, scope);
  issued_tokens tokens{services.tokens->issue(claims), (claims.expires - claims.issued).count(), {}, scope};
  if (client.may("refresh_token"))
    tokens.refresh_token =
        security::refresh_token_text(*services.management->keys->get(), security::refresh_kind::connection,
                                     {connection.id, connection.generation});
  auto result = json(200, json::text_of(tokens_object, tokens));
  forbid_storing(result);
  result.fields.emplace_back("Pragma", "no-cache");
  return result;
}

asio::awaitable<response> exchange(const connector_services& services, const request& req,
                                   const form_fields& form, const store::oauth_client& client) {
  const auto verifier = required_parameter(form, "code_verifier");
  if (!is_verifier(verifier))
    throw invalid_request("code_verifier must have 43 to 128 unreserved characters");
  store::code_exchange presented;
  presented.hash = security::key_hash(required_parameter(form, "code"));
  presented.client_id = client.id;
  presented.redirect_uri = required_parameter(form, "redirect_uri");
  presented.challenge = security::to_base64url(security::sha256(verifier));
  presented.resource = repeated_resource(services, form);
  const auto outcome =
      co_await services.management->connections->exchange_code(std::move(presented), request_origin_of(req));
  if (const auto* reason = std::get_if<store::token_refusal>(&outcome))
    throw refusal_of(*reason, code_refusals, "The authorization code is not valid");
  co_return token_response(services, std::get<store::connection>(outcome), client);
}

asio::awaitable<response> refresh(const connector_services& services, const request& req,
                                  const form_fields& form, const store::oauth_client& client) {
  const auto token =
      security::parse_refresh_token(*services.management->keys->get(), security::refresh_kind::connection,
                                    required_parameter(form, "refresh_token"));
  if (!token) throw invalid_grant("The refresh token is not valid");
  actors::refresh_connection message;
  message.presented = {token->chain, token->generation, client.id, repeated_resource(services, form)};
  message.deadline = actors::response_deadline();
  message.origin = request_origin_of(req);
  const auto granted = co_await actors::ask(services.keeper, std::move(message));
  if (const auto* reason = std::get_if<store::token_refusal>(&granted.outcome))
    throw refusal_of(*reason, refresh_refusals, "The refresh token is not valid");
  co_return token_response(services, std::get<store::connection>(granted.outcome), client);
}

asio::awaitable<response> issue_tokens(const connector_services& services, request& req) {
  require_keys(services); // the store's check of the resource needs them
  const auto form = oauth_parameters(req);
  const auto grant = required_parameter(form, "grant_type");
  if (grant != "authorization_code" && grant != "refresh_token")
    throw oauth_refusal(400, "unsupported_grant_type",
                        "grant_type must be authorization_code or refresh_token");
  auto origin = request_origin_of(req);
  const auto client = co_await authenticated_client(services, form, std::move(origin));
  if (!client->may(grant))
    throw oauth_refusal(400, "unsupported_grant_type", "The client registered without this grant type");
  if (grant == "refresh_token") co_return co_await refresh(services, req, form, *client);
  co_return co_await exchange(services, req, form, *client);
}

} // namespace

std::vector<route> token_routes(const connector_services& services) {
  return oauth_routes("/oauth/token", body_policy::form,
                      serving_checks(*services.management, "token", services.limits.token),
                      bound_to(services, issue_tokens));
}

} // namespace roost::http
