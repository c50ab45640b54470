#include "store/office/history.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/office/units.hpp"

#include <limits>

namespace roost::store {

namespace {

constexpr auto unit_change_columns =
    columns(column("id", &unit_change::id), column("coalesce(subject_id, unit_id)", &unit_change::subject_id),
            column("changed_at", &unit_change::at), column("changed_by", &unit_change::by),
            column("changes", &unit_change::changes), column("edit", &unit_change::edit));
const std::string shown_changes =
    "select {columns} from changelog where unit_id = :unit"
    " and (:bookings = 'true' or not exists (select 1 from bookings b where b.id = subject_id))";
const selection unit_change_page{"unit_change_page",
                                 shown_changes + " and edit < :before order by edit desc limit :limit",
                                 unit_change_columns};
const selection unit_change_count{"unit_change_count", shown_changes, named<std::int64_t>("count(*)")};

} // namespace

office_page<audit_entry> list_account_audit(session& db, const audit_filter& filter,
                                            const std::optional<audit_place>& after, std::size_t limit,
                                            with_total counted) {
  const transaction txn(db, transaction::purpose::read);
  const auto total = counted == with_total::yes ? count_audit(db, filter) : 0;
  return page_of(list_audit(db, filter, after, limit + 1), limit, total);
}

std::optional<office_page<unit_change>> list_unit_changes(session& db, const office_scope& scope,
                                                          const domain::uuid& unit,
                                                          const std::optional<std::int64_t>& before,
                                                          std::size_t limit, with_total counted,
                                                          with_bookings shown) {
  const transaction txn(db, transaction::purpose::read);
  if (!is_unit_in_scope(db, scope, unit)) return std::nullopt;
  parameters values{{"unit", unit}, {"bookings", shown == with_bookings::yes ? "true" : "false"}};
  std::int64_t total = 0;
  if (counted == with_total::yes) total = db.internals().read_one(unit_change_count, values).value_or(0);
  values.emplace_back("before", before.value_or(std::numeric_limits<std::int64_t>::max()));
  values.emplace_back("limit", limit + 1);
  return page_of(db.internals().read_all(unit_change_page, values), limit, total);
}

} // namespace roost::store
