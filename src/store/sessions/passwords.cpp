#include "store/sessions/passwords.hpp"

#include "store/database/bulk.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

struct password_reset_row {
  domain::uuid id{};
  std::string token_hash;
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< of the user: changing the password invalidates the link
  domain::timestamp created_at{};
  domain::timestamp expires_at{};
  std::optional<domain::timestamp> used_at;
};

constexpr auto password_reset_columns = columns(
    column("id", &password_reset_row::id).key(), column("token_hash", &password_reset_row::token_hash),
    column("user_id", &password_reset_row::user_id), column("epoch", &password_reset_row::epoch),
    column("created_at", &password_reset_row::created_at),
    column("expires_at", &password_reset_row::expires_at), column("used_at", &password_reset_row::used_at));

const auto password_resets = table_of<password_reset_columns>("password_resets");

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

} // namespace

void send_reset(session& db, const lease& held, std::string_view email, const reset_request& request,
                const sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = find_user(db, email);
  if (!user || user->deactivated) return;
  const auto sent =
      db.internals().read_one(recent_resets, {{"user", user->id}, {"since", request.now - budget_window}});
  if (sent.value_or(0) >= static_cast<std::int64_t>(limits.codes_per_15m)) return;
  insert_row(db, password_resets,
             {request.id, request.token_hash, user->id, user->epoch, request.now,
              request.now + limits.password_reset, std::nullopt});
  insert_message(db, request.mail(*user));
  txn.commit();
}

std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now) {
  const auto reset = db.internals().read_one(reset_by_token, {{"hash", token_hash}, {"now", now}});
  if (!reset) return std::nullopt;
  auto user = find_user(db, reset->user_id);
  if (!user || user->deactivated || user->epoch != reset->epoch) return std::nullopt;
  return user;
}

std::optional<password_changed> change_password(session& db, const lease& held,
                                                const password_change& change) {
  write_transaction txn(db, held);
  const auto user = find_user(db, change.user_id);
  if (!user || user->deactivated) return std::nullopt;
  if (!change.reset_token_hash.empty() && db.internals().write(use_reset, {{"hash", change.reset_token_hash},
                                                                           {"user", user->id},
                                                                           {"epoch", change.epoch},
                                                                           {"now", change.now}}) == 0)
    return std::nullopt;
  if (!replace_password(db, user->id, change.epoch, change.hash, change.now)) return std::nullopt;
  insert_message(db, change.notice(*user));
  append(db, {.accounts = {user->account_id}});
  txn.commit();
  return password_changed{user->id, change.epoch + 1};
}

} // namespace roost::store
