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

constexpr query invalidate_resets{
    "invalidate_resets",
    "update password_resets set used_at = :now where user_id = :user and used_at is null"};
const selection recent_resets{"recent_resets",
                              "select {columns} from password_resets where user_id = :user"
                              " and created_at > :since",
                              named<std::int64_t>("count(*)")};
/// Times in the future were written with a wrong clock. Such links would stay in the window, and valid, until
/// then.
constexpr query correct_resets{"correct_resets",
                               "update password_resets set created_at = :now, expires_at = :expires_at"
                               " where user_id = :user and created_at > :now"};
const selection reset_by_token{"reset_by_token",
                               "select {columns} from password_resets where token_hash = :hash"
                               " and used_at is null and expires_at > :now",
                               named<domain::uuid>("user_id"), named<std::int64_t>("epoch")};
constexpr query use_reset{
    "use_reset", "update password_resets set used_at = :now where token_hash = :hash"
                 " and user_id = :user and epoch = :epoch and used_at is null and expires_at > :now"};

/// Returns whether the user has received fewer than the permitted number of links lately.
bool may_be_mailed(session& db, const domain::uuid& user, domain::timestamp now,
                   const domain::sign_in_limits& limits) {
  const auto sent = db.internals().read_one(recent_resets, {{"user", user}, {"since", now - budget_window}});
  return sent.value_or(0) < static_cast<std::int64_t>(limits.codes_per_15m);
}

void mail_link(session& db, const sign_in_user& user, const reset_request& request,
               domain::timestamp expires_at) {
  db.internals().write(insert_reset, {{"id", request.id},
                                      {"hash", request.token_hash},
                                      {"user", user.id},
                                      {"epoch", user.epoch},
                                      {"now", request.now},
                                      {"expires_at", expires_at}});
  insert_message(db, request.mail(user));
}

/// Returns the user's live connections, after ending them if `end` is set; `by` is user or operator.
/// Invalidates codes that are not exchanged yet, because the list would lack their connections.
connected_assistants assistants_of(session& db, const domain::uuid& user, domain::timestamp now, bool end,
                                   std::string_view by) {
  expire_codes(db, user, now);
  if (end) return {end_all_connections(db, user, now, by), true};
  connected_assistants live;
  for (auto& each : live_connections(db, now, user)) live.connections.push_back(std::move(each.connection));
  return live;
}

/// Appends the change of a user's password, after which the user's earlier sessions are invalid.
stream_point append_change(session& db, const domain::uuid& account, const connected_assistants& assistants) {
  change ends{.accounts = {account}};
  if (assistants.ended)
    for (const auto& each : assistants.connections) ends.subjects.push_back(each.id);
  return append(db, ends);
}

} // namespace

void send_reset(session& db, const lease& held, std::string_view email, const reset_request& request,
                const domain::sign_in_limits& limits) {
  write_transaction txn(db, held);
  const auto user = lock_user(db, email); // the office may be changing the address
  if (!user || user->deactivated) return;
  const auto expires_at = request.now + limits.password_reset;
  db.internals().write(correct_resets,
                       {{"user", user->id}, {"now", request.now}, {"expires_at", expires_at}});
  if (may_be_mailed(db, user->id, request.now, limits)) mail_link(db, *user, request, expires_at);
  txn.commit();
}

void send_invitation(session& db, const domain::uuid& user, const reset_request& request,
                     domain::timestamp expires_at, const domain::sign_in_limits& limits) {
  const auto invited = find_user(db, user);
  if (!invited || invited->deactivated || invited->password_hash || invited->identity_subject) return;
  if (may_be_mailed(db, user, request.now, limits)) mail_link(db, *invited, request, expires_at);
}

void invalidate_links(session& db, const domain::uuid& user, domain::timestamp now) {
  db.internals().write(invalidate_resets, {{"user", user}, {"now", now}});
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
  if (change.budgets) clear_wrong_passwords(db, change.budgets(*user));
  const auto assistants = assistants_of(db, user->id, change.now, change.end_connections, "user");
  insert_message(db, change.notice(*user, assistants));
  password_changed changed{user->id, change.epoch + 1};
  if (assistants.ended) changed.ended_connections = assistants.connections;
  append_change(db, user->account_id, assistants);
  txn.commit();
  return changed;
}

std::optional<password_set> set_user_password(session& db, std::string_view email, std::string_view hash,
                                              domain::timestamp now, const budgets_of_user& budgets,
                                              bool end_connections) {
  transaction txn(db, transaction::purpose::write);
  const auto user = find_user(db, email);
  if (!user || !replace_password(db, user->id, user->epoch, hash, now)) return std::nullopt;
  if (budgets) clear_wrong_passwords(db, budgets(*user));
  auto assistants = assistants_of(db, user->id, now, end_connections, "operator");
  const auto change = append_change(db, user->account_id, assistants);
  txn.commit();
  return password_set{change, std::move(assistants)};
}

} // namespace roost::store
