#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/import_changes.hpp"
#include "store/portfolio/import_context.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// What an import would do to an account.
struct planned_account {
  const domain::portfolio_account& wanted;
  /// As it is now; nothing: it is new. Usage records are left out.
  const std::optional<domain::portfolio_account>& stored;
  /// What the import's steps decide: all that is added, removed or archived, and changes of what has no id.
  /// What stands in both with the same id is written where it differs.
  const std::vector<import_change>& decided;
};

/// Tells account by account what import_portfolio() would do, without writing anything: the import's own
/// steps run on one snapshot of the store, and what they want to write is dropped. Returns the conflicts with
/// other accounts of the store; if there are any, `take` is not called. Throws unavailable while an import is
/// pending.
std::vector<std::string> plan_import(session& db, const domain::portfolio& file, const import_context& with,
                                     const std::function<void(const planned_account&)>& take);

} // namespace roost::store
