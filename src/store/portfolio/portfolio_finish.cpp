#include "store/database/change.hpp"
#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

namespace roost::store {

namespace {

constexpr query erase_units{"erase_units", "delete from units where id in {ids uuid}"};
constexpr query erase_properties{"erase_properties", "delete from properties where id in {ids uuid}"};

/// The ids that are not among `kept`, which stay; the others may go.
std::vector<domain::uuid> without(const std::vector<domain::uuid>& ids,
                                  const std::vector<domain::uuid>& kept) {
  const id_set stay(kept.begin(), kept.end());
  std::vector<domain::uuid> rest;
  for (const auto& id : ids)
    if (!stay.contains(id)) rest.push_back(id);
  return rest;
}

void archive(import_run& run, const record_table<archived_row>& table, const std::vector<domain::uuid>& ids) {
  bulk_writer rows(run.db, table, bulk_mode::update_changed);
  for (const auto& id : ids) rows.add({id, run.with.now});
  rows.finish();
}

void drop_left_out(import_run& run) {
  auto& connection = run.db.internals();
  const auto booked = units_with_bookings(run.db, run.left_out_units);
  const auto unbooked = without(run.left_out_units, booked);
  if (!unbooked.empty()) connection.write(erase_units, {{"ids", connection.list(unbooked)}});
  archive(run, tables::archived_units, booked);
  run.summary.removed_units = unbooked.size();
  run.summary.archived_units = booked.size();

  const auto inhabited = properties_with_units(run.db, run.left_out_properties);
  const auto empty = without(run.left_out_properties, inhabited);
  if (!empty.empty()) connection.write(erase_properties, {{"ids", connection.list(empty)}});
  archive(run, tables::archived_properties, inhabited);
}

/// Two rows may swap their texts, so all of them take a unique one first.
void give(import_run& run, const record_table<text_row>& table, const new_texts& texts) {
  bulk_writer parked(run.db, table, bulk_mode::update_changed),
      given(run.db, table, bulk_mode::update_changed);
  for (const auto& [id, text] : texts) parked.add({id, domain::to_string(id)});
  parked.finish();
  for (const auto& [id, text] : texts) given.add({id, text});
  given.finish();
}

/// From this many units on it matters that the first reads are not planned for empty tables.
constexpr std::size_t large_import = 5'000;

/// SQLite needs no statistics: it plans these reads better without them.
void gather_statistics(session::connection& connection) {
  if (connection.dialect() == dialect::postgresql)
    connection.script("analyze_portfolio", "analyze accounts, platform_cards, users, properties, units,"
                                           " unit_month_rents, booking_windows, links, exclusions, blocks");
}

} // namespace

void finish_import(import_run& run, account_span accounts) {
  auto& connection = run.db.internals();
  // From here to the end no group of decisions can begin: each reads the version's row first.
  run.summary.version = mark_changed(run.db, ids_of(accounts));
  drop_left_out(run);
  give(run, tables::unit_names, run.unit_names);
  give(run, tables::landlord_keys, run.landlord_keys);
  if (run.summary.units >= large_import) gather_statistics(connection);
}

} // namespace roost::store
