#include "store/connector/connections.hpp"
#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"

#include <algorithm>
#include <unordered_map>

/// What gives tokens, and what takes them away again at once: codes, their exchange, and refreshes.
namespace roost::store {

namespace {

const record_table<authorization_code> codes = table_of<authorization_code_columns>("connector_codes");
const record_table<connection> connections = table_of<connection_columns>("connections");

const selection code_by_hash{"code_by_hash",
                             {"select {columns} from connector_codes where hash = :hash for update",
                              "select {columns} from connector_codes where hash = :hash"},
                             authorization_code_columns};
const selection code_of_form{"code_of_form", "select {columns} from connector_codes where id = :id",
                             named<bool>("count(*) > 0")};
const selection user_exists{"connection_user_exists", "select {columns} from users where id = :id",
                            named<bool>("count(*) > 0")};
constexpr query use_code{"use_code", "update connector_codes set used_at = :now where id = :id"};
constexpr query end_replayed{"end_replayed",
                             "update connections set ended_at = :now, ended_by = 'code_replay'"
                             " where id = :id and ended_at is null"};
constexpr query use_client{"use_client", "update connector_clients set used_at = :now where id = :id"
                                         " and (used_at is null or used_at < :before)"};

/// Looked at once a day: a client's row is not written with each of its refreshes.
constexpr std::chrono::hours between_uses{24};

struct refreshable {
  store::connection connection;
  bool has_user = false;
};
constexpr auto refreshable_columns = columns(nested(&refreshable::connection, connection_columns.of("c")),
                                             column("u.id is not null", &refreshable::has_user));
/// In one order, so that two of them never wait for each other.
const selection connections_to_refresh{
    "connections_to_refresh",
    {"select {columns} from connections c left join users u on u.id = c.user_id where c.id in {ids uuid}"
     " order by c.id for no key update of c",
     "select {columns} from connections c left join users u on u.id = c.user_id where c.id in {ids uuid}"},
    refreshable_columns};

void note_use(session& db, const std::string& client, domain::timestamp now) {
  db.internals().write(
      use_client, {{"id", to_cell(client)}, {"now", to_cell(now)}, {"before", to_cell(now - between_uses)}});
}

/// Nothing: tokens are owed.
std::optional<token_refusal> refusal_of(session& db, const authorization_code& code,
                                        const code_exchange& shown, const tool_check& may,
                                        domain::timestamp now) {
  if (code.client_id != shown.client_id) return token_refusal::unknown;
  if (code.used_at) return token_refusal::used;
  if (now >= code.expires_at) return token_refusal::expired;
  if (code.redirect_uri != shown.redirect_uri) return token_refusal::other_redirect;
  if (code.challenge != shown.challenge) return token_refusal::other_verifier;
  if (shown.resource && *shown.resource != code.resource) return token_refusal::other_resource;
  if (!db.internals().read_one(user_exists, {{"id", to_cell(code.user_id)}}).value_or(false))
    return token_refusal::user_gone;
  if (!may(code.user_id)) return token_refusal::no_tools;
  return std::nullopt;
}

connection connection_from(const authorization_code& code, domain::timestamp now,
                           std::chrono::milliseconds lifetime) {
  connection made;
  made.id = code.id;
  made.client_id = code.client_id;
  made.client_name = code.client_name;
  made.user_id = code.user_id;
  made.resource = code.resource;
  made.created_at = made.used_at = now;
  made.expires_at = now + lifetime;
  return made;
}

/// What a refresh token is worth. It does not look at what was rotated meanwhile in the same transaction:
/// `of` is as that left it. Nothing: it is good, whether for a rotation or a repetition.
std::optional<token_refusal> refusal_of(const refreshable& of, const connection_refresh& shown,
                                        const tool_check& may, const refresh_terms& terms) {
  const auto& row = of.connection;
  if (row.client_id != shown.client_id || shown.generation > row.generation) return token_refusal::unknown;
  if (row.ended_at) return token_refusal::ended;
  if (terms.now >= row.expires_at) return token_refusal::expired;
  const bool is_repetition = shown.generation == row.generation - 1 && terms.grace.count() > 0 &&
                             terms.now - row.used_at <= terms.grace;
  if (shown.generation != row.generation && !is_repetition) return token_refusal::reused;
  if (!of.has_user) return token_refusal::user_gone;
  if (shown.resource && *shown.resource != row.resource) return token_refusal::other_resource;
  if (!may(row.user_id)) return token_refusal::no_tools;
  return std::nullopt;
}

/// Whether the row was changed.
bool apply(const std::optional<token_refusal>& refused, connection& to, std::int64_t generation,
           const refresh_terms& terms) {
  if (refused == token_refusal::reused) {
    to.ended_at = terms.now;
    to.ended_by = "reuse";
    return true;
  }
  if (refused || generation != to.generation) return false;
  ++to.generation;
  to.used_at = terms.now;
  to.expires_at = terms.now + terms.lifetime;
  return true;
}

using refreshable_by_id = std::unordered_map<domain::uuid, refreshable, domain::uuid_hash>;

refreshable_by_id read_to_refresh(session& db, std::span<const connection_refresh> wanted) {
  std::vector<domain::uuid> ids;
  ids.reserve(wanted.size());
  for (const auto& each : wanted) ids.push_back(each.id);
  refreshable_by_id found;
  for (auto& each : db.internals().read_all(connections_to_refresh, {{"ids", db.internals().list(ids)}})) {
    const auto id = each.connection.id;
    found.emplace(id, std::move(each));
  }
  return found;
}

/// Each once, and the ends of those that ended.
void write_changed(session& db, std::vector<const connection*> changed, domain::timestamp now) {
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  bulk_writer<connection> rows(db, connections, bulk_mode::update_changed);
  for (const auto* each : changed) rows.add(*each);
  rows.finish();
  std::vector<std::string_view> used;
  used.reserve(changed.size());
  for (const auto* each : changed) used.push_back(each->client_id);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const auto client : used) note_use(db, std::string(client), now);
  change ends;
  for (const auto* each : changed)
    if (each->ended_at) ends.subjects.push_back(each->id);
  if (!ends.subjects.empty()) append(db, ends);
}

} // namespace

