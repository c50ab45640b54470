#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "store/office/office_write.hpp"
#include "store/sessions/ai_settings.hpp"

#include <optional>
#include <string>
#include <vector>

/// What an account's assistants may do, and its budget for AI calls, as the office reads and writes them.
namespace roost::store {

/// The usage of the current month. It is no part of the settings' state.
struct ai_month {
  domain::date month{}; ///< its first day
  domain::decimal cost;
  std::vector<int> reached; ///< the thresholds of the budget, in hundredths of it

  friend bool operator==(const ai_month&, const ai_month&) = default;
};

struct office_ai {
  domain::uuid account_id{};
  ai_settings settings;
  domain::timestamp updated_at{}; ///< of the account, except for its areas
  ai_month usage;
};

/// Returns the settings with the usage of the month that begins on this day.
std::optional<office_ai> find_office_ai(session& db, const office_scope& scope, domain::date month);

/// The action of change_office_ai() in the audit log.
inline constexpr const char* ai_settings_edit = "AI settings change";

/// As for units (store/office/units.hpp). Owners see no whole account: the caller must not have one. The
/// outcome has the usage of the month that begins on this day.
office_outcome<office_ai> change_office_ai(session& db, const lease& held, const office_scope& scope,
                                           const office_change<office_ai>& request,
                                           const office_author& author, domain::date month);

} // namespace roost::store
