#include "store/office/keys.hpp"

#include "store/audit/audit.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"

#include <string_view>
#include <type_traits>
#include <utility>

namespace roost::store {

namespace {

/// Returns the columns that the office shows of a key `k` with its last use `c`. It never reads the hash.
template <typename Key, typename... Own>
constexpr auto shown_columns(const char* name, const Own&... own) {
  return columns(column("k.id", &Key::key, &stored_key::id), column(name, &Key::key, &stored_key::label),
                 column("k.last4", &Key::key, &stored_key::last4),
                 column("k.created_at", &Key::key, &stored_key::created_at),
                 column("c.used_at", &Key::last_used_at), own...);
}

struct engine_keys_of_office {
  using resource = office_engine_key;
  using family = account_keys;

  static constexpr auto table = "account_keys", owner = "", account = "k.account_id", name = "k.label";
  static constexpr auto columns = shown_columns<office_engine_key>(
      name, column("k.account_id", &office_engine_key::key, &account_key::account_id));

  static std::optional<office_refusal> refusal_of(session&, const office_scope&, const office_engine_key&) {
    return std::nullopt;
  }
};

/// The lock keeps the user from being deactivated until the key is stored: deactivation ends existing keys.
const selection locked_key_user{"locked_key_user",
                                "select {columns} from users where id = :user and account_id = :account"
                                " {for share skip locked}",
                                named<bool>("deactivated")};
const selection has_key_user{"has_key_user",
                             "select {columns} from users where id = :user and account_id = :account",
                             named<bool>("count(*) > 0")};

struct api_keys_of_office {
  using resource = office_api_key;
  using family = api_keys;

  static constexpr auto table = "api_keys", owner = " join users u on u.id = k.user_id",
                        account = "u.account_id", name = "k.name";
  static constexpr auto columns =
      shown_columns<office_api_key>(name, column("k.user_id", &office_api_key::key, &api_key::user_id),
                                    column("k.resource", &office_api_key::key, &api_key::resource),
                                    column("u.email", &office_api_key::user));

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope,
                                                  const office_api_key& key) {
    const parameters user{{"user", key.key.user_id}, {"account", scope.account_id}};
    const auto is_deactivated = db.internals().read_one(locked_key_user, user);
    if (!is_deactivated && db.internals().read_one(has_key_user, user).value_or(false))
      throw locked_elsewhere("the user is being changed");
    if (!is_deactivated || *is_deactivated)
      return office_refusal{office_result::refused, "userId must be an active user of the account"};
    return std::nullopt;
  }
};

/// The queries of a kind of key; only live keys exist for the office.
template <typename Kind>
class key_queries {
  using columns = std::remove_cvref_t<decltype(Kind::columns)>;

  static std::string text(const char* more) {
    return std::string("select {columns} from ") + Kind::table + " k" + Kind::owner +
           " left join credential_uses c on c.credential_id = k.id where " + Kind::account +
           " = :account and k.ended_at is null" + more;
  }
  static std::string name_of(const char* query) { return std::string(query) + "_office_" + Kind::table; }

public:
  const selection<named<domain::uuid>, named<std::string>> names{
      name_of("names_of"), text(""), named<domain::uuid>("k.id"), named<std::string>(Kind::name)};
  const selection<columns> some{name_of("some"), text(" and k.id in {ids uuid}"), Kind::columns};
  const selection<columns> one{name_of("one"), text(" and k.id = :id"), Kind::columns};
  const selection<named<domain::uuid>> locked{
      name_of("locked"), text(" and k.id = :id {for update of k skip locked}"), named<domain::uuid>("k.id")};

  /// Returns the queries of the kind, which are built at first use.
  static const key_queries& get() {
    static const key_queries queries;
    return queries;
  }
};

/// Keys as a kind of resource (office_resource.hpp): they are only created and erased.
template <typename Kind>
struct key_resource {
  using resource = typename Kind::resource;
  using queries = key_queries<Kind>;

  static domain::uuid id_of(const resource& key) { return key.key.id; }

  static parameters named_key(const office_scope& scope, const domain::uuid& id) {
    return {{"account", scope.account_id}, {"id", id}};
  }

  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    const auto key = named_key(scope, id);
    if (db.internals().read_one(queries::get().locked, key)) return true;
    if (!db.internals().read_one(queries::get().one, key)) return false;
    throw locked_elsewhere("the key is being changed");
  }

