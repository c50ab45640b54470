#include "store/usage/ai_budgets.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/usage/costs.hpp"
#include "store/usage/usage_queries.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace roost::store {

namespace {

/// A correlated subquery, so that each account's totals are found by their key.
std::string budgets_text(const std::string& cost) {
  return "select {columns} from (select a.id, a.company_name, a.ai_budget, (select " + cost +
         " from ai_usage_days d where d.account_id = a.id and d.day between :first_day and :last_day) as cost"
         " from accounts a where a.ai_budget is not null and a.updated_at < :changed_before) as b";
}

const selection accounts_with_budget{"accounts_with_budget",
                                     {budgets_text(sum_of_costs), budgets_text(sum_of_cost_parts)},
                                     columns(column("id", &budget_warning::account_id),
                                             column("company_name", &budget_warning::company_name),
                                             column("ai_budget", &budget_warning::budget)),
                                     named<std::optional<std::string>>("cost")};

std::string month_cost_text(const std::string& cost) {
  return "select {columns} from (select " + cost +
         " as cost from ai_usage_days where account_id = :account and day between :first_day and :last_day)"
         " as m";
}

const selection cost_of_month{"cost_of_month",
                              {month_cost_text(sum_of_costs), month_cost_text(sum_of_cost_parts)},
                              named<std::optional<std::string>>("cost")};

/// A threshold that was reported.
struct reported_threshold {
  domain::uuid account_id{};
  domain::date month{};
  int threshold = 0;
  domain::timestamp warned_at{};
};
constexpr auto reported_key = columns(column("month", &reported_threshold::month).key(),
                                      column("account_id", &reported_threshold::account_id).key(),
                                      column("threshold", &reported_threshold::threshold).key());
constexpr auto reported_columns = columns(reported_key, column("warned_at", &reported_threshold::warned_at));
const auto reported_table = table_of<reported_columns>("ai_budget_warnings");
const auto reported_keys = table_of<reported_key>("ai_budget_warnings");
const selection reported_in_month{
    "reported_in_month", "select {columns} from ai_budget_warnings where month = :month", reported_columns};

const selection users_to_warn{
    "users_to_warn",
    "select {columns} from users where account_id in {accounts uuid}"
    " and not deactivated and role in {roles text} order by email",
    named<domain::uuid>("account_id"),
    columns(column("email", &warned_user::email), column("first_name", &warned_user::first_name))};

domain::date last_of_month(domain::date first) { return domain::add_months(first, 1) - domain::days{1}; }

/// What is to be written about an account and a month.
struct finding {
  budget_warning warning;                   ///< without thresholds if there is none
  std::vector<reported_threshold> outdated; ///< no longer reached
  std::vector<domain::outgoing_mail> mails = {};
};

/// Adds what is to be written about a month. Looks only at accounts whose settings changed before that time.
void check_month(session& db, domain::date month, domain::timestamp changed_before,
                 std::vector<finding>& to) {
  auto& connection = db.internals();
  std::map<domain::uuid, std::vector<reported_threshold>> reported;
  for (auto& each : connection.read_all(reported_in_month, {{"month", month}}))
    reported[each.account_id].push_back(each);
  connection.read(
      accounts_with_budget,
      {{"first_day", month}, {"last_day", last_of_month(month)}, {"changed_before", changed_before}},
      [&](budget_warning&& account, const std::optional<std::string>& cost) {
        if (cost) account.cost = parse_cost(*cost);
        account.month = month;
        auto& thresholds = account.thresholds;
        thresholds = domain::reached_thresholds(account.budget, account.cost);
        std::vector<reported_threshold> outdated;
        for (const auto& each : reported[account.account_id])
          if (std::erase(thresholds, each.threshold) == 0 &&
              std::ranges::count(account.budget.warn_at, each.threshold) > 0)
            outdated.push_back(each);
        if (!thresholds.empty() || !outdated.empty()) to.push_back({std::move(account), std::move(outdated)});
      });
}

std::vector<finding> check_months(session& db, domain::timestamp now) {
  constexpr domain::timestamp end_of_time = domain::no_end;
  const transaction snapshot(db, transaction::purpose::read);
  // With many budgets, PostgreSQL would compile the query each time, which takes longer than running it.
  if (!db.is_sqlite()) db.internals().script("no_jit", "set local jit = off");
  std::vector<finding> found;
  const auto month = domain::first_of_month(domain::day_of(now));
  check_month(db, month, end_of_time, found);
  if (now < month + late_usage_period) check_month(db, domain::add_months(month, -1), month, found);
  return found;
}

/// Adds the mails of the warnings. Drops warnings without a user to mail.
void add_mails(session& db, std::vector<finding>& found, const budget_check& check) {
  std::vector<domain::uuid> accounts;
  for (const auto& each : found)
    if (!each.warning.thresholds.empty()) accounts.push_back(each.warning.account_id);
  if (accounts.empty()) return;
  std::multimap<domain::uuid, warned_user> users;
  auto& connection = db.internals();
  connection.read(
      users_to_warn,
      {{"accounts", connection.list(std::span<const domain::uuid>(accounts))},
       {"roles", connection.list(std::span<const std::string>(check.roles))}},
      [&](const domain::uuid& account, warned_user&& user) { users.emplace(account, std::move(user)); });
  for (auto& [warning, outdated, mails] : found) {
    if (warning.thresholds.empty()) continue;
    const auto [first, last] = users.equal_range(warning.account_id);
    for (auto user = first; user != last; ++user) mails.push_back(check.mail(warning, user->second));
    warning.mails = mails.size();
    if (mails.empty()) warning.thresholds.clear();
  }
}

void write(session& db, const lease& held, const finding& found, domain::timestamp now) {
  const auto& warning = found.warning;
  write_transaction txn(db, held);
  limit_lock_waits(db); // an import may hold the account
  bulk_writer outdated(db, reported_keys, bulk_mode::erase);
  for (const auto& each : found.outdated) outdated.add(each);
  outdated.finish();
  // A threshold that is marked already violates the key, so that it is never reported twice.
  bulk_writer reported(db, reported_table, bulk_mode::insert);
  for (const auto threshold : warning.thresholds)
    reported.add({warning.account_id, warning.month, threshold, now});
  reported.finish();
  message_rows messages;
  for (const auto& mail : found.mails) messages.add(mail);
  insert(db, messages);
  txn.commit();
}

} // namespace

domain::decimal month_cost(session& db, const domain::uuid& account, domain::date month) {
  const auto cost = db.internals().read_one(
      cost_of_month, {{"account", account}, {"first_day", month}, {"last_day", last_of_month(month)}});
  return cost && *cost ? parse_cost(**cost) : domain::decimal{};
}

std::vector<budget_warning> warn_of_budgets(session& db, const lease& held, const budget_check& check) {
  auto found = check_months(db, check.now);
  add_mails(db, found, check);
  std::vector<budget_warning> warnings;
  std::exception_ptr failure;
  for (auto& each : found) {
    const bool is_warning = !each.warning.thresholds.empty();
    if (!is_warning && each.outdated.empty()) continue;
    try {
      write(db, held, each, check.now);
    } catch (const constraint_violated&) { // concerns only this account
      failure = std::current_exception();
      continue;
    } catch (const unavailable&) { // so may this, such as the lock of an import
      failure = std::current_exception();
      continue;
    }
    if (is_warning) warnings.push_back(std::move(each.warning));
  }
  if (failure && warnings.empty()) std::rethrow_exception(failure);
  return warnings;
}

} // namespace roost::store
