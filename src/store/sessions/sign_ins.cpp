#include "store/sessions/sign_ins.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/messages/messages.hpp"
#include "store/sessions/session_tables.hpp"

namespace roost::store {

namespace {

/// How many there were in the window, and when the first of them was.
struct budget_use {
  std::int64_t count = 0;
  std::optional<domain::timestamp> first;
};
constexpr auto wrong_password_use =
    columns(column("count(*)", &budget_use::count), column("min(tried_at)", &budget_use::first));
constexpr auto code_use =
    columns(column("count(*)", &budget_use::count), column("min(sent_at)", &budget_use::first));

const selection recent_wrong_passwords{"recent_wrong_passwords",
                                       "select {columns} from wrong_passwords where address_hash = :address"
                                       " and tried_at > :since",
                                       wrong_password_use};
const selection recent_codes{"recent_codes",
                             "select {columns} from sign_in_codes where user_id = :user and sent_at > :since",
                             code_use};

const selection challenge_by_token{
    "challenge_by_token",
    {"select {columns} from sign_in_challenges where token_hash = :hash for update",
     "select {columns} from sign_in_challenges where token_hash = :hash"},
    challenge_columns};
constexpr query cancel_challenges{"cancel_challenges", "update sign_in_challenges set state = 'cancelled'"
                                                       " where user_id = :user and state = 'pending'"};

const selection remembered{"remembered",
                           "select {columns} from remembered_browsers where token_hash = :hash"
                           " and user_id = :user and epoch = :epoch and expires_at > :now",
                           named<bool>("count(*) > 0")};

/// Whether the user has signed in before, and with this browser.
struct familiarity {
  bool has_signed_in = false, knows_browser = false;
};
constexpr auto familiarity_columns =
    columns(column("count(*) > 0", &familiarity::has_signed_in),
            column("coalesce(max(case when browser = :browser then 1 else 0 end), 0) = 1",
                   &familiarity::knows_browser));
const selection how_familiar{"how_familiar", "select {columns} from sessions where user_id = :user",
                             familiarity_columns};

constexpr query bind_identity{"bind_identity",
                              "update users set identity_issuer = :issuer, identity_subject = :subject"
                              " where id = :id and identity_subject is null"};
/// It is the same password: what the table's trigger does for a new one is taken back.
constexpr query set_better_hash{"set_better_hash", "update users set password_hash = :hash where id = :id"};
constexpr query set_epoch_back{"set_epoch_back", "update users set session_epoch = :epoch where id = :id"};

std::optional<too_many> over_budget(const std::optional<budget_use>& use, unsigned budget,
                                    domain::timestamp now) {
  if (!use || use->count < static_cast<std::int64_t>(budget) || !use->first) return std::nullopt;
  return too_many{
      std::max<std::chrono::milliseconds>(*use->first + budget_window - now, std::chrono::milliseconds{1})};
}

std::optional<too_many> codes_over_budget(session& db, const domain::uuid& user, domain::timestamp now,
                                          const sign_in_limits& limits) {
  return over_budget(db.internals().read_one(
                         recent_codes, {{"user", to_cell(user)}, {"since", to_cell(now - budget_window)}}),
                     limits.codes_per_15m, now);
}

void send(session& db, const domain::outgoing_mail& mail) {
  message_rows messages;
  messages.add(mail);
  insert(db, messages);
}

session_started start_session(session& db, const sign_in_user& user, const session_wish& wish,
                              const sign_in_limits& limits) {
  const auto known =
      db.internals().read_one(how_familiar, {{"user", to_cell(user.id)}, {"browser", to_cell(wish.browser)}});
  if (known && known->has_signed_in && !known->knows_browser) send(db, wish.new_browser_notice(user));
  session_row row;
  row.id = wish.id;
  row.user_id = user.id;
  row.epoch = user.epoch;
  row.created_at = row.rotated_at = wish.now;
  row.expires_at = wish.now + limits.session;
  row.browser = wish.browser;
  row.address = wish.address;
  insert_row(db, tables::sessions, row);
  return {user.id, row.id, row.epoch, row.expires_at};
}

/// Counts the code, too.
code_sent send_code(session& db, const sign_in_user& user, const code_wish& code,
                    const domain::uuid& count_id, const sign_in_limits& limits) {
  insert_row(db, tables::codes, code_row{count_id, user.id, code.now});
  send(db, code.mail(user));
  return {code.now + limits.code, user.email};
}

bool is_remembered(session& db, const sign_in_user& user, std::string_view token_hash,
                   domain::timestamp now) {
  return !token_hash.empty() && db.internals()
                                    .read_one(remembered, {{"hash", to_cell(token_hash)},
                                                           {"user", to_cell(user.id)},
                                                           {"epoch", to_cell(user.epoch)},
                                                           {"now", to_cell(now)}})
                                    .value_or(false);
}

code_sent open_challenge(session& db, const sign_in_user& user, const password_sign_in& wanted,
                         const sign_in_limits& limits) {
  db.internals().write(cancel_challenges, {{"user", to_cell(user.id)}});
  challenge_row row;
  row.id = wanted.code.id;
  row.token_hash = wanted.challenge_token_hash;
  row.user_id = user.id;
  row.epoch = user.epoch;
  row.code_seal = wanted.code.seal;
  row.created_at = wanted.code.now;
  row.expires_at = wanted.code.now + limits.code;
  insert_row(db, tables::challenges, row);
  return send_code(db, user, wanted.code, wanted.code.id, limits);
}

void write_challenge(session& db, const challenge_row& row) {
  bulk_writer rows(db, tables::challenges, bulk_mode::update_changed);
  rows.add(row);
  rows.finish();
}

/// Why no code of this challenge is looked at any more.
std::optional<challenge_failure> failure_of(const std::optional<challenge_row>& row, domain::timestamp now,
                                            const sign_in_limits& limits) {
  if (!row) return challenge_failure::not_found;
  if (row->state == challenge_state::consumed) return challenge_failure::consumed;
  if (row->state != challenge_state::pending) return challenge_failure::expired;
  if (row->tries >= limits.code_tries) return challenge_failure::too_many_attempts;
  if (now >= row->expires_at) return challenge_failure::expired;
  return std::nullopt;
}

void replace_hash(session& db, const sign_in_user& of, std::string_view better) {
  db.internals().write(set_better_hash, {{"id", to_cell(of.id)}, {"hash", to_cell(better)}});
  db.internals().write(set_epoch_back, {{"id", to_cell(of.id)}, {"epoch", to_cell(of.epoch)}});
}

std::optional<challenge_row> read_challenge(session& db, std::string_view token_hash) {
  return db.internals().read_one(challenge_by_token, {{"hash", to_cell(token_hash)}});
}

void remember_browser(session& db, const sign_in_user& user, const code_try& wanted,
                      const sign_in_limits& limits) {
  const auto now = wanted.session.now;
  insert_row(db, tables::remembered_browsers,
             remembered_browser_row{wanted.session.id, *wanted.remember_token_hash, user.id, user.epoch, now,
                                    now + limits.remembered_browser});
}

/// The user with the identity, else the one with the address, unless that one has another identity.
std::optional<sign_in_user> user_of(session& db, const identity& of) {
  if (auto known = find_user_by_identity(db, of.issuer, of.subject)) return known;
  auto user = find_user(db, of.email);
  if (!user || user->identity_subject) return std::nullopt;
  if (user->deactivated) return user;
  db.internals().write(
      bind_identity,
      {{"id", to_cell(user->id)}, {"issuer", to_cell(of.issuer)}, {"subject", to_cell(of.subject)}});
  return user;
}

} // namespace

std::string_view to_string(challenge_state state) {
  switch (state) {
  case challenge_state::pending:
    return "pending";
  case challenge_state::consumed:
    return "consumed";
  case challenge_state::cancelled:
    return "cancelled";
  case challenge_state::over:
    return "over";
  }
  return "over";
}

challenge_state parse_challenge_state(std::string_view text) {
  using enum challenge_state;
  for (const auto each : {pending, consumed, cancelled, over})
    if (to_string(each) == text) return each;
  throw failure("no state of a sign-in challenge: " + std::string(text));
}

sign_in_facts read_sign_in(session& db, std::string_view email, std::string_view address_hash,
                           domain::timestamp now, const sign_in_limits& limits) {
  const auto tried = db.internals().read_one(
      recent_wrong_passwords, {{"address", to_cell(address_hash)}, {"since", to_cell(now - budget_window)}});
  return {find_user(db, email), over_budget(tried, limits.wrong_passwords_per_15m, now)};
}

void record_wrong_password(session& db, const lease& held, const domain::uuid& id,
                           std::string_view address_hash, domain::timestamp now) {
  write_transaction txn(db, held);
  insert_row(db, tables::wrong_passwords, wrong_password_row{id, std::string(address_hash), now});
  txn.commit();
}

std::variant<session_started, code_sent, too_many, user_not_allowed>
begin_sign_in(session& db, const lease& held, const password_sign_in& wanted, const sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = find_user(db, wanted.user_id);
  if (!user || user->deactivated || user->epoch != wanted.epoch) return user_not_allowed{};
  if (wanted.better_hash) replace_hash(db, *user, *wanted.better_hash);
  const auto now = wanted.code.now;
  if (is_remembered(db, *user, wanted.remembered_token_hash, now)) {
    const auto started = start_session(db, *user, wanted.session, limits);
    txn.commit();
    return started;
  }
  if (const auto over = codes_over_budget(db, user->id, now, limits)) return *over;
  auto sent = open_challenge(db, *user, wanted, limits);
  txn.commit();
  return sent;
}

std::variant<session_started, challenge_failure, user_not_allowed>
try_code(session& db, const lease& held, const code_try& wanted, const sign_in_limits& limits) {
  write_transaction txn(db, held);
  auto challenge = read_challenge(db, wanted.token_hash);
  if (const auto why = failure_of(challenge, wanted.session.now, limits)) return *why;
  const auto user = find_user(db, challenge->user_id);
  if (!user || user->deactivated) return user_not_allowed{};
  if (user->epoch != challenge->epoch) return challenge_failure::expired;
  if (!wanted.matches(challenge->id, challenge->code_seal)) {
    ++challenge->tries;
    write_challenge(db, *challenge);
    txn.commit();
    return challenge_failure::invalid_code;
  }
  challenge->state = challenge_state::consumed;
  write_challenge(db, *challenge);
  if (wanted.remember_token_hash) remember_browser(db, *user, wanted, limits);
  const auto started = start_session(db, *user, wanted.session, limits);
  txn.commit();
  return started;
}

std::variant<code_sent, challenge_failure, too_many>
resend_code(session& db, const lease& held, const code_resend& wanted, const sign_in_limits& limits) {
  write_transaction txn(db, held);
  auto challenge = read_challenge(db, wanted.token_hash);
  if (challenge && challenge->state == challenge_state::over) return challenge_failure::too_many_resends;
  if (const auto why = failure_of(challenge, wanted.now, limits)) return *why;
  if (challenge->resends >= limits.code_resends) {
    challenge->state = challenge_state::over;
    write_challenge(db, *challenge);
    txn.commit();
    return challenge_failure::too_many_resends;
  }
  const auto user = find_user(db, challenge->user_id);
  if (!user || user->deactivated) return challenge_failure::not_found;
  if (user->epoch != challenge->epoch) return challenge_failure::expired;
  if (const auto over = codes_over_budget(db, user->id, wanted.now, limits)) return *over;
  const auto code = wanted.code(challenge->id);
  challenge->code_seal = code.seal;
  challenge->tries = 0;
  ++challenge->resends;
  challenge->expires_at = wanted.now + limits.code;
  write_challenge(db, *challenge);
  auto sent = send_code(db, *user, code, code.id, limits);
  txn.commit();
  return sent;
}

std::variant<session_started, user_not_allowed, std::monostate>
sign_in_by_identity(session& db, const lease& held, const identity& of, const session_wish& session,
                    const sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = user_of(db, of);
  if (!user) return std::monostate{};
  if (user->deactivated) return user_not_allowed{};
  const auto started = start_session(db, *user, session, limits);
  txn.commit();
  return started;
}

} // namespace roost::store
