#include "store/engine/unit_edits.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/engine/unit_edits.hpp"
#include "store/portfolio/portfolio_columns.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>

namespace roost::store {

namespace {

struct stored_terms {
  domain::uuid account_id{};
  domain::editable_terms terms;
};

constexpr auto editable_columns =
    columns(nested(&domain::editable_terms::rent, rent_columns),
            column("min_stay_months", &domain::editable_terms::min_stay_months),
            column("max_stay_months", &domain::editable_terms::max_stay_months),
            column("extra_price_per_tenant_cents", &domain::editable_terms::extra_price_per_tenant));
constexpr auto stored_terms_columns =
    columns(column("account_id", &stored_terms::account_id), nested(&stored_terms::terms, editable_columns));

/// The unit's row is held until the end. It is not waited for: whoever has it may be a long import, and the
/// lease, which this transaction holds too, must not be kept from its renewal.
const selection editable_unit{
    "editable_unit",
    {"select {columns} from units u join properties p on p.id = u.property_id"
     " join links l on l.unit_id = u.id and l.platform = :platform and l.external_id = :linked_as"
     " where u.id = :unit and not u.archived and not p.archived and not exists"
     " (select 1 from exclusions e where e.unit_id = u.id and e.platform = :platform)"
     " for no key update of u nowait",
     "select {columns} from units u join properties p on p.id = u.property_id"
     " join links l on l.unit_id = u.id and l.platform = :platform and l.external_id = :linked_as"
     " where u.id = :unit and not u.archived and not p.archived and not exists"
     " (select 1 from exclusions e where e.unit_id = u.id and e.platform = :platform)"},
    stored_terms_columns.of("u")};

const selection month_rents_of_unit{
    "month_rents_of_unit", "select {columns} from unit_month_rents where unit_id = :unit order by month",
    month_rent_columns};

const selection blocks_of_unit{"blocks_of_unit",
                               "select {columns} from blocks where unit_id = :unit order by first_night, id",
                               block_columns};

constexpr query write_terms{
    "write_terms",
    "update units set rent_fixed = :rent_fixed, rent_cents = :rent, min_stay_months = :min_stay,"
    " max_stay_months = :max_stay, extra_price_per_tenant_cents = :extra_price, updated_at = :now where id = "
    ":unit"};

std::optional<stored_terms> read_terms(session& db, const unit_edit& wanted) {
  auto& connection = db.internals();
  const auto unit = to_cell(wanted.unit_id);
  auto found = connection.read_one(
      editable_unit,
      {{"unit", unit}, {"platform", to_cell(wanted.platform)}, {"linked_as", to_cell(wanted.linked_as)}});
  if (found) found->terms.rent.per_month = connection.read_all(month_rents_of_unit, {{"unit", unit}});
  return found;
}

/// A rent that varies is stored as portfolio files say it: with its months' amounts and none of its own.
domain::editable_terms terms_after(const domain::editable_terms& before, const unit_edit& wanted) {
  auto after = domain::edited(before, wanted.edit, wanted.now);
  if (!after.rent.fixed) after.rent.amount = {};
  return after;
}

/// Month by month, so that each keeps the times of its own.
void write_month_rents(session& db, const unit_edit& wanted, const domain::editable_terms& before,
                       const domain::editable_terms& after) {
  bulk_writer gone(db, tables::month_rents, bulk_mode::erase),
      added(db, tables::month_rents, bulk_mode::insert),
      changed(db, tables::month_rents, bulk_mode::update_changed);
  const auto add = [&](auto& to, const domain::month_rent& each) { to.add({wanted.unit_id, &each}); };
  const auto is_in = [](const domain::editable_terms& terms, unsigned month) {
    return std::ranges::find(terms.rent.per_month, month, &domain::month_rent::month) !=
           terms.rent.per_month.end();
  };
  for (const auto& each : before.rent.per_month)
    if (!is_in(after, each.month)) add(gone, each);
  for (const auto& each : after.rent.per_month) add(is_in(before, each.month) ? changed : added, each);
  gone.finish();
  changed.finish();
  added.finish();
}

void write_unit(session& db, const unit_edit& wanted, const domain::editable_terms& terms) {
  db.internals().write(write_terms, {{"unit", to_cell(wanted.unit_id)},
                                     {"rent_fixed", to_cell(terms.rent.fixed)},
                                     {"rent", to_cell(terms.rent.amount)},
                                     {"min_stay", to_cell(terms.min_stay_months)},
                                     {"max_stay", to_cell(terms.max_stay_months)},
                                     {"extra_price", to_cell(terms.extra_price_per_tenant)},
                                     {"now", to_cell(wanted.now)}});
}

std::vector<domain::block> read_blocks(session& db, const domain::uuid& unit) {
  return db.internals().read_all(blocks_of_unit, {{"unit", to_cell(unit)}});
}

constexpr auto edited_unit_columns =
    columns(column("id", &edited_unit::unit_id), column("account_id", &edited_unit::account_id),
            nested(&edited_unit::terms, editable_columns), column("updated_at", &edited_unit::updated_at));
const selection units_now{"units_now", "select {columns} from units where id in {ids uuid}",
                          edited_unit_columns};

} // namespace

std::vector<edited_unit> edited_units(session& db, std::span<const domain::uuid> units) {
  const transaction txn(db, transaction::purpose::read);
  auto found = db.internals().read_all(units_now, {{"ids", db.internals().list(units)}});
  for (auto& each : found) {
    each.terms.rent.per_month =
        db.internals().read_all(month_rents_of_unit, {{"unit", to_cell(each.unit_id)}});
    each.blocks = read_blocks(db, each.unit_id);
  }
  return found;
}

edit_outcome edit_unit(session& db, const lease& held, const unit_edit& wanted) {
  write_transaction txn(db, held);
  refuse_while_importing(db);
  edit_outcome outcome;
  const auto stored = read_terms(db, wanted);
  outcome.found = stored.has_value();
  if (!stored) return outcome;
  auto terms = terms_after(stored->terms, wanted);
  auto changes = domain::changes_between(stored->terms, terms);
  if (changes.empty()) {
    outcome.point = newest_point(db);
    return outcome;
  }
  write_unit(db, wanted, terms);
  write_month_rents(db, wanted, stored->terms, terms);
  outcome.changed = {stored->account_id, wanted.unit_id, std::move(terms), wanted.now,
                     read_blocks(db, wanted.unit_id)};
  outcome.point = append(db, {change_kind::unit, {stored->account_id}, {wanted.unit_id}, {}});
  add_changelog_entry(
      db,
      {wanted.entry_id, stored->account_id, wanted.unit_id, wanted.now, wanted.platform, std::move(changes)},
      outcome.point.position);
  txn.commit();
  return outcome;
}

} // namespace roost::store
