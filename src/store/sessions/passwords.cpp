#include "store/sessions/passwords.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"
#include "store/sessions/session_tables.hpp"

namespace roost::store {

namespace {

const selection recent_resets{"recent_resets",
                              "select {columns} from password_resets where user_id = :user"
                              " and created_at > :since",
                              named<std::int64_t>("count(*)")};
const selection reset_by_token{"reset_by_token",
                               "select {columns} from password_resets where token_hash = :hash"
                               " and used_at is null and expires_at > :now",
                               password_reset_columns};
constexpr query use_reset{
    "use_reset", "update password_resets set used_at = :now where token_hash = :hash"
                 " and user_id = :user and epoch = :epoch and used_at is null and expires_at > :now"};

void mail_to(session& db, const sign_in_user& user, const mail_to_user& make) {
  message_rows messages;
  messages.add(make(user));
  insert(db, messages);
}

} // namespace

void send_reset(session& db, const lease& held, std::string_view email, const reset_request& wish,
                const sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = find_user(db, email);
  if (!user || user->deactivated) return;
  const auto sent = db.internals().read_one(
      recent_resets, {{"user", to_cell(user->id)}, {"since", to_cell(wish.now - budget_window)}});
  if (sent.value_or(0) >= static_cast<std::int64_t>(limits.codes_per_15m)) return;
  insert_row(db, tables::password_resets,
             password_reset_row{wish.id, wish.token_hash, user->id, user->epoch, wish.now,
                                wish.now + limits.password_reset, std::nullopt});
  mail_to(db, *user, wish.mail);
  txn.commit();
}

std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now) {
  const auto reset =
      db.internals().read_one(reset_by_token, {{"hash", to_cell(token_hash)}, {"now", to_cell(now)}});
  if (!reset) return std::nullopt;
  auto user = find_user(db, reset->user_id);
  if (!user || user->deactivated || user->epoch != reset->epoch) return std::nullopt;
  return user;
}

std::optional<password_changed> change_password(session& db, const lease& held,
                                                const password_change& wanted) {
  write_transaction txn(db, held);
  const auto user = find_user(db, wanted.user_id);
  if (!user || user->deactivated) return std::nullopt;
  if (!wanted.reset_token_hash.empty() &&
      db.internals().write(use_reset, {{"hash", to_cell(wanted.reset_token_hash)},
                                       {"user", to_cell(user->id)},
                                       {"epoch", to_cell(wanted.epoch)},
                                       {"now", to_cell(wanted.now)}}) == 0)
    return std::nullopt;
  if (!replace_password(db, user->id, wanted.epoch, wanted.hash, wanted.now)) return std::nullopt;
  mail_to(db, *user, wanted.notice);
  append(db, {change_kind::credentials, {user->account_id}, {}, {}});
  txn.commit();
  return password_changed{user->id, wanted.epoch + 1};
}

} // namespace roost::store
