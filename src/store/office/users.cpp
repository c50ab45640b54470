#include "store/office/users.hpp"

#include "domain/email_address.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/portfolio/portfolio_tables.hpp"
#include "store/sessions/passwords.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

namespace {

using domain::portfolio_user;
using user_outcome = office_outcome<portfolio_user>;

/// A user as lists find and sort it.
struct listed_user {
  domain::uuid id{};
  std::string email, first_name, last_name;
};

const selection listed_users{
    "office_users",
    "select {columns} from users where account_id = :account and (:role = '' or role = :role)"
    " and (:deactivated = '' or deactivated = (:deactivated = 'true'))",
    columns(column("id", &listed_user::id), column("email", &listed_user::email),
            column("first_name", &listed_user::first_name), column("last_name", &listed_user::last_name))};
const selection users_by_id{"office_users_by_id", "select {columns} from users where id in {ids uuid}",
                            user_columns};

const std::string select_office_user = "select {columns} from users where id = :id and account_id = :account";
const selection office_user{"office_user", select_office_user, user_columns};
/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_office_user{
    "locked_office_user", select_office_user + " {for no key update skip locked}", named<domain::uuid>("id")};
const selection user_updated_at{"user_updated_at", "select {columns} from users where id = :id",
                                named<domain::timestamp>("updated_at")};
const selection user_id_taken{"user_id_taken", "select {columns} from users where id = :id",
                              named<bool>("count(*) > 0")};
const selection email_taken{"email_taken",
                            "select {columns} from users where folded_email = :key and id <> :id",
                            named<bool>("count(*) > 0")};
const selection managers{
    "managers",
    "select {columns} from users where account_id = :account and id <> :id and not deactivated"
    " and role in {roles text}",
    named<std::int64_t>("count(*)")};
constexpr query set_language{"set_language",
                             "update users set language = :language, updated_at = :now where id = :id"};
constexpr query erase_user{"erase_user", "delete from users where id = :id"};

parameters of_account(const office_scope& scope, const domain::uuid& id) {
  return {{"id", id}, {"account", scope.account_id}};
}

void write_user(session& db, const office_scope& scope, const domain::user& user, bulk_mode mode,
                domain::timestamp now) {
  const auto& table = mode == bulk_mode::insert ? tables::users : tables::users_keeping_passwords;
  bulk_writer rows(db, table, mode);
  rows.add({scope.account_id, &user, now});
  rows.finish();
}

/// Servers read keys again, which triggers may have ended.
change change_of(const office_scope& scope, const domain::uuid& user) {
  return {change_kind::account, {scope.account_id}, {}, {}, shown_resources{{user, {}}}};
}

/// Users as a kind of resource (office_resource.hpp).
struct user_resource {
  using resource = portfolio_user;

  static domain::uuid id_of(const portfolio_user& user) { return user.details.id; }

  /// Locks the account, too, so that two users who manage users cannot demote each other at the same time.
  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    lock_account(db, scope);
    if (db.internals().read_one(locked_office_user, of_account(scope, id))) return true;
    if (!db.internals().read_one(office_user, of_account(scope, id))) return false;
    throw locked_elsewhere("the user is being changed");
  }

  static portfolio_user read(session& db, const office_scope& scope, const domain::uuid& id) {
    return {db.internals().read_one(office_user, of_account(scope, id)).value(), {}};
  }

  static bool is_id_taken(session& db, const domain::uuid& id) {
    return db.internals().read_one(user_id_taken, {{"id", id}}).value_or(false);
  }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope&, const portfolio_user*,
                                                  const portfolio_user& after) {
    const parameters values{{"key", domain::email_key(after.details.email)}, {"id", after.details.id}};
    if (!db.internals().read_one(email_taken, values).value_or(false)) return std::nullopt;
    return office_refusal{office_result::conflicting, "email is already used by another user"};
  }

  static office_trace insert(session& db, const office_scope& scope, portfolio_user& user,
                             const office_author& author) {
    write_user(db, scope, user.details, bulk_mode::insert, author.now);
    const auto& id = user.details.id;
    return {change_of(scope, id), {}, {{{}, office_part::user, id, {}, office_state::created}}};
  }

  static office_trace update(session& db, const office_scope& scope, const portfolio_user& before,
                             portfolio_user& after, const office_author& author) {
    if (before.details.email != after.details.email) invalidate_links(db, after.details.id, author.now);
    write_user(db, scope, after.details, bulk_mode::update_changed, author.now);
    return {change_of(scope, after.details.id), {}, {{{}, office_part::user, after.details.id}}};
  }

  static office_trace erase(session& db, const office_scope& scope, const portfolio_user& user,
                            const office_author&) {
    const auto& id = user.details.id;
    db.internals().write(erase_user, {{"id", id}});
    return {change_of(scope, id), {}, {{{}, office_part::user, id, {}, office_state::deleted}}};
  }

  static last_change last_change_of(session& db, const office_scope&, const portfolio_user& user) {
    // The time of the row also moves with the password. Imports of other values forget the mark.
    if (const auto mark = find_mark(db, office_part::user, user.details.id))
      return {mark->changed_by, mark->changed_at};
    return {changed_by_import, db.internals().read_one(user_updated_at, {{"id", user.details.id}}).value()};
  }
};

