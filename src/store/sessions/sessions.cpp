#include "store/sessions/sessions.hpp"

#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/old_rows.hpp"

#include <set>
#include <unordered_map>
#include <utility>

namespace roost::store {

namespace {

constexpr auto session_columns = columns(
    column("id", &session_row::id).key(), column("user_id", &session_row::user_id).origin(),
    column("epoch", &session_row::epoch).origin(), column("generation", &session_row::generation),
    column("created_at", &session_row::created_at).origin(), column("rotated_at", &session_row::rotated_at),
    column("expires_at", &session_row::expires_at).origin(), column("ended_at", &session_row::ended_at),
    column("ended_by", &session_row::ended_by), column("browser", &session_row::browser).origin(),
    column("address", &session_row::address), column("replaced", &session_row::replaced));
const auto sessions = table_of<session_columns>("sessions");

/// A session with its user's state.
struct refreshable {
  session_row session;
  std::optional<std::int64_t> user_epoch; ///< nullopt if the user was removed
  std::optional<bool> deactivated;
};

constexpr auto refreshable_columns = columns(nested(&refreshable::session, session_columns.of("s")),
                                             column("session_epoch", &refreshable::user_epoch).of("u"),
                                             column("deactivated", &refreshable::deactivated).of("u"));

/// Locks the rows in a fixed order, so that two refreshes never deadlock.
const selection sessions_to_refresh{
    "sessions_to_refresh",
    "select {columns} from sessions s left join users u on u.id = s.user_id where s.id in {ids uuid}"
    " order by s.id {for no key update of s}",
    refreshable_columns};

/// Without a user, ends the session of any.
constexpr query end_live_session{"end_live_session",
                                 "update sessions set ended_at = :now, ended_by = :by where id = :id"
                                 " and user_id = coalesce(:user, user_id) and ended_at is null"};

constexpr auto listed_columns = columns(nested(&listed_session::session, session_columns.of("s")),
                                        column("email", &listed_session::email).of("u"));
const selection all_live_sessions{
    "all_live_sessions",
    "select {columns} from sessions s join users u on u.id = s.user_id and u.session_epoch = s.epoch"
    " where s.ended_at is null and s.expires_at > :now order by s.rotated_at desc, s.id",
    listed_columns};
const selection live_sessions_of_user{
    "live_sessions_of_user",
    "select {columns} from sessions s join users u on u.id = s.user_id and u.session_epoch = s.epoch"
    " where s.user_id = :user and s.ended_at is null and s.expires_at > :now"
    " order by s.rotated_at desc, s.id",
    listed_columns};
const selection session_with_user{"session_with_user",
                                  "select {columns} from sessions s left join users u on u.id = s.user_id"
                                  " where s.id = :id",
                                  refreshable_columns};
const selection session_account{"session_account",
                                "select {columns} from sessions s join users u on u.id = s.user_id"
                                " where s.id = :id",
                                named<domain::uuid>("u.account_id")};
const selection ended_since{"ended_since", "select {columns} from sessions where ended_at >= :since",
                            named<domain::uuid>("id")};

const selection revoked_among{"revoked_among",
                              "select {columns} from sessions where id in {ids uuid} and ended_by = :by",
                              named<domain::uuid>("id")};

constexpr query correct_rotations{"correct_rotations",
                                  "update sessions set rotated_at = :now where rotated_at > :now"};
constexpr query shorten_challenges{
    "shorten_challenges",
    "update sign_in_challenges set expires_at = :until where expires_at > :until and state = 'pending'"};

/// Evaluates a token of this generation (Management API, States and transitions). `stored` reflects earlier
/// requests of the same transaction.
refresh_result evaluate(const refreshable& stored, std::int64_t generation, domain::timestamp now,
                        std::chrono::milliseconds grace) {
  const auto& session = stored.session;
  if (!stored.user_epoch || *stored.deactivated) return refresh_result::user_gone;
  if (session.ended_at || session.epoch != *stored.user_epoch) return refresh_result::ended;
  if (now >= session.expires_at || generation > session.generation) return refresh_result::unknown;
  if (generation == session.generation) return refresh_result::rotated;
  if (session.replaced.is_recent(session.generation - generation, session.rotated_at, now, grace))
    return refresh_result::repeated;
  return refresh_result::reused;
}

/// Replaces a time in the future, which a wrong clock wrote, by now. Otherwise replaced tokens would be
/// repeated until then. Returns whether there was one.
bool correct_times(session_row& row, domain::timestamp now) {
  if (row.rotated_at <= now) return false;
  row.rotated_at = now;
  return true;
}

void apply(refresh_result result, session_row& row, const std::string& address, domain::timestamp now,
           std::chrono::milliseconds grace) {
  if (result == refresh_result::rotated) {
    if (row.generation > 1) row.replaced.add(row.rotated_at, now, grace);
    ++row.generation;
    row.rotated_at = now;
    row.address = address;
  } else if (result == refresh_result::reused) {
    row.ended_at = now;
    row.ended_by = domain::to_string(session_end::reuse);
  }
}

using refreshable_by_id = std::unordered_map<domain::uuid, refreshable, domain::uuid_hash>;

refreshable_by_id read_sessions(session& db, std::span<const session_refresh> requests) {
  std::vector<domain::uuid> ids;
  ids.reserve(requests.size());
  for (const auto& request : requests) ids.push_back(request.session_id);
  refreshable_by_id result;
  for (auto& row : db.internals().read_all(sessions_to_refresh, {{"ids", db.internals().list(ids)}}))
    result.insert({row.session.id, std::move(row)});
  return result;
}

/// Returns nullopt if there is no such session or it has ended.
std::optional<stream_point> end_live(session& db, const domain::uuid& id, session_end by,
                                     domain::timestamp now, const std::optional<domain::uuid>& user = {}) {
  const parameters values{{"id", id}, {"user", user}, {"by", domain::to_string(by)}, {"now", now}};
  if (db.internals().write(end_live_session, values) == 0) return std::nullopt;
  return append(db, {.subjects = {id}});
}

} // namespace

void insert_session(session& db, const session_row& row) { insert_row(db, sessions, row); }

std::vector<refresh_outcome> refresh_sessions(session& db, const lease& held,
                                              std::span<const session_refresh> requests,
                                              domain::timestamp now, std::chrono::milliseconds grace) {
  write_transaction txn(db, held);
  auto known = read_sessions(db, requests);
  std::vector<refresh_outcome> outcomes;
  outcomes.reserve(requests.size());
  std::set<const session_row*> changed;
  for (const auto& request : requests) {
    const auto stored = known.find(request.session_id);
    if (stored == known.end()) {
      outcomes.push_back({});
      continue;
    }
    auto& row = stored->second.session;
    const bool is_corrected = correct_times(row, now);
    const auto result = evaluate(stored->second, request.generation, now, grace);
    apply(result, row, request.address, now, grace);
    if (result == refresh_result::rotated || result == refresh_result::reused ||
        (result == refresh_result::repeated && is_corrected))
      changed.insert(&row);
    outcomes.push_back({result, row.user_id, row.epoch, row.generation, row.expires_at});
  }
  bulk_writer<session_row> rows(db, sessions, bulk_mode::update_changed);
  change ends;
  for (const auto* row : changed) {
    rows.add(*row);
    if (row->ended_at) ends.subjects.push_back(row->id);
  }
  rows.finish();
  if (!ends.subjects.empty()) append(db, ends);
  txn.commit();
  return outcomes;
}

bool end_session(session& db, const lease& held, const domain::uuid& id, session_end by,
                 domain::timestamp now) {
  write_transaction txn(db, held);
  const auto change = end_live(db, id, by, now);
  txn.commit();
  return change.has_value();
}

bool end_session_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                    domain::timestamp now) {
  write_transaction txn(db, held);
  const auto change = end_live(db, id, session_end::by_user, now, user);
  txn.commit();
  return change.has_value();
}

