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

const selection read_move{
    "read_move_marker", "select {columns} from writer_lease where id = 1 and moved_to is not null",
    columns(column("moved_to", &move_marker::target), column("moved_at", &move_marker::at),
            column("moved_epoch", &move_marker::epoch))};

/// Both lock the row before they write it: writing columns that are no key does not wait for a command that
/// has locked the row in refuse_while_copied().
constexpr query set_move{"write_move_marker",
                         "update writer_lease set moved_to = :target, moved_at = {now}, moved_epoch = epoch"
                         " where id = (select id from writer_lease where id = 1 {for update})"};
constexpr query clear_move{
    "erase_move_marker",
    "update writer_lease set moved_to = null, moved_at = null, moved_epoch = null"
    " where id = (select id from writer_lease where id = 1 and moved_to is not null {for update})"};

const selection lock_lease{"lock_lease", "select {columns} from writer_lease where id = 1 {for key share}",
                           named<bool>("moved_to is not null")};

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

std::optional<move_marker> read_move_marker(session& db) { return db.internals().read_one(read_move); }

void write_move_marker(session& db, const std::string& target) {
  db.internals().write(set_move, {{"target", target}});
}

bool erase_move_marker(session& db) { return db.internals().write(clear_move) == 1; }

void refuse_moved_store(session& db) {
  if (const auto moved = read_move_marker(db))
    throw moved_store("this store was moved to " + moved->target + " at " + domain::to_string(moved->at) +
                      ": set store.url to that one, or see `roost store reopen`");
}

void refuse_while_copied(session& db) {
  if (db.internals().read_one(lock_lease).value_or(false)) refuse_moved_store(db);
  const auto lease = current_lease(db);
  if (lease && is_credible(*lease) && lease->holder.node.starts_with(copying_node_prefix))
    throw unavailable("the store is being copied, and a change made now would be missing from the copy: wait "
                      "until `roost copy` has finished");
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
