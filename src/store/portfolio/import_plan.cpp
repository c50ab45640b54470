#include "store/portfolio/import_plan.hpp"

#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_conflicts.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_steps.hpp"

namespace roost::store {

namespace {

const selection known_usage{"known_usage", "select {columns} from ai_usage where id in {ids uuid}",
                            named<domain::uuid>("id")};

/// Drops what bulk writers write during its lifetime.
class dropped_rows {
public:
  explicit dropped_rows(session& db) : db_(db) {
    db_.internals().divert_rows([](const auto&...) {});
  }
  ~dropped_rows() { db_.internals().divert_rows({}); }
  dropped_rows(const dropped_rows&) = delete;
  dropped_rows& operator=(const dropped_rows&) = delete;

private:
  session& db_;
};

/// Those that are known already are skipped when they are written.
void note_usage(session& db, const domain::portfolio_account& wanted, import_notes& notes) {
  std::vector<domain::uuid> ids;
  for (const auto& record : wanted.ai_usage) ids.push_back(record.id);
  if (ids.empty()) return;
  const auto known = db.internals().read_all(known_usage, {{"ids", db.internals().list(ids)}});
  const id_set there(known.begin(), known.end());
  for (const auto& id : ids)
    if (!there.contains(id)) notes.add({import_action::added, portfolio_part::usage_record, id});
}

} // namespace

std::vector<std::string> plan_import(session& db, const domain::portfolio& file, const import_context& with,
                                     const std::function<void(const planned_account&)>& take) {
  transaction txn(db, transaction::purpose::read);
  refuse_while_importing(db);
  auto problems = portfolio_conflicts(db, file);
  if (!problems.empty()) return problems;
  for (const auto& wanted : file.accounts) {
    std::optional<domain::portfolio_account> stored;
    if (auto found = read_account(db, wanted.details.id)) stored = std::move(found->account);
    import_run run{db, with};
    run.notes.keeps_changes = true;
    {
      const dropped_rows nothing(db);
      import_rows(run, {&wanted, 1});
    }
    note_usage(db, wanted, run.notes);
    take({wanted, stored, run.notes.changes});
  }
  txn.commit();
  return problems;
}

} // namespace roost::store
