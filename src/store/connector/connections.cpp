#include "store/connector/connections.hpp"

#include "store/connector/clients.hpp"
#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/old_rows.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace roost::store {

namespace {

constexpr auto authorization_code_columns = columns(
    column("id", &authorization_code::id).key(), column("hash", &authorization_code::hash),
    column("client_id", &authorization_code::client_id),
    column("client_name", &authorization_code::client_name),
    column("redirect_uri", &authorization_code::redirect_uri),
    column("challenge", &authorization_code::challenge), column("user_id", &authorization_code::user_id),
    column("epoch", &authorization_code::epoch), column("resource", &authorization_code::resource),
    column("created_at", &authorization_code::created_at),
    column("expires_at", &authorization_code::expires_at), column("used_at", &authorization_code::used_at));

constexpr auto connection_columns =
    columns(column("id", &connection::id).key(), column("client_id", &connection::client_id).origin(),
            column("client_name", &connection::client_name).origin(),
            column("user_id", &connection::user_id).origin(), column("epoch", &connection::epoch).origin(),
            column("resource", &connection::resource).origin(), column("generation", &connection::generation),
            column("created_at", &connection::created_at).origin(), column("used_at", &connection::used_at),
            column("expires_at", &connection::expires_at), column("ended_at", &connection::ended_at),
            column("ended_by", &connection::ended_by), column("replaced", &connection::replaced));

// Grants of tokens

const auto codes = table_of<authorization_code_columns>("connector_codes");
const auto connections = table_of<connection_columns>("connections");

const selection code_by_hash{"code_by_hash",
                             "select {columns} from connector_codes where hash = :hash {for update}",
                             authorization_code_columns};
const selection code_of_form{"code_of_form", "select {columns} from connector_codes where id = :id",
                             named<bool>("count(*) > 0")};
const selection epoch_of_user{"connection_epoch_of_user", "select {columns} from users where id = :id",
                              named<std::int64_t>("connection_epoch")};
constexpr query use_code{"use_code", "update connector_codes set used_at = :now where id = :id"};
constexpr query end_replayed{"end_replayed",
                             "update connections set ended_at = :now, ended_by = 'code_replay'"
                             " where id = :id and ended_at is null"};
constexpr query use_client{"use_client", "update connector_clients set used_at = :now where id = :id"
                                         " and (used_at is null or used_at < :before)"};

/// How often a client's use is recorded, to avoid writing its row on every refresh.
constexpr std::chrono::hours use_interval{24};

struct refreshable {
  store::connection connection;
  std::optional<std::int64_t> user_epoch; ///< nullopt if the user was removed
};
constexpr auto refreshable_columns = columns(nested(&refreshable::connection, connection_columns.of("c")),
                                             column("connection_epoch", &refreshable::user_epoch).of("u"));
/// Locks the rows in a fixed order, so that two refreshes never deadlock.
const selection connections_to_refresh{
    "connections_to_refresh",
    "select {columns} from connections c left join users u on u.id = c.user_id where c.id in {ids uuid}"
    " order by c.id {for no key update of c}",
    refreshable_columns};

void record_use(session& db, const std::string& client, domain::timestamp now) {
  db.internals().write(use_client, {{"id", client}, {"now", now}, {"before", now - use_interval}});
}

/// Returns nullopt if tokens are due.
std::optional<token_refusal> refusal_of(session& db, const authorization_code& code,
                                        const code_exchange& request, const grant_checks& checks,
                                        domain::timestamp now) {
  if (code.client_id != request.client_id) return token_refusal::unknown;
  if (code.used_at) return token_refusal::used;
  if (now >= code.expires_at) return token_refusal::expired;
  if (code.redirect_uri != request.redirect_uri) return token_refusal::other_redirect;
  if (code.challenge != request.challenge) return token_refusal::other_verifier;
  if (request.resource && *request.resource != code.resource) return token_refusal::other_resource;
  const auto epoch = db.internals().read_one(epoch_of_user, {{"id", code.user_id}});
  if (!epoch) return token_refusal::user_gone;
  if (*epoch != code.epoch) return token_refusal::ended;
  if (!checks.is_tool_server(code.resource)) return token_refusal::resource_gone;
  if (!checks.may_use_tools(code.user_id)) return token_refusal::no_tools;
  return std::nullopt;
}

connection make_connection(const authorization_code& code, domain::timestamp now,
                           std::chrono::milliseconds lifetime) {
  return {.id = code.id,
          .client_id = code.client_id,
          .client_name = code.client_name,
          .user_id = code.user_id,
          .epoch = code.epoch,
          .resource = code.resource,
          .created_at = now,
          .used_at = now,
          .expires_at = now + lifetime};
}

/// Returns why a refresh token is refused; nullopt if it is valid for a rotation or a repetition. `stored`
/// reflects earlier requests of the same transaction.
std::optional<token_refusal> refusal_of(const refreshable& stored, const connection_refresh& request,
                                        const grant_checks& checks, const refresh_terms& terms) {
  const auto& row = stored.connection;
  if (row.client_id != request.client_id || request.generation > row.generation)
    return token_refusal::unknown;
  if (row.ended_at) return token_refusal::ended;
  if (terms.now >= row.expires_at) return token_refusal::expired;
  const bool is_repetition =
      terms.grace.count() > 0 &&
      row.replaced.is_recent(row.generation - request.generation, row.used_at, terms.now, terms.grace);
  if (request.generation != row.generation && !is_repetition) return token_refusal::reused;
  if (!stored.user_epoch) return token_refusal::user_gone;
  if (*stored.user_epoch != row.epoch) return token_refusal::ended;
  if (request.resource && *request.resource != row.resource) return token_refusal::other_resource;
  if (!checks.is_tool_server(row.resource)) return token_refusal::resource_gone;
  if (!checks.may_use_tools(row.user_id)) return token_refusal::no_tools;
  return std::nullopt;
}

/// Replaces a time in the future, which a wrong clock wrote, by now. Otherwise replaced tokens would be
/// repeated until then. Returns whether there was one.
bool correct_times(connection& row, const refresh_terms& terms) {
  if (row.used_at <= terms.now) return false;
  row.used_at = terms.now;
  row.expires_at = std::min(row.expires_at, terms.now + terms.lifetime);
  return true;
}

/// Applies the outcome of a refresh to the row; returns whether the row changed.
bool apply(const std::optional<token_refusal>& refused, connection& row, std::int64_t generation,
           const refresh_terms& terms) {
  if (refused == token_refusal::reused) {
    row.ended_at = terms.now;
    row.ended_by = "reuse";
    return true;
  }
  if (refused || generation != row.generation) return false;
  if (row.generation > 1) row.replaced.add(row.used_at, terms.now, terms.grace);
  ++row.generation;
  row.used_at = terms.now;
  row.expires_at = terms.now + terms.lifetime;
  return true;
}

using refreshable_by_id = std::unordered_map<domain::uuid, refreshable, domain::uuid_hash>;

refreshable_by_id read_connections(session& db, std::span<const connection_refresh> requests) {
  std::vector<domain::uuid> ids;
  ids.reserve(requests.size());
  for (const auto& request : requests) ids.push_back(request.id);
  refreshable_by_id result;
  for (auto& row : db.internals().read_all(connections_to_refresh, {{"ids", db.internals().list(ids)}}))
    result.insert({row.connection.id, std::move(row)});
  return result;
}

/// Writes the changed rows, the uses of their clients, and a change for the connections that ended.
void write_changed(session& db, const std::set<const connection*>& changed, domain::timestamp now) {
  bulk_writer<connection> rows(db, connections, bulk_mode::update_changed);
  std::set<std::string> client_ids;
  change ends;
  for (const auto* row : changed) {
    rows.add(*row);
    client_ids.insert(row->client_id);
    if (row->ended_at) ends.subjects.push_back(row->id);
  }
  rows.finish();
  for (const auto& id : client_ids) record_use(db, id, now);
  if (!ends.subjects.empty()) append(db, ends);
}

// Listing, ending and deleting

constexpr auto listed_columns = columns(nested(&listed_connection::connection, connection_columns.of("c")),
                                        column("coalesce(u.email, '')", &listed_connection::email));
const selection all_live_connections{
    "all_live_connections",
    "select {columns} from connections c join users u on u.id = c.user_id and u.connection_epoch = c.epoch"
    " where c.ended_at is null and c.expires_at > :now order by c.used_at desc, c.id",
    listed_columns};
const selection live_connections_of_user{
    "live_connections_of_user",
    "select {columns} from connections c join users u on u.id = c.user_id and u.connection_epoch = c.epoch"
    " where c.user_id = :user and c.ended_at is null and c.expires_at > :now order by c.used_at desc, c.id",
    listed_columns};
/// As live_connections_of_user, after the user's epoch was raised. Locks the rows in the order of
/// connections_to_refresh: a command does this in another process.
const selection connections_of_previous_epoch{
    "connections_of_previous_epoch",
    "select {columns} from connections c join users u on u.id = c.user_id"
    " and u.connection_epoch = c.epoch + 1 where c.user_id = :user and c.ended_at is null and c.expires_at > "
    ":now order by c.id {for no key update of c}",
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

/// Without a user, ends the connection of any.
constexpr query end_live_connection{"end_live_connection",
                                    "update connections set ended_at = :now, ended_by = :by where id = :id"
                                    " and user_id = coalesce(:user, user_id) and ended_at is null"};

constexpr query expire_codes_of_user{"expire_codes_of_user",
                                     "update connector_codes set expires_at = :now"
                                     " where user_id = :user and used_at is null and expires_at > :now"};
constexpr query shorten_codes{"shorten_codes", "update connector_codes set expires_at = :until"
                                               " where expires_at > :until and created_at > :now"};
constexpr query shorten_unused_connections{"shorten_connections",
                                           "update connections set used_at = :now, expires_at = :until"
                                           " where expires_at > :until and used_at > :now"};

constexpr query raise_connection_epoch{
    "raise_connection_epoch", "update users set connection_epoch = connection_epoch + 1 where id = :id"};
const selection account_of_user{"account_of_user", "select {columns} from users where id = :id",
                                named<domain::uuid>("account_id")};

/// Returns nullopt if there is no such connection or it has ended.
std::optional<stream_point> end_live(session& db, const domain::uuid& id, std::string_view by,
                                     domain::timestamp now, const std::optional<domain::uuid>& user = {}) {
  const parameters values{{"id", id}, {"user", user}, {"by", by}, {"now", now}};
  if (db.internals().write(end_live_connection, values) == 0) return std::nullopt;
  return append(db, {.subjects = {id}});
}

} // namespace

bool issue_code(session& db, const lease& held, const authorization_code& code) {
  write_transaction txn(db, held);
  if (db.internals().read_one(code_of_form, {{"id", code.id}}).value_or(false)) return false;
  try {
    insert_row(db, codes, code);
  } catch (const constraint_violated& rejection) {
    if (rejection.kind() != violation::conflicting_row) throw;
    return false; // a concurrent request stored the same id
  }
  record_use(db, code.client_id, code.created_at);
  txn.commit();
  return true;
}

exchanged exchange_code(session& db, const lease& held, const code_exchange& request,
                        const grant_checks& checks, domain::timestamp now,
                        std::chrono::milliseconds lifetime) {
  write_transaction txn(db, held);
  const auto code = db.internals().read_one(code_by_hash, {{"hash", request.hash}});
  if (!code) return {};
  if (const auto refused = refusal_of(db, *code, request, checks, now)) {
    if (refused == token_refusal::used) {
      if (db.internals().write(end_replayed, {{"id", code->id}, {"now", now}}) > 0)
        append(db, {.subjects = {code->id}});
      txn.commit();
    }
    return {*refused, code->id};
  }
  db.internals().write(use_code, {{"id", code->id}, {"now", now}});
  const auto made = make_connection(*code, now, lifetime);
  insert_row(db, connections, made);
  txn.commit();
  return {made, code->id};
}

std::vector<token_outcome> refresh_connections(session& db, const lease& held,
                                               std::span<const connection_refresh> requests,
                                               const grant_checks& checks, const refresh_terms& terms) {
  write_transaction txn(db, held);
  auto known = read_connections(db, requests);
  std::vector<token_outcome> outcomes;
  outcomes.reserve(requests.size());
  std::set<const connection*> changed;
  for (const auto& request : requests) {
    const auto stored = known.find(request.id);
    if (stored == known.end()) {
      outcomes.emplace_back(token_refusal::unknown);
      continue;
    }
    auto& row = stored->second.connection;
    const bool is_corrected = correct_times(row, terms);
    const auto refused = refusal_of(stored->second, request, checks, terms);
    if (apply(refused, row, request.generation, terms) || (!refused && is_corrected)) changed.insert(&row);
    outcomes.push_back(refused ? token_outcome(*refused) : token_outcome(row));
  }
  write_changed(db, changed, terms.now);
  txn.commit();
  return outcomes;
}

bool end_connection_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                       domain::timestamp now) {
  write_transaction txn(db, held);
  const auto change = end_live(db, id, "user", now, user);
  txn.commit();
  return change.has_value();
}