std::optional<stream_point> revoke_session(session& db, const domain::uuid& id, domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  const auto change = end_live(db, id, session_end::by_operator, now);
  if (change) txn.commit();
  return change;
}

std::vector<listed_session> live_sessions(session& db, domain::timestamp now,
                                          const std::optional<domain::uuid>& user) {
  if (!user) return db.internals().read_all(all_live_sessions, {{"now", now}});
  return db.internals().read_all(live_sessions_of_user, {{"user", *user}, {"now", now}});
}

presented_session find_session(session& db, const session_refresh& token, domain::timestamp now,
                               std::chrono::milliseconds grace) {
  auto stored = db.internals().read_one(session_with_user, {{"id", token.session_id}});
  if (!stored) return {};
  const auto result = evaluate(*stored, token.generation, now, grace);
  if (result != refresh_result::rotated && result != refresh_result::repeated) return {result, {}};
  return {result, std::move(stored->session)};
}

std::optional<domain::uuid> account_of_session(session& db, const domain::uuid& id) {
  return db.internals().read_one(session_account, {{"id", id}});
}

std::vector<domain::uuid> sessions_ended_since(session& db, domain::timestamp since) {
  return db.internals().read_all(ended_since, {{"since", since}});
}

std::vector<domain::uuid> revoked_sessions(session& db, std::span<const domain::uuid> ids) {
  return db.internals().read_all(revoked_among, {{"ids", db.internals().list(ids)},
                                                 {"by", domain::to_string(session_end::by_operator)}});
}

void shorten_sign_ins(old_rows& rows, domain::timestamp now, const domain::sign_in_limits& limits) {
  rows.write([&](session& db) { return db.internals().write(correct_rotations, {{"now", now}}); });
  rows.write([&](session& db) {
    return db.internals().write(shorten_challenges, {{"until", now + limits.code}});
  });
  for (const auto& [table, lifetime] : {std::pair{"sessions", limits.session},
                                        {"remembered_browsers", limits.remembered_browser},
                                        {"password_resets", limits.password_reset}}) {
    const auto name = std::string("shorten_") + table;
    const auto text = std::string("update ") + table +
                      " set created_at = :now, expires_at = :until"
                      " where expires_at > :until and created_at > :now";
    rows.write([&, until = now + lifetime](session& db) {
      return db.internals().write({name.c_str(), text.c_str()}, {{"now", now}, {"until", until}});
    });
  }
}

void delete_old_sign_ins(old_rows& rows, domain::timestamp before, std::size_t limit) {
  rows.remove({"sessions"}, "expires_at", before, limit);
  rows.remove({"sign_in_challenges"}, "expires_at", before, limit);
  rows.remove({"sign_in_codes"}, "sent_at", before, limit);
  rows.remove({"wrong_passwords"}, "tried_at", before, limit);
  rows.remove({"remembered_browsers"}, "expires_at", before, limit);
  rows.remove({"password_resets"}, "expires_at", before, limit);
  rows.remove({"identity_token_uses", "text"}, "expires_at", before, limit);
}

} // namespace roost::store
