#include "store/database/store_state.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"

namespace roost::store {

namespace {

const selection read_marker{"read_copy_marker",
                            "select {columns} from store_copy where id = 1",
                            named<bool>("state = 'differs'"),
                            named<std::int64_t>("source_position"),
                            named<domain::uuid>("source_id"),
                            named<std::int64_t>("source_epoch")};

const selection has_pending_import{"count_pending", "select {columns} from pending_import",
                                   named<bool>("count(*) > 0")};
const selection next_pending_step{"next_of_pending", "select {columns} from pending_import p",
                                  named<std::int64_t>("coalesce((select s.seq from import_steps s where"
                                                      " s.import = p.import order by s.seq limit 1), 0)")};

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

std::optional<copy_marker> read_copy_marker(session& db) {
  std::optional<copy_marker> marker;
  db.internals().read(
      read_marker, {}, [&](bool differs, std::int64_t position, const domain::uuid& id, std::int64_t epoch) {
        marker = {differs ? copy_marker::state::differs : copy_marker::state::copying, {position, id}, epoch};
      });
  return marker;
}

void refuse_unfinished_copy(session& db) {
  if (read_copy_marker(db))
    throw unfinished_copy("this store is a copy that is not finished: run `roost copy` from its source again "
                          "to complete it, or empty the database");
}

bool is_import_pending(session& db) {
  return db.is_sqlite() && db.internals().read_one(has_pending_import).value_or(false);
}

std::optional<std::int64_t> next_import_step(session& db) {
  if (!db.is_sqlite()) return std::nullopt;
  return db.internals().read_one(next_pending_step);
}

void refuse_while_importing(session& db) {
  if (is_import_pending(db)) throw unavailable("an import is in progress");
}

diagnosis diagnose(session& db) {
  auto& connection = db.internals();
  diagnosis result;
  if (db.is_sqlite()) {
    result.version = "SQLite " + connection.read_one(library_version).value_or("");
    result.file = connection.read_one(file_name);
    const auto check = connection.read_one(quick_check).value_or("no result");
    if (check != "ok") result.damage = check;
    return result;
  }
  connection.read(server_facts, {}, [&](std::string version, std::int64_t free, bool is_durable) {
    result.version = "PostgreSQL " + std::move(version);
    result.free_connections = free;
    result.is_durable = is_durable;
  });
  return result;
}

} // namespace roost::store
