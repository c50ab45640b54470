#pragma once

#include "domain/ai_budget.hpp"
#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

/// Budgets for AI calls: the costs of a month, and the thresholds that they have reached.
namespace roost::store {

/// Returns the costs of an account's calls in the month that begins on this day.
domain::decimal month_cost(session& db, const domain::uuid& account, domain::date month);

/// How long into a month the thresholds of the previous one are checked, for records that arrive late.
inline constexpr std::chrono::days late_usage_period{3};

/// Thresholds of an account's budget that a month's costs have reached.
struct budget_warning {
  domain::uuid account_id{};
  std::string company_name;
  domain::date month{}; ///< its first day
  domain::ai_budget budget;
  domain::decimal cost;
  std::vector<int> thresholds; ///< that were not reported before, ascending
  std::size_t mails = 0;       ///< the number of users who are mailed
};

struct warned_user {
  std::string email, first_name;
};

struct budget_check {
  domain::timestamp now{};
  std::vector<std::string> roles; ///< those whose active users are mailed
  std::function<domain::outgoing_mail(const budget_warning&, const warned_user&)> mail;
};

/// Writes a mail for each user to warn to the outbox, and marks the thresholds as reported, in one
/// transaction for each account: if the database rejects it, or another transaction holds the account, the
/// others are warned nevertheless. Each
/// threshold is reported once a month; one that the costs no longer reach, because the budget was raised, can
/// be reported again. Checks the month of `now`. In its first days it also checks the previous month, for
/// accounts whose settings have not changed since: a new budget does not apply to a month that is over. A
/// warning without users to mail stays due. Reads daily totals of accounts with a budget only. Throws
/// lease_lost, and the failure of an account if nothing else was written.
std::vector<budget_warning> warn_of_budgets(session& db, const lease& held, const budget_check& check);

} // namespace roost::store
