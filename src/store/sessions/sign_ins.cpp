#include "store/sessions/sign_ins.hpp"

#include "domain/email_address.hpp"
#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/messages/messages.hpp"
#include "store/sessions/sessions.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// The stored state of a sign-in challenge (Management API, States and transitions, Sign-in challenge).
/// Expiry and exhausted tries are not stored.
enum class challenge_state {
  pending,
  consumed,  ///< the code was correct
  cancelled, ///< replaced by a later sign-in
  exhausted, ///< too many codes were requested
};

constexpr std::array<std::string_view, 4> challenge_state_names{"pending", "consumed", "cancelled", "over"};
constexpr const auto& names_of(challenge_state) { return challenge_state_names; }

struct challenge_row {
  domain::uuid id{};
  std::string token_hash;
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< of the user: changing the password invalidates the challenge
  challenge_state state = challenge_state::pending;
  std::string code_seal; ///< of the latest code
  unsigned tries = 0;    ///< of that code
  unsigned resends = 0;
  domain::timestamp created_at{};
  domain::timestamp expires_at{}; ///< of that code
};

constexpr auto challenge_columns = columns(
    column("id", &challenge_row::id).key(), column("token_hash", &challenge_row::token_hash).origin(),
    column("user_id", &challenge_row::user_id).origin(), column("epoch", &challenge_row::epoch).origin(),
    column("state", &challenge_row::state), column("code_seal", &challenge_row::code_seal),
    column("tries", &challenge_row::tries), column("resends", &challenge_row::resends),
    column("created_at", &challenge_row::created_at).origin(),
    column("expires_at", &challenge_row::expires_at));

const auto challenges = table_of<challenge_columns>("sign_in_challenges");

/// Fails if the token was used before, also by a concurrent transaction.
constexpr query use_identity_token{
    "use_identity_token", "insert into identity_token_uses (id, expires_at) values (:id, :expires_at)"};
constexpr query insert_browser{
    "insert_browser",
    "insert into remembered_browsers (id, token_hash, user_id, epoch, browser, created_at, expires_at)"
    " values (:id, :hash, :user, :epoch, :browser, :now, :expires_at)"};

const selection challenge_by_token{
    "challenge_by_token", "select {columns} from sign_in_challenges where token_hash = :hash {for update}",
    challenge_columns};
constexpr query cancel_challenges{"cancel_challenges", "update sign_in_challenges set state = 'cancelled'"
                                                       " where user_id = :user and state = 'pending'"};

const selection remembered{"remembered",
                           "select {columns} from remembered_browsers where token_hash = :hash"
                           " and user_id = :user and epoch = :epoch and expires_at > :now",
                           named<bool>("count(*) > 0")};
const selection remembered_for_address{
    "remembered_for_address",
    "select {columns} from remembered_browsers b join users u on u.id = b.user_id and u.session_epoch = "
    "b.epoch"
    " where b.token_hash = :hash and u.folded_email = :email and b.expires_at > :now",
    named<bool>("count(*) > 0")};

/// Whether the user has signed in before, and with this browser.
struct sign_in_history {
  bool has_signed_in = false, knows_browser = false;
};
constexpr auto sign_in_history_columns =
    columns(column("exists (select 1 from sessions s where s.user_id = u.id)"
                   " or exists (select 1 from known_browsers k where k.user_id = u.id)",
                   &sign_in_history::has_signed_in),
            column("exists (select 1 from known_browsers k where k.user_id = u.id and k.token_hash = :hash)",
                   &sign_in_history::knows_browser));
const selection read_sign_in_history{
    "read_sign_in_history", "select {columns} from users u where u.id = :user", sign_in_history_columns};

constexpr std::size_t max_known_browsers = 50; // per user
constexpr query add_known_browser{"add_known_browser",
                                  "insert into known_browsers (user_id, token_hash, last_used_at)"
                                  " values (:user, :hash, :now) on conflict (user_id, token_hash)"
                                  " do update set last_used_at = excluded.last_used_at"};
