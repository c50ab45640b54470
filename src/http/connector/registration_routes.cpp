#include "http/connector/connector_api.hpp"
#include "http/json/object_reader.hpp"
#include "json/object.hpp"
#include "oauth/client.hpp"
#include "security/digest.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <array>
#include <chrono>

namespace roost::http {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t max_scope_length = 1'024;
constexpr std::size_t max_redirects = 20;

oauth_refusal bad_redirect(std::string description) {
  return {400, "invalid_redirect_uri", std::move(description)};
}

oauth_refusal bad_metadata(std::string description) {
  return {400, "invalid_client_metadata", std::move(description)};
}

/// Returns the last value of a member; nullopt if it is missing or null.
std::optional<element> find_member(const object& body, std::string_view name) {
  std::optional<element> last;
  for (const auto field : body)
    if (field.key == name) last = field.value.is_null() ? std::nullopt : std::optional{field.value};
  return last;
}

std::optional<std::string> read_text(const object& body, std::string_view name) {
  const auto member = find_member(body, name);
  if (!member) return std::nullopt;
  std::string_view text;
  if (member->get(text)) throw bad_metadata(std::string(name) + " must be a string");
  if (has_nul(text)) throw bad_metadata(std::string(name) + " must not contain a zero byte");
  return std::string(text);
}

std::vector<std::string> read_redirects(const object& body, const oauth::redirect_policy& policy) {
  const auto member = find_member(body, "redirect_uris");
  array listed;
  if (!member || member->get(listed) || listed.size() == 0)
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
  std::vector<std::string> requested;
  if (const auto member = find_member(body, "grant_types")) {
    array listed;
    if (member->get(listed)) throw bad_metadata("grant_types must be an array");
    for (const auto each : listed) {
      std::string_view grant;
      if (!each.get(grant)) requested.emplace_back(grant);
    }
  }
  return oauth::stored_grant_types(requested);
}

std::string read_method(const object& body) {
  const auto member = find_member(body, "token_endpoint_auth_method");
  if (!member) return std::string(store::public_client);
  std::string_view method;
  if (member->get(method) || (method != store::public_client && method != store::confidential_client))
    throw bad_metadata("unsupported token_endpoint_auth_method");
  return std::string(method);
}

std::optional<std::string> read_name(const object& body) {
  auto name = oauth::stored_client_name(read_text(body, "client_name").value_or(""));
  if (name.empty()) return std::nullopt;
  return name;
}

/// Returns the hash of all registered values. The length precedes each of them, so that different clients
/// have different fingerprints.
std::string fingerprint_of(const store::oauth_client& client) {
  std::string all;
  const auto add = [&all](std::string_view part) {
    all.append(std::to_string(part.size())).append(1, ':').append(part);
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

struct registration : store::oauth_client {
  std::string secret; ///< empty for a public client
};

constexpr bool is_confidential(const registration& client) { return !client.secret.empty(); }

constexpr auto registration_object = json::object<registration>(
    "ClientRegistration", json::member("client_id", &registration::id, "The client's ID"),
    json::member(
        "client_id_issued_at",
        [](const registration& client) {
          return std::chrono::floor<std::chrono::seconds>(client.created_at.time_since_epoch()).count();
        },
        "When the client registered, in seconds since 1970"),
    json::member(
        "client_secret", [](const registration& client) -> const auto& { return client.secret; },
        "Returned only once, for client_secret_post only", json::only_where{is_confidential}),
    json::member(
        "client_secret_expires_at", [](const registration&) { return 0; }, "0: the secret does not expire",
        json::only_where{is_confidential}),
    json::values<std::string>("redirect_uris", &registration::redirect_uris, "As sent"),
    json::values<std::string>("grant_types", &registration::grant_types,
                              "The grant types that the client may use"),
    json::member("token_endpoint_auth_method", &registration::auth_method, "none or client_secret_post"),
    json::member("client_name", &registration::name, "As the consent page shows it",
                 json::only_where{[](const registration& client) { return client.name.has_value(); }}),
    json::member("scope", &registration::scope, "As sent; it does not limit access",
                 json::only_where{[](const registration& client) { return client.scope.has_value(); }}));

asio::awaitable<response> register_client(const connector_services& services, request& req) {
  auto client = parse_registration(req.body, services.redirects);
  std::array<unsigned char, 16> id;
  security::fill_random(id);
  client.id = "mcp-" + security::to_hex(id);
  std::string secret;
  if (client.auth_method == store::confidential_client) {
    secret = security::random_secret();
    client.secret_hash = security::key_hash(secret);
  }
  const auto registered =
      co_await services.management->connections->register_client(std::move(client), request_origin_of(req));
  if (!registered)
    throw oauth_refusal(503, "temporarily_unavailable",
                        "The maximum number of clients is in use. Please try again later.");
  auto result = json(201, json::text_of(registration_object, registration{{*registered}, secret}));
  forbid_storing(result);
  co_return result;
}

} // namespace

store::oauth_client parse_registration(std::string& body, const oauth::redirect_policy& policy) try {
  const json_body parsed(body);
  const auto& root = parsed.root();
  store::oauth_client client;
  client.redirect_uris = read_redirects(root, policy);
  client.grant_types = read_grants(root);
  client.auth_method = read_method(root);
  client.name = read_name(root);
  client.scope = read_text(root, "scope");
  if (client.scope && client.scope->size() > max_scope_length) throw bad_metadata("scope is too long");
  client.fingerprint = fingerprint_of(client);
  return client;
} catch (const error& malformed) {
  throw bad_metadata(malformed.message);
}

std::vector<route> registration_routes(const connector_services& services) {
  return oauth_routes("/oauth/register", body_policy::json,
                      serving_checks(*services.management, "register", services.limits.registration),
                      bound_to(services, register_client));
}

} // namespace roost::http
