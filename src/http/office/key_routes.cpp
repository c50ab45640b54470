#include "http/access/access.hpp"
#include "http/office/resource_routes.hpp"
#include "oauth/urls.hpp"
#include "portfolio/record_around.hpp"
#include "security/live_keys.hpp"

namespace roost::http {

namespace {

using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::record, portfolio::via;
using store::office_api_key, store::office_engine_key, store::stored_key;
namespace kind = portfolio::kind;

/// A key that was just issued: the only state that has its text.
template <typename Key>
struct issued : Key {
  std::string text;
};

bool is_resource(std::string_view text) { return oauth::normalized_resource(text).has_value(); }

constexpr kind::text key_name{.max_length = 200};
constexpr kind::form resource_url{
    is_resource, "must be an http or https URL without a fragment", {.type = "string", .format = "uri"}};

template <typename Key, typename... Own>
constexpr auto key_record(const Own&... own) {
  return record<Key>(
      field("id", kind::id, via(&Key::key, &stored_key::id), "The key's UUID. Clients may choose it",
            optional),
      field("name", key_name, via(&Key::key, &stored_key::label), "What the office calls the key"), own...,
      field("last4", kind::detail, via(&Key::key, &stored_key::last4), "The last four characters of the key",
            optional, read_only),
      field("createdAt", kind::moment, via(&Key::key, &stored_key::created_at), "", optional, read_only,
            untagged),
      field("lastUsedAt", kind::moment, &Key::last_used_at, "To the minute; null: never", optional, read_only,
            untagged));
}

constexpr auto engine_key_object = key_record<office_engine_key>();
constexpr auto api_key_object = key_record<office_api_key>(
    field("userId", kind::id, via(&office_api_key::key, &store::api_key::user_id),
          "The user for whom the key acts; by default the caller", optional),
    field("user", kind::detail, &office_api_key::user, "The email address of that user", optional, read_only,
          untagged),
    field("resource", resource_url, via(&office_api_key::key, &store::api_key::resource),
          "The URL of the tool server at which the key is valid; by default the configured one", optional));

template <typename Key>
constexpr auto text_of_key = domain::pack_of(field("key", kind::detail, &issued<Key>::text,
                                                   "The key. It is never shown again"));
constexpr auto issued_engine_key_object = portfolio::record_around<engine_key_object>(
    portfolio::hooks<issued<office_engine_key>>{}, domain::pack_of(), text_of_key<office_engine_key>);
constexpr auto issued_api_key_object = portfolio::record_around<api_key_object>(
    portfolio::hooks<issued<office_api_key>>{}, domain::pack_of(), text_of_key<office_api_key>);

struct engine_key_kind {
  using resource = office_engine_key;
  static constexpr const auto& object = engine_key_object;
  static constexpr const auto& issued_object = issued_engine_key_object;
  static constexpr const char *noun = "engine key", *plural = "engine-keys", *path = "/api/engine-keys/";
  static constexpr auto generated = security::key_kind::account;
  static constexpr bool has_parts_without_tag = true; // the last use

  static domain::uuid& id_of(office_engine_key& key) { return key.key.id; }
  static void check(const office_services&, const request&, office_engine_key&) {}
  static constexpr auto list = store::list_engine_keys;
  static constexpr auto find = store::find_engine_key;
  static constexpr auto create = store::issue_engine_key;
  static constexpr auto erase = store::revoke_engine_key;
};

struct api_key_kind {
  using resource = office_api_key;
  static constexpr const auto& object = api_key_object;
  static constexpr const auto& issued_object = issued_api_key_object;
  static constexpr const char *noun = "API key", *plural = "api-keys", *path = "/api/api-keys/";
  static constexpr auto generated = security::key_kind::api;
  static constexpr bool has_parts_without_tag = true; // the last use

  static domain::uuid& id_of(office_api_key& key) { return key.key.id; }

  /// Sets the user and the resource, and checks them. Holders of a key can do what its user can do, so a
  /// caller may not issue one for a user with other permissions.
  static void check(const office_services& services, const request& req, office_api_key& requested) {
    const auto& caller = caller_of(req);
    auto& key = requested.key;
    if (key.user_id.is_nil()) key.user_id = caller.user->id;
    const auto* user = caller.users->find(key.user_id);
    std::string problems;
    if (user == nullptr || user->account_id != caller.user->account_id || user->deactivated)
      problems = "userId must be an active user of the account";
    const bool has_resource = key.resource.has_value();
    key.resource = oauth::resource_of_key(key.resource.value_or(""), services.tool_server);
    if (!key.resource)
      problems.append(problems.empty() ? "" : ", ")
          .append(has_resource ? "resource must be an https URL, or a URL on this server's machine"
                               : "resource is required, because no tool server is configured");
    if (!problems.empty()) throw bad_request(problems);
    if (!includes_role(services.management->roles, caller.user->role, user->role))
      throw forbidden("This user has permissions that you do not have");
  }