constexpr query delete_oldest_known_browsers{
    "delete_oldest_known_browsers", "delete from known_browsers where user_id = :user and token_hash not in"
                                    " (select token_hash from known_browsers where user_id = :user"
                                    " order by last_used_at desc, token_hash limit :limit)"};

constexpr query bind_identity{"bind_identity",
                              "update users set identity_issuer = :issuer, identity_subject = :subject"
                              " where id = :id and identity_subject is null"};
/// The password is the same, so the epoch that the table's trigger increased is restored.
constexpr query upgrade_hash{"upgrade_hash", "update users set password_hash = :hash where id = :id"
                                             " and session_epoch = :epoch"};
constexpr query restore_epoch{"restore_epoch", "update users set session_epoch = :epoch where id = :id"};

/// Sends the notice if the user has signed in before, but not in this browser.
void report_new_browser(session& db, const sign_in_user& user, const new_session& session) {
  const auto history = db.internals().read_one(read_sign_in_history,
                                               {{"user", user.id}, {"hash", session.browser_token_hash}});
  if (history && history->has_signed_in && !history->knows_browser)
    insert_message(db, session.new_browser_notice(user));
}

/// Makes the browser a known one from now on.
void mark_browser(session& db, const sign_in_user& user, const new_session& session) {
  const auto& hash = session.browser_token_hash;
  if (hash.empty()) return;
  db.internals().write(add_known_browser, {{"user", user.id}, {"hash", hash}, {"now", session.now}});
  db.internals().write(delete_oldest_known_browsers, {{"user", user.id}, {"limit", max_known_browsers}});
}

session_started start_session(session& db, const sign_in_user& user, const new_session& session,
                              const domain::sign_in_limits& limits) {
  mark_browser(db, user, session);
  const auto expires_at = session.now + limits.session;
  insert_session(db, {.id = session.id,
                      .user_id = user.id,
                      .epoch = user.epoch,
                      .created_at = session.now,
                      .rotated_at = session.now,
                      .expires_at = expires_at,
                      .browser = session.browser,
                      .address = session.address});
  return {user.id, session.id, user.epoch, expires_at};
}

/// Starts a session, and reports the browser if it is new.
session_started start_reported_session(session& db, const sign_in_user& user, const new_session& session,
                                       const domain::sign_in_limits& limits) {
  report_new_browser(db, user, session);
  return start_session(db, user, session, limits);
}

/// Sends a code and counts it.
code_sent send_code(session& db, const sign_in_user& user, const outgoing_code& code,
                    const domain::sign_in_limits& limits) {
  record_code(db, code.id, user.id, code.now);
  insert_message(db, code.mail(user));
  return {code.now + limits.code, user.email};
}

bool is_remembered(session& db, const sign_in_user& user, std::string_view token_hash,
                   domain::timestamp now) {
  return !token_hash.empty() &&
         db.internals()
             .read_one(remembered,
                       {{"hash", token_hash}, {"user", user.id}, {"epoch", user.epoch}, {"now", now}})
             .value_or(false);
}

code_sent open_challenge(session& db, const sign_in_user& user, const password_sign_in& request,
                         const domain::sign_in_limits& limits) {
  db.internals().write(cancel_challenges, {{"user", user.id}});
  insert_row(db, challenges,
             {.id = request.code.id,
              .token_hash = request.challenge_token_hash,
              .user_id = user.id,
              .epoch = user.epoch,
              .code_seal = request.code.seal,
              .created_at = request.code.now,
              .expires_at = request.code.now + limits.code});
  return send_code(db, user, request.code, limits);
}

