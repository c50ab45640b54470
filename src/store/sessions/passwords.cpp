#include "store/sessions/passwords.hpp"

#include "store/database/change_stream.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"

#include <utility>

namespace roost::store {

namespace {

constexpr query insert_reset{
    "insert_reset", "insert into password_resets (id, token_hash, user_id, epoch, created_at, expires_at)"
                    " values (:id, :hash, :user, :epoch, :now, :expires_at)"};

const selection recent_resets{"recent_resets",
                              "select {columns} from password_resets where user_id = :user"
                              " and created_at > :since",
                              named<std::int64_t>("count(*)")};
const selection reset_by_token{"reset_by_token",
                               "select {columns} from password_resets where token_hash = :hash"
                               " and used_at is null and expires_at > :now",
                               named<domain::uuid>("user_id"), named<std::int64_t>("epoch")};
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
  db.internals().write(insert_reset, {{"id", request.id},
                                      {"hash", request.token_hash},
                                      {"user", user->id},
                                      {"epoch", user->epoch},
                                      {"now", request.now},
                                      {"expires_at", request.now + limits.password_reset}});
  insert_message(db, request.mail(*user));
  txn.commit();
}

std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now) {
  std::optional<std::pair<domain::uuid, std::int64_t>> link; // the user and the epoch for which it was sent
  db.internals().read(reset_by_token, {{"hash", token_hash}, {"now", now}},
                      [&](const domain::uuid& user_id, std::int64_t epoch) {
                        link = {user_id, epoch};
                      });
  if (!link) return std::nullopt;
  auto user = find_user(db, link->first);
  if (!user || user->deactivated || user->epoch != link->second) return std::nullopt;
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