  static constexpr auto list = store::list_api_keys;
  static constexpr auto find = store::find_api_key;
  static constexpr auto create = store::issue_api_key;
  static constexpr auto erase = store::revoke_api_key;
};

template <typename Kind>
class key_handlers {
  using resource = typename Kind::resource;
  using handlers = resource_routes<Kind>;

public:
  static asio::awaitable<response> list(const office_services& services, request& req) {
    refuse_owners(req);
    query_reader query(req.query, {"limit", "after"});
    auto page = read_list_parameters(query);
    query.throw_if_refused();
    typename handlers::list_reader read = [scope = scope_of(req)](store::session& db, const auto& after,
                                                                  std::size_t limit) {
      return Kind::list(db, scope, after, limit);
    };
    return handlers::list(services, req, std::move(page), std::move(read));
  }

  /// Responds with the text of the key only if this request has stored it: a repeated one has generated
  /// another text, which is discarded.
  static asio::awaitable<response> issue(const office_services& services, request& req) {
    refuse_owners(req);
    resource requested;
    read_whole(req.body, Kind::object, requested, services.configured);
    Kind::check(services, req, requested);
    const auto request_text = object_json(Kind::object, requested);
    const auto generated = security::issue_key(Kind::generated);
    generated.store_in(requested.key);
    auto done = co_await handlers::store_new(services, req, std::move(requested), request_text);
    auto result = handlers::created(services, req, done);
    if (done.result == store::office_result::created)
      result.body = object_json(Kind::issued_object, {{std::move(done.resource)}, generated.plaintext});
    co_return result;
  }

  static asio::awaitable<response> show(const office_services& services, request& req) {
    refuse_owners(req);
    return handlers::show(services, req);
  }

  static asio::awaitable<response> revoke(const office_services& services, request& req) {
    refuse_owners(req);
    return handlers::erase(services, req);
  }
};
using api_key_handlers = key_handlers<api_key_kind>;
using engine_key_handlers = key_handlers<engine_key_kind>;

constexpr auto permission = "account_settings.module";
const documented_resource documented_api_keys{"ApiKey", "API key", "API keys", permission, permission, {}},
    documented_engine_keys{"EngineKey", "engine key", "engine keys", permission, permission, {}};

/// What the documentation of a kind of key says in addition.
struct documented_key {
  std::string_view issue, revoke;              ///< summaries
  std::string_view schema;                     ///< of an issued key
  std::vector<documented_response> refusals{}; ///< of issuing one
};

resource_operations key_operations_of(const documented_resource& of, const documented_key& key) {
  auto all = operations_of(of);
  all.create.summary = key.issue;
  all.create.responses = {{201, "The key. This is the only response that contains its text", key.schema},
                          {200, "The same request issued this key before; without its text", of.name},
                          {403, "The role lacks account_settings.module", "Error"},
                          {409, "A key was issued with this id by another request, or was revoked", "Error"}};
  all.create.responses.insert(all.create.responses.end(), key.refusals.begin(), key.refusals.end());
  all.erase.summary = key.revoke;
  return all;
}

} // namespace

std::vector<route> key_routes(const office_services& services) {
  static const auto of_api_keys = key_operations_of(
      documented_api_keys, {.issue = "Issues an API key of a user, for clients that cannot run OAuth",
                            .revoke = "Revokes the API key: it is refused from now on",
                            .schema = "IssuedApiKey",
                            .refusals = {{403,
                                          "The user has permissions that the caller lacks",
                                          "Error",
                                          false,
                                          {},
                                          "This user has permissions that you do not have"}}});
  static const auto of_engine_keys =
      key_operations_of(documented_engine_keys,
                        {.issue = "Issues an account key, with which the booking engine creates properties",
                         .revoke = "Revokes the account key: it is refused from now on",
                         .schema = "IssuedEngineKey"});
  constexpr auto api_keys = "/api/api-keys", api_key = "/api/api-keys/{keyId}";
  constexpr auto engine_keys = "/api/engine-keys", engine_key = "/api/engine-keys/{keyId}";
  using enum body_policy;
  return routes_for(
      services,
      {{"GET", api_keys, none, permission, api_key_handlers::list, &of_api_keys.list},
       {"POST", api_keys, body_policy::json, permission, api_key_handlers::issue, &of_api_keys.create},
       {"GET", api_key, none, permission, api_key_handlers::show, &of_api_keys.show},
       {"DELETE", api_key, none, permission, api_key_handlers::revoke, &of_api_keys.erase},
       {"GET", engine_keys, none, permission, engine_key_handlers::list, &of_engine_keys.list},
       {"POST", engine_keys, body_policy::json, permission, engine_key_handlers::issue,
        &of_engine_keys.create},
       {"GET", engine_key, none, permission, engine_key_handlers::show, &of_engine_keys.show},
       {"DELETE", engine_key, none, permission, engine_key_handlers::revoke, &of_engine_keys.erase}});
}

void add_key_schemas(json::schemas& to) {
  add_resource_schemas(to, api_key_object, "ApiKey");
  add_resource_schemas(to, engine_key_object, "EngineKey");
  to.add("IssuedApiKey", json::schema_of(issued_api_key_object));
  to.add("IssuedEngineKey", json::schema_of(issued_engine_key_object));
}

} // namespace roost::http
