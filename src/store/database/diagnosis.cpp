#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"

namespace roost::store {

namespace {

const selection server_facts{
    "server_facts",
    {"select {columns}", "select {columns}"},
    named<std::string>("current_setting('server_version')"),
    named<std::int64_t>("current_setting('max_connections')::bigint"
                        " - current_setting('superuser_reserved_connections')::bigint"
                        " - (select count(*) from pg_stat_activity where backend_type = 'client backend')"),
    named<bool>("current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'")};
const selection library_version{"library_version", "select {columns}",
                                named<std::string>("sqlite_version()")};
const selection quick_check{"quick_check", "select {columns} from pragma_quick_check(1)",
                            named<std::string>("quick_check")};
const selection file_name{"file_name", "select {columns} from pragma_database_list where name = 'main'",
                          named<std::string>("file")};

} // namespace

diagnosis diagnose(session& db) {
  auto& connection = db.internals();
  diagnosis found;
  if (db.is_sqlite()) {
    found.version = "SQLite " + connection.read_one(library_version).value_or("");
    found.file = connection.read_one(file_name);
    const auto said = connection.read_one(quick_check).value_or("no answer");
    if (said != "ok") found.damage = said;
    return found;
  }
  connection.read(server_facts, {}, [&](std::string version, std::int64_t free, bool is_durable) {
    found.version = "PostgreSQL " + std::move(version);
    found.free_connections = free;
    found.is_durable = is_durable;
  });
  return found;
}

} // namespace roost::store
