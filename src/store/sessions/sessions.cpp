#include "store/sessions/sessions.hpp"

#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/sessions/session_tables.hpp"

#include <algorithm>
#include <unordered_map>

namespace roost::store {

namespace {

/// What a refresh goes by.
struct refreshable {
  session_row session;
  std::optional<std::int64_t> user_epoch; ///< none: the user is removed
  std::optional<bool> deactivated;
};

constexpr auto refreshable_columns = columns(nested(&refreshable::session, session_columns.of("s")),
                                             column("session_epoch", &refreshable::user_epoch).of("u"),
                                             column("deactivated", &refreshable::deactivated).of("u"));

/// In one order, so that two of them never wait for each other.
const selection sessions_to_refresh{
    "sessions_to_refresh",
    {"select {columns} from sessions s left join users u on u.id = s.user_id where s.id in {ids uuid}"
     " order by s.id for no key update of s",
     "select {columns} from sessions s left join users u on u.id = s.user_id where s.id in {ids uuid}"},
    refreshable_columns};

constexpr query end_live_session{"end_live_session",
                                 "update sessions set ended_at = :now, ended_by = :by"
                                 " where id = :id and ended_at is null and expires_at > :now"};
constexpr query end_live_session_of{"end_live_session_of",
                                    "update sessions set ended_at = :now, ended_by = :by where id = :id"
                                    " and user_id = :user and ended_at is null and expires_at > :now"};

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
const selection session_to_show{"session_to_show",
                                "select {columns} from sessions s left join users u on u.id = s.user_id"
                                " where s.id = :id",
                                refreshable_columns};
const selection ended_since{"ended_since", "select {columns} from sessions where ended_at >= :since",
                            named<domain::uuid>("id")};

const selection revoked_among{"revoked_among",
                              "select {columns} from sessions where id in {ids uuid} and ended_by = :by",
                              named<domain::uuid>("id")};

constexpr query delete_sessions{"delete_sessions",
                                "delete from sessions where id in (select id from sessions"
                                " where expires_at < :before order by expires_at limit :most)"};
constexpr query delete_challenges{"delete_challenges",
                                  "delete from sign_in_challenges where id in (select id from "
                                  "sign_in_challenges where expires_at < :before order by expires_at limit "
                                  ":most)"};
constexpr query delete_codes{"delete_codes",
                             "delete from sign_in_codes where id in (select id from sign_in_codes"
                             " where sent_at < :before order by sent_at limit :most)"};
constexpr query delete_wrong_passwords{"delete_wrong_passwords",
                                       "delete from wrong_passwords where id in (select id from "
                                       "wrong_passwords where tried_at < :before order by tried_at limit "
                                       ":most)"};
constexpr query delete_browsers{"delete_browsers",
                                "delete from remembered_browsers where id in (select id from "
                                "remembered_browsers where expires_at < :before order by expires_at limit "
                                ":most)"};
constexpr query delete_resets{"delete_resets",
                              "delete from password_resets where id in (select id from password_resets"
                              " where expires_at < :before order by expires_at limit :most)"};

/// What a token of this generation is worth (Management API, States and transitions). It does not look at
/// what was rotated meanwhile in the same transaction: `of` is as that left it.
refresh_result judge(const refreshable& of, std::int64_t generation, domain::timestamp now,
                     std::chrono::milliseconds grace) {
  const auto& session = of.session;
  if (!of.user_epoch || *of.deactivated) return refresh_result::user_gone;
  if (session.ended_at || session.epoch != *of.user_epoch) return refresh_result::ended;
  if (now >= session.expires_at || generation > session.generation) return refresh_result::unknown;
  if (generation == session.generation) return refresh_result::rotated;
  if (generation == session.generation - 1 && now - session.rotated_at <= grace)
    return refresh_result::repeated;
  return refresh_result::reused;
}

void apply(refresh_result result, session_row& to, const std::string& address, domain::timestamp now) {
  if (result == refresh_result::rotated) {
    ++to.generation;
    to.rotated_at = now;
    to.address = address;
  } else if (result == refresh_result::reused) {
    to.ended_at = now;
    to.ended_by = to_string(session_end::reuse);
  }
}

using refreshable_by_id = std::unordered_map<domain::uuid, refreshable, domain::uuid_hash>;

refreshable_by_id read_to_refresh(session& db, std::span<const session_refresh> wanted) {
  std::vector<domain::uuid> ids;
  ids.reserve(wanted.size());
  for (const auto& each : wanted) ids.push_back(each.session_id);
  refreshable_by_id found;
  for (auto& each : db.internals().read_all(sessions_to_refresh, {{"ids", db.internals().list(ids)}})) {
    const auto id = each.session.id;
    found.emplace(id, std::move(each));
  }
  return found;
}

} // namespace

std::string_view to_string(session_end by) {
  switch (by) {
  case session_end::logout:
    return "logout";
  case session_end::reuse:
    return "reuse";
  case session_end::by_user:
    return "user";
  case session_end::by_operator:
    return "operator";
  }
  return "operator";
}

std::vector<refresh_outcome> refresh_sessions(session& db, const lease& held,
                                              std::span<const session_refresh> wanted, domain::timestamp now,
                                              std::chrono::milliseconds grace) {
  write_transaction txn(db, held);
  auto known = read_to_refresh(db, wanted);
  std::vector<refresh_outcome> outcomes;
  outcomes.reserve(wanted.size());
  std::vector<const session_row*> changed;
  for (const auto& each : wanted) {
    const auto found = known.find(each.session_id);
    if (found == known.end()) {
      outcomes.push_back({});
      continue;
    }
    auto& row = found->second.session;
    const auto result = judge(found->second, each.generation, now, grace);
    apply(result, row, each.address, now);
    if (result == refresh_result::rotated || result == refresh_result::reused) changed.push_back(&row);
    outcomes.push_back({result, row.user_id, row.epoch, row.generation, row.expires_at});
  }
  bulk_writer<session_row> rows(db, tables::sessions, bulk_mode::update_changed);
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  change ends;
  for (const auto* each : changed) {
    rows.add(*each);
    if (each->ended_at) ends.subjects.push_back(each->id);
  }
  rows.finish();
  if (!ends.subjects.empty()) append(db, ends);
  txn.commit();
  return outcomes;
}

bool end_session(session& db, const lease& held, const domain::uuid& id, session_end by,
                 domain::timestamp now) {
  write_transaction txn(db, held);
  const auto ended = db.internals().write(
      end_live_session, {{"id", to_cell(id)}, {"by", to_cell(to_string(by))}, {"now", to_cell(now)}});
  if (ended > 0) append(db, {change_kind::credentials, {}, {}, {id}});
  txn.commit();
  return ended > 0;
}

bool end_session_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                    domain::timestamp now) {
  write_transaction txn(db, held);
  const auto ended =
      db.internals().write(end_live_session_of, {{"id", to_cell(id)},
                                                 {"user", to_cell(user)},
                                                 {"by", to_cell(to_string(session_end::by_user))},
                                                 {"now", to_cell(now)}});
  if (ended > 0) append(db, {change_kind::credentials, {}, {}, {id}});
  txn.commit();
  return ended > 0;
}