/// Returns why the challenge accepts no more codes; nullopt if it does.
std::optional<challenge_failure> failure_of(const std::optional<challenge_row>& row, domain::timestamp now,
                                            const domain::sign_in_limits& limits) {
  if (!row) return challenge_failure::not_found;
  if (row->state == challenge_state::consumed) return challenge_failure::consumed;
  if (row->state != challenge_state::pending) return challenge_failure::expired;
  if (row->tries >= limits.code_tries) return challenge_failure::too_many_attempts;
  if (now >= row->expires_at) return challenge_failure::expired;
  return std::nullopt;
}

void replace_hash(session& db, const sign_in_user& user, std::string_view hash) {
  const parameters known{{"id", user.id}, {"epoch", user.epoch}};
  auto values = known;
  values.emplace_back("hash", hash);
  // Not if the epoch has just increased for another reason, such as a deactivation.
  if (db.internals().write(upgrade_hash, values) > 0) db.internals().write(restore_epoch, known);
}

std::optional<challenge_row> read_challenge(session& db, std::string_view token_hash) {
  return db.internals().read_one(challenge_by_token, {{"hash", token_hash}});
}

void remember_browser(session& db, const sign_in_user& user, const code_try& attempt,
                      const domain::sign_in_limits& limits) {
  const auto now = attempt.session.now;
  db.internals().write(insert_browser, {{"id", attempt.session.id},
                                        {"hash", *attempt.remember_token_hash},
                                        {"user", user.id},
                                        {"epoch", user.epoch},
                                        {"now", now},
                                        {"browser", attempt.session.browser},
                                        {"expires_at", now + limits.remembered_browser}});
}

/// Finds the user with the identity, or else binds it to the user with its address, unless that user has
/// another one.
std::optional<sign_in_user> find_or_bind_user(session& db, const identity& identity) {
  if (auto known = find_user_by_identity(db, identity.issuer, identity.subject)) return known;
  auto user = find_user(db, identity.email);
  if (!user || user->identity_subject) return std::nullopt;
  if (user->deactivated) return user;
  db.internals().write(bind_identity,
                       {{"id", user->id}, {"issuer", identity.issuer}, {"subject", identity.subject}});
  return user;
}

constexpr auto browser_columns = columns(column("id", &remembered_browser::id).of("b"),
                                         column("browser", &remembered_browser::browser).of("b"),
                                         column("created_at", &remembered_browser::created_at).of("b"),
                                         column("expires_at", &remembered_browser::expires_at).of("b"));

/// A changed password or role raises the user's epoch, which invalidates the cookies.
const selection browsers_of_user{
    "browsers_of_user",
    "select {columns} from remembered_browsers b join users u on u.id = b.user_id and u.session_epoch = "
    "b.epoch"
    " where b.user_id = :user and b.expires_at > :now order by b.created_at desc, b.id",
    browser_columns};

constexpr query delete_browser{"delete_browser",
                               "delete from remembered_browsers where id = :id and user_id = :user"};

} // namespace

sign_in_facts read_sign_in(session& db, const std::optional<lease>& held, std::string_view email,
                           std::string_view budget, domain::timestamp now,
                           const domain::sign_in_limits& limits) {
  return {find_user(db, email), passwords_over_budget(db, held, budget, now, limits.wrong_passwords_per_15m)};
}

bool is_remembered_browser(session& db, std::string_view email, std::string_view token_hash,
                           domain::timestamp now) {
  return db.internals()
      .read_one(remembered_for_address,
                {{"hash", token_hash}, {"email", domain::email_key(email)}, {"now", now}})
      .value_or(false);
}

std::variant<session_started, code_sent, rate_limited, user_not_allowed>
begin_sign_in(session& db, const lease& held, const password_sign_in& request,
              const domain::sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = find_user(db, request.user_id);
  if (!user || user->deactivated || user->epoch != request.epoch) return user_not_allowed{};
  if (request.upgraded_hash) replace_hash(db, *user, *request.upgraded_hash);
  const auto now = request.code.now;
  if (is_remembered(db, *user, request.remembered_token_hash, now)) {
    const auto started = start_session(db, *user, request.session, limits);
    txn.commit();
    return started;
  }
  if (const auto limited = codes_over_budget(db, user->id, now, limits.codes_per_15m)) {
    txn.commit();
    return *limited;
  }
  auto sent = open_challenge(db, *user, request, limits);
  txn.commit();
  return sent;
}