bool issue_code(session& db, const lease& held, const authorization_code& code) {
  write_transaction txn(db, held);
  if (db.internals().read_one(code_of_form, {{"id", to_cell(code.id)}}).value_or(false)) return false;
  try {
    insert_row(db, codes, code);
  } catch (const constraint_violated&) {
    return false; // of two at once the table takes one
  }
  note_use(db, code.client_id, code.created_at);
  txn.commit();
  return true;
}

exchanged exchange_code(session& db, const lease& held, const code_exchange& shown, const tool_check& may,
                        domain::timestamp now, std::chrono::milliseconds lifetime) {
  write_transaction txn(db, held);
  const auto code = db.internals().read_one(code_by_hash, {{"hash", to_cell(shown.hash)}});
  if (!code) return {};
  if (const auto refused = refusal_of(db, *code, shown, may, now)) {
    if (refused == token_refusal::used) {
      if (db.internals().write(end_replayed, {{"id", to_cell(code->id)}, {"now", to_cell(now)}}) > 0)
        append(db, {change_kind::credentials, {}, {}, {code->id}});
      txn.commit();
    }
    return {*refused, code->id};
  }
  db.internals().write(use_code, {{"id", to_cell(code->id)}, {"now", to_cell(now)}});
  const auto made = connection_from(*code, now, lifetime);
  insert_row(db, connections, made);
  txn.commit();
  return {made, code->id};
}

std::vector<token_outcome> refresh_connections(session& db, const lease& held,
                                               std::span<const connection_refresh> wanted,
                                               const tool_check& may, const refresh_terms& terms) {
  write_transaction txn(db, held);
  auto known = read_to_refresh(db, wanted);
  std::vector<token_outcome> outcomes;
  outcomes.reserve(wanted.size());
  std::vector<const connection*> changed;
  for (const auto& each : wanted) {
    const auto found = known.find(each.id);
    if (found == known.end()) {
      outcomes.emplace_back(token_refusal::unknown);
      continue;
    }
    auto& row = found->second.connection;
    const auto refused = refusal_of(found->second, each, may, terms);
    if (apply(refused, row, each.generation, terms)) changed.push_back(&row);
    outcomes.push_back(refused ? token_outcome(*refused) : token_outcome(row));
  }
  write_changed(db, std::move(changed), terms.now);
  txn.commit();
  return outcomes;
}

} // namespace roost::store
