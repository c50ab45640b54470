#include "store/database/migrations.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <array>
#include <cstdint>

namespace roost::embedded {
extern const std::string_view sqlite_0001_initial, sqlite_0002_folded_emails, sqlite_0003_import_steps,
    sqlite_0004_sessions, sqlite_0005_ai_usage, sqlite_0006_owners, sqlite_0007_connector,
    sqlite_0008_overlap_check, sqlite_0009_holder_lock, sqlite_0010_changes, sqlite_0011_signing_keys,
    sqlite_0012_mail, sqlite_0013_audit, sqlite_0014_requests, sqlite_0015_credential_uses, sqlite_0016_copy,
    sqlite_0017_given_up_mail, sqlite_0018_varying_rents;
extern const std::string_view postgresql_0001_initial, postgresql_0002_folded_emails,
    postgresql_0003_import_steps, postgresql_0004_sessions, postgresql_0005_ai_usage, postgresql_0006_owners,
    postgresql_0007_connector, postgresql_0008_overlap_check, postgresql_0009_holder_lock,
    postgresql_0010_changes, postgresql_0011_signing_keys, postgresql_0012_mail, postgresql_0013_audit,
    postgresql_0014_requests, postgresql_0015_credential_uses, postgresql_0016_copy,
    postgresql_0017_given_up_mail, postgresql_0018_varying_rents;
} // namespace roost::embedded

namespace roost::store {

namespace {

struct migration {
  int version;
  const char* name;
  const std::string_view* sqlite;
  const std::string_view* postgresql;
};

/// In order, without gaps. A new migration is a new pair of files and a line here; applied ones never change.
namespace sql = embedded;
constexpr std::array<migration, 18> migrations{{
    {1, "initial", &sql::sqlite_0001_initial, &sql::postgresql_0001_initial},
    {2, "folded_emails", &sql::sqlite_0002_folded_emails, &sql::postgresql_0002_folded_emails},
    {3, "import_steps", &sql::sqlite_0003_import_steps, &sql::postgresql_0003_import_steps},
    {4, "sessions", &sql::sqlite_0004_sessions, &sql::postgresql_0004_sessions},
    {5, "ai_usage", &sql::sqlite_0005_ai_usage, &sql::postgresql_0005_ai_usage},
    {6, "owners", &sql::sqlite_0006_owners, &sql::postgresql_0006_owners},
    {7, "connector", &sql::sqlite_0007_connector, &sql::postgresql_0007_connector},
    {8, "overlap_check", &sql::sqlite_0008_overlap_check, &sql::postgresql_0008_overlap_check},
    {9, "holder_lock", &sql::sqlite_0009_holder_lock, &sql::postgresql_0009_holder_lock},
    {10, "changes", &sql::sqlite_0010_changes, &sql::postgresql_0010_changes},
    {11, "signing_keys", &sql::sqlite_0011_signing_keys, &sql::postgresql_0011_signing_keys},
    {12, "mail", &sql::sqlite_0012_mail, &sql::postgresql_0012_mail},
    {13, "audit", &sql::sqlite_0013_audit, &sql::postgresql_0013_audit},
    {14, "requests", &sql::sqlite_0014_requests, &sql::postgresql_0014_requests},
    {15, "credential_uses", &sql::sqlite_0015_credential_uses, &sql::postgresql_0015_credential_uses},
    {16, "copy", &sql::sqlite_0016_copy, &sql::postgresql_0016_copy},
    {17, "given_up_mail", &sql::sqlite_0017_given_up_mail, &sql::postgresql_0017_given_up_mail},
    {18, "varying_rents", &sql::sqlite_0018_varying_rents, &sql::postgresql_0018_varying_rents},
}};

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

/// Returns the number of applied migrations. Throws schema_mismatch if they are not this program's first
/// ones.
std::size_t count_applied(session::connection& db) {
  if (!db.read_one(has_migrations_table).value_or(false)) return 0;
  std::size_t applied = 0;
  db.read(read_migrations, {}, [&](std::int64_t version, const std::string& stored_checksum) {
    if (applied >= migrations.size())
      throw schema_mismatch("the store's schema is newer (" + std::to_string(version) +
                            ") than this program (" + std::to_string(migrations.size()) + ")");
    const auto& step = migrations[applied++];
    if (version != step.version || stored_checksum != checksum(text_of(step, db)))
      throw schema_mismatch("migration " + std::to_string(version) +
                            " of the store is not the one that this program carries");
  });
  return applied;
}

void apply(session::connection& db, const migration& step) {
  db.script(step.name, std::string(text_of(step, db)));
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

std::vector<std::string> migrate(session& db) { return migrate_to(db, migrations.back().version); }

bool has_schema(session& db) { return count_applied(db.internals()) > 0; }

int newest_schema() { return migrations.back().version; }

bool schema_is_current(session& db) { return count_applied(db.internals()) == migrations.size(); }

} // namespace roost::store
