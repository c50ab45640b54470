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

void archive(session& db, const record_table<archived_row>& table, const std::vector<domain::uuid>& ids,
             domain::timestamp now) {
  bulk_writer rows(db, table, bulk_mode::update_changed);
  for (const auto& id : ids) rows.add({id, now});
  rows.finish();
}

void drop_left_out(session& db, const import_end& end, import_summary& summary) {
  auto& connection = db.internals();
  const auto booked = units_with_bookings(db, end.left_out_units);
  const auto unbooked = without(end.left_out_units, booked);
  if (!unbooked.empty()) connection.write(erase_units, {{"ids", connection.list(unbooked)}});
  archive(db, tables::archived_units, booked, end.now);
  summary.removed_units = unbooked.size();
  summary.archived_units = booked.size();

  const auto inhabited = properties_with_units(db, end.left_out_properties);
  const auto empty = without(end.left_out_properties, inhabited);
  if (!empty.empty()) connection.write(erase_properties, {{"ids", connection.list(empty)}});
  archive(db, tables::archived_properties, inhabited, end.now);
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

} // namespace

void give_texts(import_run& run) {
  give(run, tables::unit_names, run.unit_names);
  give(run, tables::landlord_keys, run.landlord_keys);
}

void end_import(session& db, const import_end& end, import_summary& summary) {
  summary.version = mark_changed(db, end.accounts);
  drop_left_out(db, end, summary);
}

} // namespace roost::store