  static std::optional<resource> find(session& db, const office_scope& scope, const domain::uuid& id) {
    return db.internals().read_one(queries::get().one, named_key(scope, id));
  }

  static resource read(session& db, const office_scope& scope, const domain::uuid& id) {
    return find(db, scope, id).value();
  }

  static bool is_id_taken(session& db, const domain::uuid& id) { return is_credential_id(db, id); }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope, const resource*,
                                                  const resource& after) {
    return Kind::refusal_of(db, scope, after);
  }

  static office_trace insert(session& db, const office_scope&, resource& created,
                             const office_author& author) {
    created.key.created_at = author.now;
    Kind::family::add_row(db, created.key);
    return {};
  }

  static office_trace erase(session& db, const office_scope&, const resource& key,
                            const office_author& author) {
    Kind::family::end_row(db, key.key.id, author.now);
    return {};
  }

  /// Keys never change: the last change is their creation, by a user or by a command.
  static last_change last_change_of(session& db, const office_scope& scope, const resource& key) {
    const auto entry = newest_audit_of(db, domain::to_string(key.key.id), scope.account_id);
    if (!entry) return {changed_by_import, key.key.created_at};
    return {author_of(*entry), entry->made_at};
  }

  static office_page<resource> list(session& db, const office_scope& scope,
                                    const std::optional<name_place>& after, std::size_t limit) {
    const transaction txn(db, transaction::purpose::read);
    auto& connection = db.internals();
    name_list list("");
    connection.read(queries::get().names, {{"account", scope.account_id}},
                    [&](const domain::uuid& id, const std::string& name) { list.add(id, name, ""); });
    const auto read_some = [&](const std::vector<domain::uuid>& ids) {
      if (ids.empty()) return std::vector<resource>();
      return connection.read_all(queries::get().some,
                                 {{"account", scope.account_id}, {"ids", connection.list(ids)}});
    };
    return list.page<resource>(after, limit, read_some, place_of);
  }
};

using engine_key_resource = key_resource<engine_keys_of_office>;
using api_key_resource = key_resource<api_keys_of_office>;

} // namespace

name_place place_of(const office_engine_key& key) { return place_of_name(key.key.label, key.key.id); }
name_place place_of(const office_api_key& key) { return place_of_name(key.key.label, key.key.id); }

office_page<office_engine_key> list_engine_keys(session& db, const office_scope& scope,
                                                const std::optional<name_place>& after, std::size_t limit) {
  return engine_key_resource::list(db, scope, after, limit);
}

office_page<office_api_key> list_api_keys(session& db, const office_scope& scope,
                                          const std::optional<name_place>& after, std::size_t limit) {
  return api_key_resource::list(db, scope, after, limit);
}

std::optional<office_engine_key> find_engine_key(session& db, const office_scope& scope,
                                                 const domain::uuid& id) {
  return engine_key_resource::find(db, scope, id);
}

std::optional<office_api_key> find_api_key(session& db, const office_scope& scope, const domain::uuid& id) {
  return api_key_resource::find(db, scope, id);
}

office_outcome<office_engine_key> issue_engine_key(session& db, const lease& held, const office_scope& scope,
                                                   const office_creation<office_engine_key>& request,
                                                   const office_author& author) {
  auto owned = request;
  owned.resource.key.account_id = scope.account_id;
  return office_resource<engine_key_resource>::create(db, held, scope, owned, author);
}

office_outcome<office_api_key> issue_api_key(session& db, const lease& held, const office_scope& scope,
                                             const office_creation<office_api_key>& request,
                                             const office_author& author) {
  return office_resource<api_key_resource>::create(db, held, scope, request, author);
}

office_outcome<office_engine_key> revoke_engine_key(session& db, const lease& held, const office_scope& scope,
                                                    const office_deletion<office_engine_key>& request,
                                                    const office_author& author) {
  return office_resource<engine_key_resource>::erase(db, held, scope, request, author);
}

office_outcome<office_api_key> revoke_api_key(session& db, const lease& held, const office_scope& scope,
                                              const office_deletion<office_api_key>& request,
                                              const office_author& author) {
  return office_resource<api_key_resource>::erase(db, held, scope, request, author);
}

} // namespace roost::store
