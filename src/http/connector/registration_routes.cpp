#include "domain/assistant.hpp"
#include "http/connector/connector_access.hpp"
#include "http/connector/connector_routes.hpp"
#include "http/connector/oauth_messages.hpp"
#include "http/json/object_reader.hpp"
#include "json/writer.hpp"
#include "security/digest.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <chrono>

namespace roost::http {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t longest_scope = 1'024;
constexpr std::size_t max_redirects = 20;

oauth_refusal bad_redirect(std::string description) {
  return {400, "invalid_redirect_uri", std::move(description)};
}

oauth_refusal bad_metadata(std::string description) {
  return {400, "invalid_client_metadata", std::move(description)};
}

/// The last value of a member; nothing where it is absent or null.
std::optional<element> member(const object& of, std::string_view name) {
  std::optional<element> found;
  for (const auto field : of)
    if (field.key == name) found = field.value.is_null() ? std::nullopt : std::optional{field.value};
  return found;
}

std::optional<std::string> text_member(const object& of, std::string_view name) {
  const auto found = member(of, name);
  if (!found) return std::nullopt;
  std::string_view text;
  if (found->get(text)) throw bad_metadata(std::string(name) + " must be a string");
  return std::string(text);
}

std::vector<std::string> read_redirects(const object& body, const domain::redirect_policy& policy) {
  const auto found = member(body, "redirect_uris");
  array listed;
  if (!found || found->get(listed) || listed.size() == 0)
    throw bad_redirect("redirect_uris must be a non-empty array");
  if (listed.size() > max_redirects) throw bad_redirect("redirect_uris must have at most 20 items");
  std::vector<std::string> uris;
  for (const auto each : listed) {
    std::string_view uri;
    if (each.get(uri) || !policy.allows(uri))
      throw bad_redirect("redirect_uri is not an allowed connector callback");
    uris.emplace_back(uri);
  }
  return uris;
}

std::vector<std::string> read_grants(const object& body) {
  std::vector<std::string> wanted;
  if (const auto found = member(body, "grant_types")) {
    array listed;
    if (found->get(listed)) throw bad_metadata("grant_types must be an array");
    for (const auto each : listed) {
      std::string_view grant;
      if (!each.get(grant)) wanted.emplace_back(grant);
    }
  }
  return domain::kept_grant_types(wanted);
}

std::string read_method(const object& body) {
  auto method = std::string(store::public_client);
  if (const auto found = member(body, "token_endpoint_auth_method")) {
    std::string_view text;
    if (found->get(text) || (text != store::public_client && text != store::confidential_client))
      throw bad_metadata("unsupported token_endpoint_auth_method");
    method = text;
  }
  return method;
}

std::optional<std::string> read_name(const object& body) {
  const auto text = text_member(body, "client_name");
  auto name = domain::kept_client_name(text.value_or(""));
  if (name.empty()) return std::nullopt;
  return name;
}

/// Of all that was said, with the length of each part before it, so that no two clients have the same.
std::string fingerprint_of(const store::oauth_client& client) {
  std::string all;
  const auto add = [&all](std::string_view part) {
    all += std::to_string(part.size());
    all += ':';
    all += part;
  };
  for (const auto* list : {&client.redirect_uris, &client.grant_types}) {
    add(std::to_string(list->size()));
    for (const auto& each : *list) add(each);
  }
  add(client.auth_method);
  add(client.name.value_or(""));
  add(client.scope.value_or(""));
  return security::to_hex(security::sha256(all));
}

object object_of(json_body& body) { return body.root(); }

template <std::size_t Size>
void write_texts(json::writer& json, const char (&name)[Size], const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

} // namespace

store::oauth_client parse_registration(std::string& body, const domain::redirect_policy& policy) try {
  json_body parsed(body);
  const auto root = object_of(parsed);
  store::oauth_client client;
  client.redirect_uris = read_redirects(root, policy);
  client.grant_types = read_grants(root);
  client.auth_method = read_method(root);
  client.name = read_name(root);
  client.scope = text_member(root, "scope");
  if (client.scope && client.scope->size() > longest_scope) throw bad_metadata("scope is too long");
  client.fingerprint = fingerprint_of(client);
  return client;
} catch (const error& no_json) {
  throw bad_metadata(no_json.message);
}

std::string registration_json(const store::oauth_client& client, const std::string& secret) {
  const auto issued_at =
      std::chrono::floor<std::chrono::seconds>(client.created_at.time_since_epoch()).count();
  json::writer json;
  json.begin_object();
  json.field("client_id", client.id);
  json.field("client_id_issued_at", issued_at);
  if (!secret.empty()) {
    json.field("client_secret", secret);
    json.field("client_secret_expires_at", 0);
  }
  write_texts(json, "redirect_uris", client.redirect_uris);
  write_texts(json, "grant_types", client.grant_types);
  json.field("token_endpoint_auth_method", client.auth_method);
  if (client.name) json.field("client_name", *client.name);
  if (client.scope) json.field("scope", *client.scope);
  json.end_object();
  return std::string(json.text());
}

namespace {

/// It refers to the services, which outlive it.
struct registration_api {
  const connector_services& services;
};

asio::awaitable<response> register_client(const registration_api& api, request& req) {
  auto wanted = parse_registration(req.body, api.services.redirects);
  wanted.id = new_client_id();
  std::string secret;
  if (wanted.auth_method == store::confidential_client) {
    secret = security::random_secret();
    wanted.secret_hash = security::key_hash(secret);
  }
  const auto client = co_await api.services.management->connections->register_client(std::move(wanted));
  if (!client)
    throw oauth_refusal(503, "temporarily_unavailable",
                        "Too many clients are registered. Those that nobody uses are gone after an hour.");
  auto answer = json(201, registration_json(*client, secret));
  forbid_storing(answer);
  co_return answer;
}

} // namespace

std::vector<route> registration_routes(const connector_services& services) {
  const registration_api api{services};
  std::vector<route> routes{{"POST", "/oauth/register", body_policy::json,
                             connector_checks(services, "register", services.limits.registration),
                             with(api, register_client)}};
  answer_as_oauth(routes);
  routes.push_back(preflight("/oauth/register", "POST"));
  return routes;
}

} // namespace roost::http
