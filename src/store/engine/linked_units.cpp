#include "store/engine/linked_units.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_tables.hpp"
#include "store/portfolio/stored_units.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// Reads a unit that is linked to the platform as `linked_as`, in its feed and not archived. If that is only
/// the first part of the requested ID, no unit of any account may be linked under the requested ID itself:
/// memory may not know yet that a room was linked.
const std::string select_linked =
    "select {columns} from units u join properties p on p.id = u.property_id"
    " join links l on l.unit_id = u.id and l.platform = :platform and l.external_id = :linked_as"
    " where u.id = :unit and not u.archived and not p.archived and not exists"
    " (select 1 from exclusions e where e.unit_id = u.id and e.platform = :platform)"
    " and (l.external_id = :requested_as or not exists"
    " (select 1 from links o where o.platform = :platform and o.external_id = :requested_as))";

const selection property_of_shown_unit{"property_of_shown_unit", select_linked, named<domain::uuid>("p.id")};

parameters link_of(const linked_unit& unit) {
  return {{"unit", unit.id},
          {"platform", unit.platform},
          {"linked_as", unit.linked_as},
          {"requested_as", unit.requested_as}};
}

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

/// Locks the unit's row for the transaction; skips it if it is locked already: the holder may be a long
/// import, and this transaction also locks the lease, whose renewal must not be delayed.
const selection editable_unit{"editable_unit", select_linked + " {for no key update of u skip locked}",
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

/// Returns the locked unit's terms; nullopt if it is not linked, or locked by another transaction.
std::optional<stored_terms> read_terms(session& db, const unit_edit& request) {
  auto& connection = db.internals();
  auto stored = connection.read_one(editable_unit, link_of(request.unit));
  if (stored)
    stored->terms.rent.per_month = connection.read_all(month_rents_of_unit, {{"unit", request.unit.id}});
  return stored;
}

/// Stores a varying rent as portfolio files do: as the amounts of its months, without an amount of its own.
domain::editable_terms terms_after(const domain::editable_terms& before, const unit_edit& request) {
  auto after = domain::edited(before, request.edit, request.now);
  if (!after.rent.fixed) after.rent.amount = {};
  return after;
}

void write_unit(session& db, const unit_edit& request, const domain::editable_terms& terms) {
  db.internals().write(write_terms, {{"unit", request.unit.id},
                                     {"rent_fixed", terms.rent.fixed},
                                     {"rent", terms.rent.amount},
                                     {"min_stay", terms.min_stay_months},
                                     {"max_stay", terms.max_stay_months},
                                     {"extra_price", terms.extra_price_per_tenant},
                                     {"now", request.now}});
}

std::vector<domain::block> read_blocks(session& db, const domain::uuid& unit) {
  return db.internals().read_all(blocks_of_unit, {{"unit", unit}});
}

constexpr auto changelog_columns =
    columns(column("id", &changelog_entry::id).key(), column("account_id", &changelog_entry::account_id),
            column("unit_id", &changelog_entry::unit_id), column("changed_at", &changelog_entry::changed_at),
            column("changed_by", &changelog_entry::changed_by), column("changes", &changelog_entry::changes));

struct changelog_row {
  const changelog_entry* entry;
  std::int64_t edit;
};
constexpr auto changelog_row_columns =
    columns(nested(&changelog_row::entry, changelog_columns), column("edit", &changelog_row::edit));
const auto changelog_table = table_of<changelog_row_columns>("changelog");

const selection select_changelog{
    "select_changelog",
    "select {columns} from changelog where unit_id = :unit order by edit desc limit :limit",
    changelog_columns};

/// What the edits of a transaction append to the store's logs.
struct edit_log {
  std::vector<change> changes;
  std::vector<changelog_entry> entries;
  std::vector<audit_entry> audit;
};

/// Writes the logs; returns the positions of the changes.
std::vector<stream_point> append(session& db, const edit_log& log) {
  record_audit(db, log.audit);
  auto points = append_all(db, log.changes);
  bulk_writer rows(db, changelog_table, bulk_mode::insert);
  for (std::size_t i = 0; i < points.size(); ++i) rows.add({&log.entries[i], points[i].position});
  rows.finish();
  return points;
}

constexpr auto edited_unit_columns =
    columns(column("id", &edited_unit::unit_id), column("account_id", &edited_unit::account_id),
            nested(&edited_unit::terms, editable_columns), column("updated_at", &edited_unit::updated_at));
const selection current_units{"current_units", "select {columns} from units where id in {ids uuid}",
                              edited_unit_columns};

constexpr auto housemate_columns = columns(column("first_name", &domain::housemate::first_name).of("t"),
                                           column("last_name", &domain::housemate::last_name).of("t"),
                                           column("nationality", &domain::housemate::nationality).of("t"),
                                           column("check_in", &domain::housemate::move_in).of("b"),
                                           column("check_out", &domain::housemate::move_out).of("b"));

const selection checked_in_tenants{
    "checked_in_tenants",
    "select {columns} from units u"
    " join bookings b on b.account_id = u.account_id and b.unit_id = u.id"
    " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
    " where u.property_id = :property and b.status = 'checked_in' order by b.check_in, b.created_at, b.id",
    housemate_columns};

/// Writes the terms, if they change, and adds to the log.
edit_outcome write_edit(session& db, const unit_edit& request, edit_log& log) {
  edit_outcome outcome;
  const auto stored = read_terms(db, request);
  outcome.found = stored || db.internals().read_one(property_of_shown_unit, link_of(request.unit));
  outcome.locked = outcome.found && !stored;
  if (!stored) return outcome;
  auto terms = terms_after(stored->terms, request);
  auto changes = domain::changes_between(stored->terms, terms);
  if (changes.empty()) return outcome;
  write_unit(db, request, terms);
  write_month_rents(db, request.unit.id, stored->terms.rent.per_month, terms.rent.per_month);
  const auto& account = stored->account_id;
  outcome.changed = {account, request.unit.id, std::move(terms), request.now,
                     read_blocks(db, request.unit.id)};
  log.changes.push_back({change_kind::unit, {account}, {request.unit.id}, {}});
  log.entries.push_back(
      {request.entry_id, account, request.unit.id, request.now, request.unit.platform, std::move(changes)});
  log.audit.push_back(request.audit);
  log.audit.back().account_id = account;
  return outcome;
}

} // namespace

