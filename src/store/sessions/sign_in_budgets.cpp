#include "store/sessions/sign_in_budgets.hpp"

#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr query insert_code{"insert_code",
                            "insert into sign_in_codes (id, user_id, sent_at) values (:id, :user, :now)"};
constexpr query insert_wrong_password{
    "insert_wrong_password",
    "insert into wrong_passwords (id, address_hash, tried_at) values (:id, :budget, :now)"};
constexpr query delete_wrong_passwords{"delete_wrong_passwords",
                                       "delete from wrong_passwords where address_hash = :budget"};

/// The number of uses in the window and the times of the first and the last.
struct budget_use {
  std::int64_t count = 0;
  std::optional<domain::timestamp> first, last;
};
constexpr auto wrong_password_use =
    columns(column("count(*)", &budget_use::count), column("min(tried_at)", &budget_use::first),
            column("max(tried_at)", &budget_use::last));
constexpr auto code_use =
    columns(column("count(*)", &budget_use::count), column("min(sent_at)", &budget_use::first),
            column("max(sent_at)", &budget_use::last));

/// Times in the future were written with a wrong clock. They are stored as now: otherwise they would stay in
/// the window until then.
constexpr query correct_wrong_passwords{
    "correct_wrong_passwords",
    "update wrong_passwords set tried_at = :now where address_hash = :budget and tried_at > :now"};
constexpr query correct_codes{
    "correct_codes", "update sign_in_codes set sent_at = :now where user_id = :user and sent_at > :now"};

const selection recent_wrong_passwords{"recent_wrong_passwords",
                                       "select {columns} from wrong_passwords where address_hash = :budget"
                                       " and tried_at > :since",
                                       wrong_password_use};
const selection recent_codes{"recent_codes",
                             "select {columns} from sign_in_codes where user_id = :user and sent_at > :since",
                             code_use};

bool is_in_future(const std::optional<budget_use>& use, domain::timestamp now) {
  return use && use->last && *use->last > now;
}

std::optional<rate_limited> over_budget(const std::optional<budget_use>& use, unsigned budget,
                                        domain::timestamp now) {
  if (!use || use->count < static_cast<std::int64_t>(budget) || !use->first) return std::nullopt;
  return rate_limited{
      std::max<std::chrono::milliseconds>(*use->first + budget_window - now, std::chrono::milliseconds{1})};
}

} // namespace

void record_code(session& db, const domain::uuid& id, const domain::uuid& user, domain::timestamp now) {
  db.internals().write(insert_code, {{"id", id}, {"user", user}, {"now", now}});
}

std::optional<rate_limited> codes_over_budget(session& db, const domain::uuid& user, domain::timestamp now,
                                              unsigned max_codes) {
  const parameters window{{"user", user}, {"since", now - budget_window}};
  auto sent = db.internals().read_one(recent_codes, window);
  if (is_in_future(sent, now)) {
    db.internals().write(correct_codes, {{"user", user}, {"now", now}});
    sent = db.internals().read_one(recent_codes, window);
  }
  return over_budget(sent, max_codes, now);
}

std::optional<rate_limited> passwords_over_budget(session& db, const std::optional<lease>& held,
                                                  std::string_view budget, domain::timestamp now,
                                                  unsigned max_wrong_passwords) {
  const parameters window{{"budget", budget}, {"since", now - budget_window}};
  auto tried = db.internals().read_one(recent_wrong_passwords, window);
  if (held && is_in_future(tried, now)) {
    write_transaction txn(db, *held);
    db.internals().write(correct_wrong_passwords, {{"budget", budget}, {"now", now}});
    tried = db.internals().read_one(recent_wrong_passwords, window);
    txn.commit();
  }
  return over_budget(tried, max_wrong_passwords, now);
}

void record_wrong_password(session& db, const lease& held, const domain::uuid& id, std::string_view budget,
                           domain::timestamp now) {
  write_transaction txn(db, held);
  db.internals().write(insert_wrong_password, {{"id", id}, {"budget", budget}, {"now", now}});
  txn.commit();
}

void clear_wrong_passwords(session& db, std::span<const std::string> budgets) {
  for (const auto& budget : budgets) db.internals().write(delete_wrong_passwords, {{"budget", budget}});
}

} // namespace roost::store