void expire_codes(session& db, const domain::uuid& user, domain::timestamp now) {
  db.internals().write(expire_codes_of_user, {{"user", user}, {"now", now}});
}

std::vector<connection> end_all_connections(session& db, const domain::uuid& user, domain::timestamp now,
                                            std::string_view by) {
  db.internals().write(raise_connection_epoch, {{"id", user}}); // first: it locks the user's row
  std::vector<connection> ended;
  for (auto& [live, email] :
       db.internals().read_all(connections_of_previous_epoch, {{"user", user}, {"now", now}})) {
    db.internals().write(end_live_connection, {{"id", live.id}, {"user", user}, {"by", by}, {"now", now}});
    live.client_name = visible_name(std::move(live.client_name));
    ended.push_back(std::move(live));
  }
  std::ranges::stable_sort(ended, std::greater(), &connection::used_at);
  return ended;
}

std::vector<connection> end_connections_of(session& db, const lease& held, const domain::uuid& user,
                                           domain::timestamp now) {
  write_transaction txn(db, held);
  const auto account = db.internals().read_one(account_of_user, {{"id", user}});
  if (!account) return {};
  auto ended = end_all_connections(db, user, now);
  change ends{.accounts = {*account}};
  for (const auto& each : ended) ends.subjects.push_back(each.id);
  append(db, ends);
  txn.commit();
  return ended;
}

