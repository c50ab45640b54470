#include "store/database/lease.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr std::int64_t no_epoch = -1;

const selection acquire_lease{
    "acquire_lease",
    "update writer_lease set node = :node, epoch = epoch + 1, lock_name = :lock, lock_epoch = epoch + 1,"
    " expires_at = {now + :milliseconds} where id = (select id from writer_lease where id = 1"
    " and (node is null or node = :node or epoch = cast(:dead_epoch as bigint) or expires_at <= {now}"
    " or (cast(:use as text) = 'serve' and node like 'on hold/%'))"
    " and (cast(:use as text) <> 'inspect' or node is null or node like 'on hold/%' or node like 'copy/%')"
    " and (cast(:use as text) = 'copy' or (moved_to is null and not exists (select 1 from store_copy)))"
    " {for update skip locked}) returning {columns}",
    named<std::int64_t>("epoch")};

std::string_view text_of(lease_use use) {
  switch (use) {
  case lease_use::serve:
    return "serve";
  case lease_use::copy:
    return "copy";
  case lease_use::inspect:
    return "inspect";
  }
  throw failure("unknown use of the lease");
}

constexpr query renew_lease{
    "renew_lease",
    "update writer_lease set lock_name = :lock, lock_epoch = epoch, expires_at = {now + :milliseconds}"
    " where id = 1 and node = :node and epoch = :epoch"};

/// Waits for this server's own transactions, which hold the lease until they end.
constexpr query release_lease{
    "release_lease",
    "update writer_lease set node = null where id = (select id from writer_lease where id = 1"
    " and node = :node and epoch = :epoch {for update})"};

constexpr query revoke_lease{
    "revoke_lease", "update writer_lease set node = null, epoch = epoch + 1 where id = (select id"
                    " from writer_lease where id = 1 and node = :node and epoch = :epoch {for update})"};

constexpr auto lease_columns = columns(
    column("node", &lease_state::holder, &lease::node), column("epoch", &lease_state::holder, &lease::epoch),
    column("expires_at", &lease_state::expires_at), column("expires_at <= {now}", &lease_state::expired),
    column("{now}", &lease_state::seen_at),
    column("case when lock_epoch = epoch then lock_name else '' end", &lease_state::lock));

const selection read_lease{
    "read_lease", "select {columns} from writer_lease where id = 1 and node is not null", lease_columns};

const selection read_node{"read_lease_node",
                          "select {columns} from writer_lease where id = 1 and node is not null",
                          named<std::string>("node")};

const selection read_position{"read_position", "select {columns} from change_stream where id = 1",
                              named<std::int64_t>("position")};

const selection read_clock{"read_clock", "select {columns}", named<domain::timestamp>("{now}")};

/// A connection that locks the table in this mode is in a write_transaction, whose row lock takes it. Those
/// of a new holder began after the old lease expired. The extra second lets transactions commit.
const selection end_overdue_writers{
    "end_overdue_writers",
    "select {columns} from writer_lease w cross join pg_locks l"
    " join pg_stat_activity a on a.pid = l.pid and a.datid = l.database and a.datname = current_database()"
    " where w.id = 1 and w.expires_at + interval '1 second' <= clock_timestamp()"
    " and a.xact_start < w.expires_at and l.relation = cast('writer_lease' as regclass)"
    " and l.mode = 'RowShareLock' and l.granted",
    named<std::int64_t>("count(pg_terminate_backend(a.pid))")};

} // namespace

std::optional<taken_lease> try_acquire(session& db, std::string_view node, std::chrono::milliseconds duration,
                                       std::string_view lock, std::optional<std::int64_t> dead_epoch,
                                       lease_use use) {
  const auto epoch = db.internals().read_one(acquire_lease, {{"node", node},
                                                             {"lock", lock},
                                                             {"dead_epoch", dead_epoch.value_or(no_epoch)},
                                                             {"use", text_of(use)},
                                                             {"milliseconds", duration.count()}});
  if (!epoch) return std::nullopt;
  // Read after the commit, when no earlier holder can write. A concurrent change by a command is included.
  return taken_lease{{std::string(node), *epoch}, db.internals().read_one(read_position).value()};
}

std::int64_t end_overdue_transactions(session& db) {
  if (db.is_sqlite()) return 0;
  return db.internals().read_one(end_overdue_writers).value_or(0);
}

bool renew(session& db, const lease& held, std::chrono::milliseconds duration, std::string_view lock) {
  return db.internals().write(renew_lease, {{"node", held.node},
                                            {"epoch", held.epoch},
                                            {"lock", lock},
                                            {"milliseconds", duration.count()}}) == 1;
}

void release(session& db, const lease& held) {
  db.internals().write(release_lease, {{"node", held.node}, {"epoch", held.epoch}});
}

bool revoke(session& db, const lease& held) {
  return db.internals().write(revoke_lease, {{"node", held.node}, {"epoch", held.epoch}}) == 1;
}

domain::timestamp database_clock(session& db) { return db.internals().read_one(read_clock).value(); }

std::optional<lease_state> current_lease(session& db) { return db.internals().read_one(read_lease); }

std::optional<std::string> serving_server(session& db) {
  auto node = db.internals().read_one(read_node);
  if (node && (node->starts_with(copying_node_prefix) || node->starts_with(inspecting_node_prefix)))
    node.reset();
  return node;
}

bool expires_implausibly_late(const lease_state& lease, std::chrono::milliseconds length) {
  return lease.expires_at > lease.seen_at + length;
}

bool is_credible(const lease_state& lease) { return !lease.expired && !expires_implausibly_late(lease); }

bool has_active_server(session& db) {
  const auto lease = current_lease(db);
  return lease && is_credible(*lease);
}

} // namespace roost::store
