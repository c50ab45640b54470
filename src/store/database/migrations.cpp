#include "store/database/migrations.hpp"

#include "domain/email_address.hpp"
#include "domain/uuid.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/database/trusted_time.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

namespace {

const selection has_migrations_table{
    "has_migrations_table",
    {"select {columns} from pg_tables where schemaname = current_schema() and tablename = "
     "'schema_migrations'",
     "select {columns} from sqlite_master where type = 'table' and name = 'schema_migrations'"},
    named<bool>("count(*) > 0")};
/// Serializes migrating processes. On SQLite, the write transaction does.
const selection lock_migrations{
    "lock_migrations",
    {"select {columns} from (select pg_advisory_xact_lock(7266737401)) as locked", "select {columns}"},
    named<int>("1")};
const selection read_migrations{"read_migrations", "select {columns} from schema_migrations order by version",
                                named<std::int64_t>("version"), named<std::string>("checksum")};
constexpr query insert_migration{"insert_migration",
                                 "insert into schema_migrations (version, name, checksum, applied_at)"
                                 " values (:version, :name, :checksum, {now})"};
constexpr const char* create_table_postgresql =
    "create table if not exists schema_migrations (version integer primary key, name text not null,"
    " checksum text not null, applied_at timestamptz not null)";
constexpr const char* create_table_sqlite =
    "create table if not exists schema_migrations (version integer primary key, name text not null,"
    " checksum text not null, applied_at text not null) strict";

std::string_view text_of(const migration& step, const session::connection& db) {
  return db.dialect() == dialect::sqlite ? *step.sqlite : *step.postgresql;
}

/// Computes FNV-1a, which is enough to detect that a file was edited after it was applied.
std::string checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  return std::to_string(hash);
}

/// Returns the checksums of all migrations for this database, which each start and each command needs.
const std::vector<std::string>& checksums(const session::connection& db) {
  const auto compute = [](auto text) {
    std::vector<std::string> all;
    for (const auto& step : migrations) all.push_back(checksum(*(step.*text)));
    return all;
  };
  static const auto of_sqlite = compute(&migration::sqlite), of_postgresql = compute(&migration::postgresql);
  return db.dialect() == dialect::sqlite ? of_sqlite : of_postgresql;
}

/// A text that a migration once had; its schema is, after later migrations, that of the present text.
struct former_text {
  int version;
  std::string_view checksum;
};
constexpr std::array former_texts{former_text{54, "8280129535620378924"},  // on SQLite
                                  former_text{54, "6691001313780906971"}}; // on PostgreSQL

bool had_text(const migration& step, std::string_view stored_checksum) {
  return std::ranges::any_of(former_texts, [&](const former_text& each) {
    return each.version == step.version && each.checksum == stored_checksum;
  });
}

/// Returns the number of applied migrations. Throws schema_mismatch if they are not this program's first
/// ones.
std::size_t count_applied(session::connection& db) {
  if (!db.read_one(has_migrations_table).value_or(false)) return 0;
  std::size_t applied = 0;
  db.read(read_migrations, {}, [&](std::int64_t version, const std::string& stored_checksum) {
    if (applied >= migrations.size())
      throw schema_mismatch("the store's schema is newer (" + std::to_string(version) +
                            ") than this program (" + std::to_string(migrations.size()) + ")");
    const auto& step = migrations[applied];
    const bool is_same = stored_checksum == checksums(db)[applied++] || had_text(step, stored_checksum);
    if (version != step.version || !is_same)
      throw schema_mismatch("migration " + std::to_string(version) +
                            " of the store is not the one that this program carries");
  });
  return applied;
}

struct stored_address {
  domain::uuid id{};
  std::string email, key;
};

const selection stored_addresses{"stored_addresses", "select {columns} from users order by id",
                                 columns(column("id", &stored_address::id),
                                         column("email", &stored_address::email),
                                         column("folded_email", &stored_address::key))};
constexpr query replace_key{"replace_email_key",
                            "update users set folded_email = :key where id = :id"
                            " and not exists (select 1 from users where folded_email = :key)"};

/// Computes the keys by which users' addresses are compared (domain::email_key()), in the transaction of the
/// migration that introduces them. If two users have one key, only one of them gets it. The other cannot sign
/// in; `roost doctor` reports them.
void fill_email_keys(session::connection& db) {
  for (const auto& user : db.read_all(stored_addresses))
    if (const auto key = domain::email_key(user.email); key != user.key)
      db.write(replace_key, {{"id", user.id}, {"key", key}});
}

void apply(session::connection& db, const migration& step) {
  db.long_script(step.name, std::string(text_of(step, db)));
  if (step.name == std::string_view("email_keys")) fill_email_keys(db);
  db.write(insert_migration,
           {{"version", step.version}, {"name", step.name}, {"checksum", checksum(text_of(step, db))}});
}

/// Applies the next migration up to version `last` in its own transaction; returns null if there is none.
const migration* apply_next(session& db, int last) {
  auto& connection = db.internals();
  transaction txn(db, transaction::purpose::write);
  connection.read_all(lock_migrations);
  connection.script("create_migrations_table",
                    connection.dialect() == dialect::sqlite ? create_table_sqlite : create_table_postgresql);
  const auto applied = count_applied(connection);
  if (applied == migrations.size() || migrations[applied].version > last) return nullptr;
  apply(connection, migrations[applied]);
  txn.commit();
  return &migrations[applied];
}

} // namespace

std::vector<std::string> migrate_to(session& db, int version) {
  std::vector<std::string> names;
  if (schema_is_current(db)) return names;
  while (const auto* step = apply_next(db, version)) names.emplace_back(step->name);
  return names;
}

/// The clock is trusted from the creation of a store on, because nothing in it is older.
std::vector<std::string> migrate(session& db) {
  const bool is_new = !has_schema(db);
  auto names = migrate_to(db, migrations.back().version);
  if (is_new && !names.empty()) note_boot(db, read_machine_time());
  return names;
}

bool has_schema(session& db) { return count_applied(db.internals()) > 0; }

int newest_schema() { return migrations.back().version; }

bool schema_is_current(session& db) { return count_applied(db.internals()) == migrations.size(); }

} // namespace roost::store
