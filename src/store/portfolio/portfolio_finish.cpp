#include "store/database/change_stream.hpp"
#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <chrono>
#include <thread>

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

/// Two rows may swap their texts, so all of them take a unique one first.
void give(import_run& run, const record_table<text_row>& table, const new_texts& texts) {
  bulk_writer parked(run.db, table, bulk_mode::update_changed),
      given(run.db, table, bulk_mode::update_changed);
  for (const auto& [id, text] : texts) parked.add({id, domain::to_string(id)});
  parked.finish();
  for (const auto& [id, text] : texts) given.add({id, text});
  given.finish();
}

/// Row locks for some of the rows are given back, and tried for again in a while: a transaction that has the
/// others may wait for one of these.
constexpr std::chrono::milliseconds next_try{10};
constexpr std::chrono::seconds hold_patience{10};

const selection hold_units{"hold_units",
                           "select {columns} from units where id in {ids uuid} for update skip locked",
                           named<int>("1")};
const selection hold_accounts{"hold_accounts",
                              "select {columns} from accounts where id in {ids uuid} for update skip locked",
                              named<int>("1")};

bool holds_all(session::connection& connection, const selection<named<int>>& hold,
               const std::vector<domain::uuid>& ids) {
  return ids.empty() || connection.read_all(hold, {{"ids", connection.list(ids)}}).size() == ids.size();
}

std::vector<domain::uuid> ids_of(const new_texts& texts) {
  std::vector<domain::uuid> ids;
  for (const auto& [id, text] : texts) ids.push_back(id);
  return ids;
}

} // namespace

void hold_keys(const import_run& run) {
  auto& connection = run.db.internals();
  if (connection.dialect() == dialect::sqlite) return;
  const id_set wanted_units = [&] {
    id_set all(run.left_out_units.begin(), run.left_out_units.end());
    for (const auto& [id, text] : run.unit_names) all.insert(id);
    return all;
  }();
  const std::vector<domain::uuid> units(wanted_units.begin(), wanted_units.end());
  const auto accounts = ids_of(run.landlord_keys);
  const auto give_up = std::chrono::steady_clock::now() + hold_patience;
  for (connection.script("begin_hold", "savepoint hold");
       !holds_all(connection, hold_accounts, accounts) || !holds_all(connection, hold_units, units);
       connection.script("end_hold", "rollback to savepoint hold"), std::this_thread::sleep_for(next_try))
    if (std::chrono::steady_clock::now() > give_up)
      throw unavailable("units that the import removes or renames are being booked all the time");
}

void drop_left_out(session& db, const import_end& end) {
  auto& connection = db.internals();
  const auto booked = units_with_bookings(db, end.left_out_units);
  const auto unbooked = without(end.left_out_units, booked);
  if (!unbooked.empty()) connection.write(erase_units, {{"ids", connection.list(unbooked)}});
  archive(db, tables::archived_units, booked, end.now);

  const auto inhabited = properties_with_units(db, end.left_out_properties);
  const auto empty = without(end.left_out_properties, inhabited);
  if (!empty.empty()) connection.write(erase_properties, {{"ids", connection.list(empty)}});
  archive(db, tables::archived_properties, inhabited, end.now);
}

void give_texts(import_run& run) {
  give(run, tables::unit_names, run.unit_names);
  give(run, tables::landlord_keys, run.landlord_keys);
}

void note_import(session& db, const import_end& end, import_summary& summary) {
  summary.change = append(db, {change_kind::account, end.accounts, {}, {}});
}

} // namespace roost::store
