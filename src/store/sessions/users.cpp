#include "store/sessions/users.hpp"

#include "domain/email_address.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <map>

namespace roost::store {

namespace {

constexpr auto sign_in_user_columns =
    columns(column("id", &sign_in_user::id), column("account_id", &sign_in_user::account_id),
            column("email", &sign_in_user::email), column("first_name", &sign_in_user::first_name),
            column("password_hash", &sign_in_user::password_hash),
            column("session_epoch", &sign_in_user::epoch), column("deactivated", &sign_in_user::deactivated),
            column("identity_issuer", &sign_in_user::identity_issuer),
            column("identity_subject", &sign_in_user::identity_subject));

const selection user_by_email{"user_by_email", "select {columns} from users where folded_email = :email",
                              sign_in_user_columns};
const selection locked_user_by_email{"locked_user_by_email",
                                     "select {columns} from users where folded_email = :email {for share}",
                                     sign_in_user_columns};
const selection user_by_id{"user_by_id", "select {columns} from users where id = :id", sign_in_user_columns};
const selection user_by_identity{"user_by_identity",
                                 "select {columns} from users where identity_issuer = :issuer"
                                 " and identity_subject = :subject",
                                 sign_in_user_columns};

using area_map = std::map<std::string, std::string>;

/// The account's areas, as JSON: area → level.
struct tool_access_format {
  static constexpr auto type = column_format<area_map>::type;
  static bool read(const std::string* text, domain::tool_access& into) {
    area_map areas;
    if (!column_format<area_map>::read(text, areas)) return false;
    into = domain::tool_access(areas);
    return true;
  }
  /// Never written here: the column is part of the account's record.
  static bool write(std::string&, const domain::tool_access&) { return false; }
};

constexpr auto user_access_columns = columns(
    column("id", &user_access::id).of("u"), column("account_id", &user_access::account_id).of("u"),
    column("email", &user_access::email).of("u"), column("first_name", &user_access::first_name).of("u"),
    column("last_name", &user_access::last_name).of("u"), column("role", &user_access::role).of("u"),
    column("owner_id", &user_access::owner_id).of("u"),
    column(
        "exists (select 1 from properties p where p.owner_id = u.owner_id and p.account_id = u.account_id)",
        &user_access::has_properties),
    column("session_epoch", &user_access::epoch).of("u"),
    column("connection_epoch", &user_access::connection_epoch).of("u"),
    column("ai_access", &user_access::ai_access).of("u"),
    column<tool_access_format>("ai_areas", &user_access::tools).of("a"),
    column("deactivated", &user_access::deactivated).of("u"),
    column("company_name", &user_access::company_name).of("a"),
    column("logo_url", &user_access::logo_url).of("a"), column("language", &user_access::language).of("u"));
const selection every_user_access{"every_user_access",
                                  "select {columns} from users u join accounts a on a.id = u.account_id",
                                  user_access_columns};

const selection user_access_of_accounts{"user_access_of_accounts",
                                        "select {columns} from users u join accounts a on a.id = u.account_id"
                                        " where u.account_id in {accounts uuid}",
                                        user_access_columns};

const selection addresses_of_users{"addresses_of_users", "select {columns} from users",
                                   named<domain::uuid>("id"), named<std::string>("email"),
                                   named<std::string>("folded_email")};

const selection hashes_of_users{"hashes_of_users",
                                "select {columns} from users where id in {ids uuid}"
                                " and password_hash is not null",
                                named<domain::uuid>("id"), named<std::string>("password_hash")};

/// The table's trigger increases the epoch, because a hash with its random salt always differs from the
/// previous one.
constexpr query set_password{"set_password",
                             "update users set password_hash = :hash, updated_at = :now where id = :id"
                             " and session_epoch = :epoch"};

} // namespace

std::optional<sign_in_user> find_user(session& db, std::string_view email) {
  return db.internals().read_one(user_by_email, {{"email", domain::email_key(email)}});
}

std::optional<sign_in_user> lock_user(session& db, std::string_view email) {
  return db.internals().read_one(locked_user_by_email, {{"email", domain::email_key(email)}});
}

std::optional<sign_in_user> find_user(session& db, const domain::uuid& id) {
  return db.internals().read_one(user_by_id, {{"id", id}});
}

std::optional<sign_in_user> find_user_by_identity(session& db, std::string_view issuer,
                                                  std::string_view subject) {
  return db.internals().read_one(user_by_identity, {{"issuer", issuer}, {"subject", subject}});
}

std::vector<user_access> all_user_access(session& db) { return db.internals().read_all(every_user_access); }

std::vector<domain::uuid> users_with_taken_address(session& db) {
  std::vector<domain::uuid> users;
  db.internals().read(addresses_of_users, {},
                      [&](const domain::uuid& id, const std::string& email, const std::string& key) {
                        if (domain::email_key(email) != key) users.push_back(id);
                      });
  return users;
}

std::vector<user_access> user_access_of(session& db, std::span<const domain::uuid> accounts) {
  return db.internals().read_all(user_access_of_accounts, {{"accounts", db.internals().list(accounts)}});
}

bool replace_password(session& db, const domain::uuid& user, std::int64_t epoch, std::string_view hash,
                      domain::timestamp now) {
  return db.internals().write(set_password, {{"id", user}, {"epoch", epoch}, {"hash", hash}, {"now", now}}) >
         0;
}

std::unordered_map<domain::uuid, std::string, domain::uuid_hash>
password_hashes(session& db, std::span<const domain::uuid> users) {
  constexpr std::size_t batch_size = 1'000;
  std::unordered_map<domain::uuid, std::string, domain::uuid_hash> hashes;
  for (; !users.empty(); users = users.subspan(std::min(batch_size, users.size()))) {
    const auto batch = users.first(std::min(batch_size, users.size()));
    db.internals().read(hashes_of_users, {{"ids", db.internals().list(batch)}},
                        [&](const domain::uuid& id, std::string hash) { hashes[id] = std::move(hash); });
  }
  return hashes;
}

} // namespace roost::store