std::optional<stream_point> revoke_session(session& db, const domain::uuid& id, domain::timestamp now) {
  transaction txn(db, transaction::purpose::write);
  const auto ended = db.internals().write(
      end_live_session,
      {{"id", to_cell(id)}, {"by", to_cell(to_string(session_end::by_operator))}, {"now", to_cell(now)}});
  if (ended == 0) return std::nullopt;
  const auto change = append(db, {change_kind::credentials, {}, {}, {id}});
  txn.commit();
  return change;
}

std::vector<listed_session> live_sessions(session& db, domain::timestamp now,
                                          const std::optional<domain::uuid>& user) {
  if (!user) return db.internals().read_all(all_live_sessions, {{"now", to_cell(now)}});
  return db.internals().read_all(live_sessions_of_user, {{"user", to_cell(*user)}, {"now", to_cell(now)}});
}

std::optional<session_row> find_session(session& db, const session_refresh& shown, domain::timestamp now,
                                        std::chrono::milliseconds grace) {
  auto found = db.internals().read_one(session_to_show, {{"id", to_cell(shown.session_id)}});
  if (!found) return std::nullopt;
  const auto worth = judge(*found, shown.generation, now, grace);
  if (worth != refresh_result::rotated && worth != refresh_result::repeated) return std::nullopt;
  return std::move(found->session);
}

std::vector<domain::uuid> sessions_ended_since(session& db, domain::timestamp since) {
  return db.internals().read_all(ended_since, {{"since", to_cell(since)}});
}

std::vector<domain::uuid> revoked_sessions(session& db, std::span<const domain::uuid> among) {
  return db.internals().read_all(revoked_among, {{"ids", db.internals().list(among)},
                                                 {"by", to_cell(to_string(session_end::by_operator))}});
}

std::int64_t delete_old_sign_ins(session& db, const lease& held, domain::timestamp before, std::size_t most) {
  write_transaction txn(db, held);
  std::int64_t deleted = 0;
  for (const auto* each : {&delete_sessions, &delete_challenges, &delete_codes, &delete_wrong_passwords,
                           &delete_browsers, &delete_resets})
    deleted += db.internals().write(*each, {{"before", to_cell(before)}, {"most", to_cell(most)}});
  txn.commit();
  return deleted;
}

} // namespace roost::store
