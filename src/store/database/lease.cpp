#include "store/database/lease.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr query acquire_lease{
    "acquire_lease",
    "update writer_lease set node = :node, epoch = epoch + 1,"
    " expires_at = clock_timestamp() + cast(:milliseconds as bigint) * interval '1 millisecond'"
    " where id = (select id from writer_lease where id = 1 and (node is null or node = :node or expires_at <="
    " clock_timestamp()) for update skip locked) returning epoch",
    1,
    "update writer_lease set node = :node, epoch = epoch + 1,"
    " expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', (:milliseconds / 1000.0) || ' seconds')"
    " where id = 1 and (node is null or node = :node or expires_at <= {now}) returning epoch"};

constexpr query renew_lease{
    "renew_lease",
    "update writer_lease set expires_at = clock_timestamp() + cast(:milliseconds as bigint) * interval"
    " '1 millisecond' where id = 1 and node = :node and epoch = :epoch",
    0,
    "update writer_lease set expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now',"
    " (:milliseconds / 1000.0) || ' seconds') where id = 1 and node = :node and epoch = :epoch"};

constexpr query release_lease{
    "release_lease", "update writer_lease set node = null where id = 1 and node = :node and epoch = :epoch"};

constexpr query read_lease{
    "read_lease",
    "select node, epoch, expires_at, expires_at <= {now} from writer_lease where id = 1 and node is not null",
    4};

/// Whoever has the table locked in this mode is in a write_transaction. One of a new holder began later than
/// the old one's lease ended. The second is for those that are about to commit.
constexpr query end_overdue_writers{
    "end_overdue_writers",
    "select count(pg_terminate_backend(a.pid)) from writer_lease w cross join pg_locks l"
    " join pg_stat_activity a on a.pid = l.pid and a.datid = l.database and a.datname = current_database()"
    " where w.id = 1 and w.expires_at + interval '1 second' <= clock_timestamp() and a.xact_start < "
    "w.expires_at"
    " and l.relation = cast('writer_lease' as regclass) and l.mode = 'RowShareLock' and l.granted",
    1};

} // namespace

std::optional<lease> try_acquire(session& db, std::string_view node, std::chrono::milliseconds duration) {
  std::optional<lease> taken;
  db.internals().read(acquire_lease, {{"node", to_cell(node)}, {"milliseconds", to_cell(duration.count())}},
                      [&](row& r) {
                        taken = lease{std::string(node), r.integer()};
                      });
  return taken;
}

std::int64_t end_overdue_transactions(session& db) {
  std::int64_t ended = 0;
  if (db.is_sqlite()) return ended;
  db.internals().read(end_overdue_writers, {}, [&](row& r) { ended = r.integer(); });
  return ended;
}

bool renew(session& db, const lease& held, std::chrono::milliseconds duration) {
  return db.internals().write(renew_lease, {{"node", to_cell(held.node)},
                                            {"epoch", to_cell(held.epoch)},
                                            {"milliseconds", to_cell(duration.count())}}) == 1;
}

void release(session& db, const lease& held) {
  db.internals().write(release_lease, {{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}});
}

std::optional<lease_state> current_lease(session& db) {
  std::optional<lease_state> state;
  db.internals().read(read_lease, {}, [&](row& r) {
    lease_state found;
    found.holder.node = r.text();
    found.holder.epoch = r.integer();
    found.expires_at = r.moment();
    found.expired = r.flag();
    state = std::move(found);
  });
  return state;
}

} // namespace roost::store