std::vector<edited_unit> edited_units(session& db, std::span<const domain::uuid> units) {
  const transaction txn(db, transaction::purpose::read);
  auto edited = db.internals().read_all(current_units, {{"ids", db.internals().list(units)}});
  for (auto& unit : edited) {
    unit.terms.rent.per_month = db.internals().read_all(month_rents_of_unit, {{"unit", unit.unit_id}});
    unit.blocks = read_blocks(db, unit.unit_id);
  }
  return edited;
}

std::vector<edit_outcome> edit_units(session& db, const lease& held, std::span<const unit_edit> requests) {
  write_transaction txn(db, held);
  refuse_while_importing(db);
  std::vector<edit_outcome> outcomes;
  edit_log log;
  for (const auto& request : requests) outcomes.push_back(write_edit(db, request, log));
  if (log.changes.empty()) {
    for (auto& outcome : outcomes) outcome.point = newest_point(db);
    return outcomes;
  }
  const auto points = append(db, log);
  auto next = points.begin();
  for (auto& outcome : outcomes) outcome.point = outcome.changed ? *next++ : points.back();
  txn.commit();
  return outcomes;
}

std::vector<changelog_entry> changelog_of(session& db, const domain::uuid& unit_id, std::size_t limit) {
  return db.internals().read_all(select_changelog, {{"unit", unit_id}, {"limit", limit}});
}

std::optional<std::vector<domain::housemate>> housemates_of(session& db, const linked_unit& unit) {
  transaction txn(db, transaction::purpose::read);
  const auto property = db.internals().read_one(property_of_shown_unit, link_of(unit));
  if (!property) return std::nullopt;
  auto residents = db.internals().read_all(checked_in_tenants, {{"property", *property}});
  txn.commit();
  return residents;
}

} // namespace roost::store