/// The preferences of a user, which only the user changes. Imports keep them, so they leave no mark.
struct preferences_resource : user_resource {
  static office_trace update(session& db, const office_scope& scope, const portfolio_user&,
                             portfolio_user& after, const office_author& author) {
    db.internals().write(set_language, {{"id", after.details.id},
                                        {"language", domain::to_string(after.details.language)},
                                        {"now", author.now}});
    return {change_of(scope, after.details.id), {}, {}};
  }

  static last_change last_change_of(session& db, const office_scope& scope, const portfolio_user& user) {
    const auto entry = newest_audit_of(db, domain::to_string(user.details.id), scope.account_id);
    if (entry) return {author_of(*entry), entry->made_at};
    return user_resource::last_change_of(db, scope, user);
  }
};

using user_writes = office_resource<user_resource>;
using preferences_writes = office_resource<preferences_resource>;

bool manages(const user_rules& rules, const domain::user& user) {
  return !user.deactivated &&
         std::ranges::find(rules.roles_that_manage_users, user.role) != rules.roles_that_manage_users.end();
}

} // namespace

name_place place_of(const portfolio_user& user) { return place_of_name(user.details.email, user.details.id); }

office_page<portfolio_user> list_users(session& db, const office_scope& scope, const user_filter& filter,
                                       const std::optional<name_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  name_list list(filter.text);
  const auto deactivated = filter.deactivated ? (*filter.deactivated ? "true" : "false") : "";
  auto& connection = db.internals();
  connection.read(listed_users,
                  {{"account", scope.account_id}, {"role", filter.role}, {"deactivated", deactivated}},
                  [&](const listed_user& each) {
                    list.add(each.id, each.email, each.first_name + ' ' + each.last_name);
                  });
  return list.page<portfolio_user>(
      after, limit,
      [&](const std::vector<domain::uuid>& ids) {
        std::vector<portfolio_user> users;
        if (ids.empty()) return users;
        for (auto& each : connection.read_all(users_by_id, {{"ids", connection.list(ids)}}))
          users.push_back({std::move(each), {}});
        return users;
      },
      place_of);
}

std::optional<portfolio_user> find_user(session& db, const office_scope& scope, const domain::uuid& id) {
  auto found = db.internals().read_one(office_user, of_account(scope, id));
  if (!found) return std::nullopt;
  return portfolio_user{*std::move(found), {}};
}

office_rule<portfolio_user> user_rule(user_rules rules) {
  return [rules = std::move(rules)](session& db, const office_scope& scope, const portfolio_user& before,
                                    const portfolio_user* after) -> std::optional<office_refusal> {
    if (!rules.is_permitted(before.details, after != nullptr ? &after->details : nullptr))
      return office_refusal{office_result::forbidden, {}};
    if (!manages(rules, before.details) || (after != nullptr && manages(rules, after->details)))
      return std::nullopt;
    auto values = of_account(scope, before.details.id);
    values.emplace_back("roles", db.internals().list(rules.roles_that_manage_users));
    if (db.internals().read_one(managers, values).value_or(0) > 0) return std::nullopt;
    return office_refusal{
        office_result::conflicting,
        "This is the last active user who can manage users. Give another user such a role first"};
  };
}

user_outcome create_user(session& db, const lease& held, const office_scope& scope,
                         const office_creation<portfolio_user>& request, const office_author& author) {
  return user_writes::create(db, held, scope, request, author);
}

user_outcome change_user(session& db, const lease& held, const office_scope& scope,
                         const office_change<portfolio_user>& request, const office_author& author) {
  return user_writes::change(db, held, scope, request, author);
}

user_outcome change_preferences(session& db, const lease& held, const office_scope& scope,
                                const office_change<portfolio_user>& request, const office_author& author) {
  return preferences_writes::change(db, held, scope, request, author);
}

user_outcome delete_user(session& db, const lease& held, const office_scope& scope,
                         const office_deletion<portfolio_user>& request, const office_author& author) {
  return user_writes::erase(db, held, scope, request, author);
}

} // namespace roost::store
