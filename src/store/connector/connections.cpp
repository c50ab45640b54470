#include "store/connector/connections.hpp"

#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr auto listed_columns = columns(nested(&listed_connection::connection, connection_columns.of("c")),
                                        column("coalesce(u.email, '')", &listed_connection::email));
const selection all_live_connections{
    "all_live_connections",
    "select {columns} from connections c left join users u on u.id = c.user_id where c.ended_at is null"
    " and c.expires_at > :now order by c.used_at desc, c.id",
    listed_columns};
const selection live_connections_of_user{
    "live_connections_of_user",
    "select {columns} from connections c left join users u on u.id = c.user_id where c.user_id = :user"
    " and c.ended_at is null and c.expires_at > :now order by c.used_at desc, c.id",
    listed_columns};
const selection connection_by_id{
    "connection_by_id",
    "select {columns} from connections c left join users u on u.id = c.user_id where c.id = :id",
    listed_columns};
const selection ended_connections_since{"ended_connections_since",
                                        "select {columns} from connections where ended_at >= :since",
                                        named<domain::uuid>("id")};
const selection revoked_connections_among{
    "revoked_connections_among",
    "select {columns} from connections where id in {ids uuid} and ended_by = 'operator'",
    named<domain::uuid>("id")};

constexpr query end_live_connection{"end_live_connection",
                                    "update connections set ended_at = :now, ended_by = :by"
                                    " where id = :id and ended_at is null and expires_at > :now"};
constexpr query end_live_connection_of{
    "end_live_connection_of", "update connections set ended_at = :now, ended_by = 'user' where id = :id"
                              " and user_id = :user and ended_at is null and expires_at > :now"};

constexpr query delete_codes{"delete_connector_codes",
                             "delete from connector_codes where id in (select id from connector_codes"
                             " where expires_at < :before order by expires_at limit :most)"};
constexpr query delete_connections{"delete_connections",
                                   "delete from connections where id in (select id from connections"
                                   " where expires_at < :before order by expires_at limit :most)"};

} // namespace

std::string_view to_string(token_refusal why) {
  switch (why) {
  case token_refusal::unknown:
    return "unknown";
  case token_refusal::expired:
    return "expired";
  case token_refusal::used:
    return "used";
  case token_refusal::reused:
    return "reused";
  case token_refusal::ended:
    return "ended";
  case token_refusal::user_gone:
    return "user_gone";
  case token_refusal::no_tools:
    return "no_tools";
  case token_refusal::other_redirect:
    return "other_redirect";
  case token_refusal::other_verifier:
    return "other_verifier";
  case token_refusal::other_resource:
    return "other_resource";
  }
  return "unknown";
}

bool end_connection_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                       domain::timestamp now) {
  write_transaction txn(db, held);
  const auto ended = db.internals().write(
      end_live_connection_of, {{"id", to_cell(id)}, {"user", to_cell(user)}, {"now", to_cell(now)}});
  if (ended > 0) append(db, {change_kind::credentials, {}, {}, {id}});
  txn.commit();
  return ended > 0;
}

std::optional<stream_point> revoke_connection(session& db, const domain::uuid& id, domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  if (db.internals().write(end_live_connection,
                           {{"id", to_cell(id)}, {"by", "operator"}, {"now", to_cell(now)}}) == 0)
    return std::nullopt;
  const auto change = append(db, {change_kind::credentials, {}, {}, {id}});
  txn.commit();
  return change;
}

std::vector<listed_connection> live_connections(session& db, domain::timestamp now,
                                                const std::optional<domain::uuid>& user) {
  if (!user) return db.internals().read_all(all_live_connections, {{"now", to_cell(now)}});
  return db.internals().read_all(live_connections_of_user, {{"user", to_cell(*user)}, {"now", to_cell(now)}});
}

std::optional<listed_connection> find_connection(session& db, const domain::uuid& id) {
  return db.internals().read_one(connection_by_id, {{"id", to_cell(id)}});
}

std::vector<domain::uuid> connections_ended_since(session& db, domain::timestamp since) {
  return db.internals().read_all(ended_connections_since, {{"since", to_cell(since)}});
}

std::vector<domain::uuid> revoked_connections(session& db, std::span<const domain::uuid> among) {
  return db.internals().read_all(revoked_connections_among, {{"ids", db.internals().list(among)}});
}

std::int64_t delete_old_connections(session& db, const lease& held, domain::timestamp before,
                                    std::size_t most) {
  write_transaction txn(db, held);
  std::int64_t deleted = 0;
  for (const auto* each : {&delete_codes, &delete_connections})
    deleted += db.internals().write(*each, {{"before", to_cell(before)}, {"most", to_cell(most)}});
  txn.commit();
  return deleted;
}

} // namespace roost::store