std::optional<stream_point> revoke_connection(session& db, const domain::uuid& id, domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  const auto change = end_live(db, id, "operator", now);
  if (change) txn.commit();
  return change;
}

std::vector<listed_connection> live_connections(session& db, domain::timestamp now,
                                                const std::optional<domain::uuid>& user) {
  auto live = user ? db.internals().read_all(live_connections_of_user, {{"user", *user}, {"now", now}})
                   : db.internals().read_all(all_live_connections, {{"now", now}});
  for (auto& [connection, email] : live)
    connection.client_name = visible_name(std::move(connection.client_name));
  return live;
}

std::optional<listed_connection> find_connection(session& db, const domain::uuid& id) {
  auto found = db.internals().read_one(connection_by_id, {{"id", id}});
  if (found) found->connection.client_name = visible_name(std::move(found->connection.client_name));
  return found;
}

std::vector<domain::uuid> connections_ended_since(session& db, domain::timestamp since) {
  return db.internals().read_all(ended_connections_since, {{"since", since}});
}

std::vector<domain::uuid> revoked_connections(session& db, std::span<const domain::uuid> ids) {
  return db.internals().read_all(revoked_connections_among, {{"ids", db.internals().list(ids)}});
}

void shorten_connections(old_rows& rows, domain::timestamp now, const connection_lifetimes& lifetimes) {
  rows.write([&](session& db) {
    return db.internals().write(shorten_codes, {{"now", now}, {"until", now + lifetimes.code}});
  });
  rows.write([&](session& db) {
    return db.internals().write(shorten_unused_connections,
                                {{"now", now}, {"until", now + lifetimes.refresh_token}});
  });
}

void delete_old_connections(old_rows& rows, domain::timestamp before, std::size_t limit) {
  rows.remove({"connector_codes"}, "expires_at", before, limit);
  rows.remove({"connections"}, "expires_at", before, limit);
}

} // namespace roost::store
