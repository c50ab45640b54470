#include "actors/runtime/ask.hpp"
#include "domain/text.hpp"
#include "http/connector/connector_api.hpp"
#include "http/json/object_reader.hpp"
#include "json/object.hpp"
#include "oauth/client.hpp"

namespace roost::http {

namespace {

/// Returns a description that OAuth allows: printable ASCII without quotes and backslashes (RFC 6749, 5.2).
/// The names of a caller's parameters may have other characters.
std::string allowed_description(std::string_view text) {
  std::string allowed;
  while (!text.empty()) {
    const auto c = domain::take_character(text);
    if (!c) text.remove_prefix(1);
    allowed += c && *c >= ' ' && *c <= '~' && *c != '"' && *c != '\\' ? static_cast<char>(*c) : '?';
  }
  return allowed;
}

constexpr auto refusal_object = json::object<oauth_refusal>(
    "OAuthError", json::member("error", &oauth_refusal::error, "The kind of error, for programs"),
    json::member(
        "error_description",
        [](const oauth_refusal& refusal) { return allowed_description(refusal.description); },
        "The problem, for people"));

/// Runs a handler; converts an oauth_refusal to a response, and so a value that the store cannot hold.
asio::awaitable<response> run(const handler& inner, request& req) {
  response result;
  try {
    result = co_await inner(req);
  } catch (const oauth_refusal& refusal) {
    result = to_response(refusal);
  } catch (const actors::ask_error& failed) {
    if (actors::storage_error_of(failed.reason()) != actors::storage_error::invalid_value) throw;
    result = to_response(invalid_request(invalid_value().message));
  }
  allow_every_origin(result);
  co_return result;
}

form_fields parse_json(std::string& text) {
  const json_body parsed(text);
  form_fields fields;
  for (const auto member : parsed.root()) {
    std::string_view value;
    if (member.value.get(value)) continue;
    if (has_nul(member.key)) throw invalid_request("Malformed JSON: a zero byte");
    if (has_nul(value)) throw invalid_request(std::string(member.key) + " must not contain a zero byte");
    if (!fields.try_emplace(std::string(member.key), value).second)
      throw invalid_request(std::string(member.key) + " must not be repeated");
  }
  return fields;
}

} // namespace

response to_response(const oauth_refusal& refusal) {
  auto result = json(refusal.status, json::text_of(refusal_object, refusal));
  forbid_storing(result);
  if (refusal.status == 503) result.fields.emplace_back("Retry-After", "3600");
  return result;
}

void forbid_storing(response& to) { to.fields.emplace_back("Cache-Control", "no-store"); }

void allow_every_origin(response& to) {
  to.fields.emplace_back("Access-Control-Allow-Origin", "*");
  to.fields.emplace_back("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate");
}

std::vector<route> oauth_routes(const std::string& path, body_policy body, entry_rule entry, handler handle) {
  route post{"POST", path, body, std::move(entry),
             handler([inner = std::move(handle)](request& req) { return run(inner, req); })};
  post.render_error = [](const request&, const error& refusal) {
    auto result = to_response(refusal);
    forbid_storing(result);
    allow_every_origin(result);
    return result;
  };
  return {std::move(post), preflight(path, "POST")};
}

route preflight(std::string pattern, std::string methods) {
  const auto respond = [methods = std::move(methods)](request&) {
    auto result = empty(204);
    result.fields = {{"Access-Control-Allow-Origin", "*"},
                     {"Access-Control-Allow-Methods", methods},
                     {"Access-Control-Allow-Headers", "authorization, content-type, mcp-protocol-version"},
                     {"Access-Control-Max-Age", "86400"}};
    return result;
  };
  return {"OPTIONS", std::move(pattern), body_policy::none, {}, immediate_handler(respond)};
}

form_fields oauth_parameters(request& req) try {
  const bool is_json = req.header("content-type").find("json") != std::string_view::npos;
  return is_json ? parse_json(req.body) : read_form(req.body);
} catch (const error& malformed) {
  if (malformed.status != 400) throw;
  throw invalid_request(malformed.message);
}

std::optional<std::string> parameter(const form_fields& form, std::string_view name) {
  const auto field = form.find(name);
  if (field == form.end() || field->second.empty()) return std::nullopt;
  return field->second;
}

std::optional<std::string> issuable_resource(std::string_view resource, const std::string& tool_server,
                                             const security::live_keys& keys) {
  if (resource == tool_server) return tool_server;
  constexpr std::size_t max_length = 512;
  if (resource.size() > max_length) return std::nullopt;
  const auto normalized = oauth::normalized_resource(resource);
  if (!normalized) return std::nullopt;
  if (normalized == oauth::normalized_resource(tool_server)) return tool_server;
  const auto* const known = keys.find_resource(*normalized);
  return known == nullptr ? std::nullopt : std::optional(*known);
}

std::shared_ptr<const security::live_keys> require_keys(const connector_services& services) {
  auto keys = services.management->live_keys->get();
  if (!keys) throw busy();
  return keys;
}

asio::awaitable<actors::shared_client> client_of(const connector_services& services, const std::string& id,
                                                 actors::request_origin origin) {
  if (!services.documents || !actors::is_document_address(id))
    co_return co_await services.management->connections->find_client(id);
  actors::fetch_client message{id, actors::response_deadline(), std::move(origin)};
  const bool is_listed = services.document_policy.lists_host_of(id);
  const auto& documents =
      is_listed || !services.other_documents ? services.documents : services.other_documents;
  auto fetched = co_await actors::ask(documents, std::move(message));
  auto* client = std::get_if<store::oauth_client>(&fetched.result);
  co_return client == nullptr ? nullptr : std::make_shared<const store::oauth_client>(std::move(*client));
}

asio::awaitable<actors::shared_client> refreshing_client_of(const connector_services& services,
                                                            const std::string& id,
                                                            actors::request_origin origin) {
  if (!services.documents || !services.document_policy.allows_address(id))
    co_return co_await client_of(services, id, std::move(origin));
  store::oauth_client client;
  client.id = id;
  client.grant_types = oauth::stored_grant_types({});
  co_return std::make_shared<const store::oauth_client>(std::move(client));
}

} // namespace roost::http
