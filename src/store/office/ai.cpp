#include "store/office/ai.hpp"

#include "store/audit/audit.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/usage/ai_budgets.hpp"

#include <array>
#include <utility>

namespace roost::store {

namespace {

const selection ai_of_office{"ai_of_office", "select {columns} from accounts where id = :id",
                             columns(column("id", &office_ai::account_id),
                                     column("ai_areas", &office_ai::settings, &ai_settings::areas),
                                     column("ai_budget", &office_ai::settings, &ai_settings::budget),
                                     column("updated_at", &office_ai::updated_at))};

void add_usage(office_ai& to, domain::date month, domain::decimal cost) {
  const auto& budget = to.settings.budget;
  auto reached = budget ? domain::reached_thresholds(*budget, cost) : std::vector<int>{};
  to.usage = {month, std::move(cost), std::move(reached)};
}

/// The AI settings of accounts as a kind of resource (office_resource.hpp): they are only changed.
struct ai_resource {
  using resource = office_ai;

  static domain::uuid id_of(const office_ai& ai) { return ai.account_id; }

  static bool lock(session& db, const office_scope& scope, const domain::uuid&) {
    lock_account(db, scope);
    return true;
  }

  static office_ai read(session& db, const office_scope&, const domain::uuid& id) {
    return db.internals().read_one(ai_of_office, {{"id", id}}).value();
  }

  static std::optional<office_refusal> refusal_of(session&, const office_scope&, const office_ai*,
                                                  const office_ai&) {
    return std::nullopt;
  }

  /// Imports compare the account as a whole, so its mark covers these settings.
  static office_trace update(session& db, const office_scope& scope, const office_ai& before,
                             const office_ai& after, const office_author& author) {
    const auto& account = scope.account_id;
    const auto &from = before.settings, &to = after.settings;
    if (from.areas != to.areas) write_ai_areas(db, account, to.areas);
    if (from.budget != to.budget) write_ai_budget(db, account, to.budget, author.now);
    return {ai_settings_change(account), {}, {{{}, office_part::account, account}}};
  }

  /// The command that sets an area leaves no mark, and the account's mark may be about other settings.
  static last_change last_change_of(session& db, const office_scope& scope, const office_ai& ai) {
    const std::array<std::string, 2> actions{ai_settings_edit, ai_area_set};
    const auto entry = newest_audit_of(db, actions, scope.account_id);
    const auto mark = find_mark(db, office_part::account, scope.account_id);
    const bool is_imported_later = !mark || mark->changed_at < ai.updated_at;
    if (!entry || (is_imported_later && entry->made_at < ai.updated_at))
      return {changed_by_import, ai.updated_at};
    return {author_of(*entry), entry->made_at};
  }
};

} // namespace

std::optional<office_ai> find_office_ai(session& db, const office_scope& scope, domain::date month) {
  const transaction snapshot(db, transaction::purpose::read);
  auto found = db.internals().read_one(ai_of_office, {{"id", scope.account_id}});
  if (found) add_usage(*found, month, month_cost(db, scope.account_id, month));
  return found;
}

office_outcome<office_ai> change_office_ai(session& db, const lease& held, const office_scope& scope,
                                           const office_change<office_ai>& request,
                                           const office_author& author, domain::date month) {
  auto cost = month_cost(db, scope.account_id, month); // before the write, so that no failure follows it
  auto done = office_resource<ai_resource>::change(db, held, scope, request, author);
  add_usage(done.resource, month, std::move(cost));
  return done;
}

} // namespace roost::store
