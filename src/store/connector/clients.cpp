#include "store/connector/clients.hpp"

#include "domain/text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/old_rows.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr auto client_columns = columns(
    column("id", &oauth_client::id).key(), column("name", &oauth_client::name),
    column("redirect_uris", &oauth_client::redirect_uris), column("grant_types", &oauth_client::grant_types),
    column("auth_method", &oauth_client::auth_method), column("secret_hash", &oauth_client::secret_hash),
    column("scope", &oauth_client::scope), column("fingerprint", &oauth_client::fingerprint),
    column("created_at", &oauth_client::created_at), column("used_at", &oauth_client::used_at));

const auto clients = table_of<client_columns>("connector_clients");

const selection client_by_id{"client_by_id", "select {columns} from connector_clients where id = :id",
                             client_columns};
const selection client_by_fingerprint{"client_by_fingerprint",
                                      "select {columns} from connector_clients"
                                      " where fingerprint = :fingerprint and secret_hash is null",
                                      client_columns};
const selection number_of_clients{"number_of_clients", "select {columns} from connector_clients",
                                  named<std::int64_t>("count(*)")};
/// Only clients that are still unused when the statement locks them.
const selection evict_oldest_unused{"evict_oldest_unused_clients",
                                    "delete from connector_clients where used_at is null and id in"
                                    " (select id from connector_clients where used_at is null"
                                    " order by created_at, id limit :limit) returning {columns}",
                                    named<std::string>("id")};
constexpr query restart_client{"restart_client", "update connector_clients set created_at = :now"
                                                 " where id = :id and used_at is null"};
/// After the limit was lowered, each registration deletes this many at most: a single statement for all would
/// hold the lease's row for long.
constexpr std::int64_t max_evicted = 100;

/// Makes room for one more client. Returns the ids of the deleted clients; nullopt if too few are unused.
std::optional<std::vector<std::string>> make_room(session& db, std::size_t max_clients) {
  const auto existing = db.internals().read_one(number_of_clients, {}).value_or(0);
  const auto excess = std::min(existing + 1 - static_cast<std::int64_t>(max_clients), max_evicted);
  if (excess <= 0) return std::vector<std::string>{};
  auto evicted = db.internals().read_all(evict_oldest_unused, {{"limit", excess}});
  if (static_cast<std::int64_t>(evicted.size()) < excess) return std::nullopt;
  return evicted;
}

} // namespace

bool oauth_client::may(std::string_view grant_type) const {
  return std::ranges::find(grant_types, grant_type) != grant_types.end();
}

client_registration register_client(session& db, const lease& held, const oauth_client& client,
                                    std::size_t max_clients) {
  write_transaction txn(db, held);
  if (!client.secret_hash) {
    auto known = db.internals().read_one(client_by_fingerprint, {{"fingerprint", client.fingerprint}});
    if (known) {
      db.internals().write(restart_client, {{"id", known->id}, {"now", client.created_at}});
      if (!known->used_at) known->created_at = client.created_at;
      known->name = visible_name(std::move(known->name));
      txn.commit();
      return {std::move(known), {}};
    }
  }
  auto evicted = make_room(db, max_clients);
  if (!evicted) return {};
  insert_row(db, clients, client);
  txn.commit();
  return {client, *std::move(evicted)};
}

std::optional<oauth_client> find_client(session& db, std::string_view id) {
  auto client = db.internals().read_one(client_by_id, {{"id", id}});
  if (client) client->name = visible_name(std::move(client->name));
  return client;
}

std::optional<std::string> visible_name(std::optional<std::string> stored) {
  if (!stored) return std::nullopt;
  auto visible = domain::one_line(domain::without_invisible_characters(*stored));
  return visible.empty() ? std::nullopt : std::optional(std::move(visible));
}

void delete_old_clients(old_rows& rows, domain::timestamp now, domain::timestamp unused_since,
                        domain::timestamp used_before, std::size_t limit) {
  rows.remove({"connector_clients", "text", "unused"}, "used_at is null and created_at < :before",
              "created_at", {{"before", unused_since}}, limit);
  rows.remove({"connector_clients", "text", "idle"},
              "used_at < :before and not exists (select 1 from connections o where o.client_id ="
              " connector_clients.id and o.ended_at is null and o.expires_at > :now)",
              "used_at", {{"before", used_before}, {"now", now}}, limit);
}

} // namespace roost::store