std::variant<session_started, challenge_failure, user_not_allowed>
try_code(session& db, const lease& held, const code_try& attempt, const domain::sign_in_limits& limits) {
  write_transaction txn(db, held);
  auto challenge = read_challenge(db, attempt.token_hash);
  if (const auto failure = failure_of(challenge, attempt.session.now, limits)) return *failure;
  const auto user = find_user(db, challenge->user_id);
  if (!user || user->deactivated) return user_not_allowed{};
  if (user->epoch != challenge->epoch) return challenge_failure::expired;
  if (!attempt.matches(challenge->id, challenge->code_seal)) {
    ++challenge->tries;
    update_row(db, challenges, *challenge);
    txn.commit();
    return challenge_failure::invalid_code;
  }
  challenge->state = challenge_state::consumed;
  update_row(db, challenges, *challenge);
  if (attempt.remember_token_hash) remember_browser(db, *user, attempt, limits);
  const auto started = start_reported_session(db, *user, attempt.session, limits);
  txn.commit();
  return started;
}

std::variant<code_sent, challenge_failure, rate_limited> resend_code(session& db, const lease& held,
                                                                     const code_resend& request,
                                                                     const domain::sign_in_limits& limits) {
  write_transaction txn(db, held);
  auto challenge = read_challenge(db, request.token_hash);
  if (challenge && challenge->state == challenge_state::exhausted) return challenge_failure::too_many_resends;
  if (const auto failure = failure_of(challenge, request.now, limits)) return *failure;
  if (challenge->resends >= limits.code_resends) {
    challenge->state = challenge_state::exhausted;
    update_row(db, challenges, *challenge);
    txn.commit();
    return challenge_failure::too_many_resends;
  }
  const auto user = find_user(db, challenge->user_id);
  if (!user || user->deactivated) return challenge_failure::not_found;
  if (user->epoch != challenge->epoch) return challenge_failure::expired;
  if (const auto limited = codes_over_budget(db, user->id, request.now, limits.codes_per_15m)) {
    txn.commit();
    return *limited;
  }
  const auto code = request.code(challenge->id);
  challenge->code_seal = code.seal;
  challenge->tries = 0;
  ++challenge->resends;
  challenge->expires_at = request.now + limits.code;
  update_row(db, challenges, *challenge);
  auto sent = send_code(db, *user, code, limits);
  txn.commit();
  return sent;
}

std::variant<session_started, user_not_allowed, identity_token_used, std::monostate>
sign_in_by_identity(session& db, const lease& held, const identity& identity, const new_session& session,
                    const domain::sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = find_or_bind_user(db, identity);
  if (!user) return std::monostate{};
  if (user->deactivated) return user_not_allowed{};
  try {
    if (!identity.token_hash.empty())
      db.internals().write(use_identity_token,
                           {{"id", identity.token_hash}, {"expires_at", identity.token_expires_at}});
  } catch (const constraint_violated&) {
    return identity_token_used{};
  }
  const auto started = start_reported_session(db, *user, session, limits);
  txn.commit();
  return started;
}

std::vector<remembered_browser> remembered_browsers_of(session& db, const domain::uuid& user,
                                                       domain::timestamp now) {
  return db.internals().read_all(browsers_of_user, {{"user", user}, {"now", now}});
}

bool forget_browser(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id) {
  write_transaction txn(db, held);
  const auto deleted = db.internals().write(delete_browser, {{"id", id}, {"user", user}});
  txn.commit();
  return deleted > 0;
}

} // namespace roost::store
