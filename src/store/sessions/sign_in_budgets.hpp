#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// How many codes and wrong passwords are allowed in 15 minutes (Management API, Limits).
namespace roost::store {

/// The time window of the budgets for codes and wrong passwords.
inline constexpr std::chrono::minutes budget_window{15};

/// A budget is exhausted.
struct rate_limited {
  std::chrono::milliseconds retry_after{};
};
/// Returns whether the user got all codes of the window. Stores times in the future as now, so the caller
/// must commit even if the budget is exhausted.
std::optional<rate_limited> codes_over_budget(session& db, const domain::uuid& user, domain::timestamp now,
                                              unsigned max_codes);

/// Counts a code that is sent. Requires a transaction.
void record_code(session& db, const domain::uuid& id, const domain::uuid& user, domain::timestamp now);

/// Returns whether the budget, which is a hash, has no wrong passwords left. With the lease, it stores times
/// in the future as now. Throws lease_lost.
std::optional<rate_limited> passwords_over_budget(session& db, const std::optional<lease>& held,
                                                  std::string_view budget, domain::timestamp now,
                                                  unsigned max_wrong_passwords);

/// Counts a wrong password in a budget, in its own transaction. Throws lease_lost.
void record_wrong_password(session& db, const lease& held, const domain::uuid& id, std::string_view budget,
                           domain::timestamp now);

/// Forgets the wrong passwords in these budgets. Requires a transaction.
void clear_wrong_passwords(session& db, std::span<const std::string> budgets);

} // namespace roost::store
