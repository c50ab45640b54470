#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <set>

namespace roost::store {

namespace {

constexpr std::size_t units_a_progress = 1000;

void write_properties(import_run& run, account_span accounts, const by_id<stored_property>& stored) {
  bulk_writer added(run.db, tables::properties, bulk_mode::insert);
  bulk_writer changed(run.db, tables::properties, bulk_mode::update_changed);
  for (const auto& account : accounts)
    for (const auto& each : account.properties) {
      const bool is_new = !stored.contains(each.details.id);
      (is_new ? added : changed).add({account.details.id, &each.details, run.with.now});
      if (is_new) run.notes.add({import_action::added, portfolio_part::property, each.details.id});
      ++run.summary.properties;
    }
  added.finish();
  finish_changes(run, portfolio_part::property, changed);
}

/// The names that are in use in the accounts now, each with its account.
std::set<std::pair<domain::uuid, std::string>> stored_names(const by_id<stored_unit>& stored) {
  std::set<std::pair<domain::uuid, std::string>> names;
  for (const auto& [id, unit] : stored) names.emplace(unit.account_id, unit.internal_name);
  return names;
}

void report(const import_run& run, std::size_t done) {
  if (run.with.progress) run.with.progress(done, run.summary.units);
}

/// Returns the number of units done so far. Units whose name changes go to `touched`: the name itself is
/// written in the last step.
std::size_t write_units(import_run& run, account_span accounts, const by_id<stored_unit>& stored,
                        std::size_t done, id_set& touched) {
  const auto names = stored_names(stored);
  bulk_writer added(run.db, tables::units, bulk_mode::insert);
  bulk_writer changed(run.db, tables::units, bulk_mode::update_changed);
  for (const auto& account : accounts)
    for (const auto& property : account.properties)
      for (const auto& unit : property.units) {
        const auto& id = unit.terms.id;
        const auto& name = unit.terms.internal_name;
        const auto found = stored.find(id);
        const bool is_new = found == stored.end();
        const bool parked = is_new && names.contains({account.details.id, name});
        if (parked || (!is_new && found->second.internal_name != name)) run.unit_names.emplace_back(id, name);
        if (!is_new && found->second.internal_name != name) touched.insert(id);
        if (is_new) run.notes.add({import_action::added, portfolio_part::unit, id});
        const auto stand_in = parked ? domain::to_string(id) : std::string{};
        (is_new ? added : changed)
            .add({account.details.id, property.details.id, parked ? stand_in : name, &unit.terms,
                  &unit.presentation, run.with.now});
        if (++done % units_a_progress == 0) report(run, done);
      }
  added.finish();
  finish_changes(run, portfolio_part::unit, changed);
  return done;
}

/// Tells what becomes of what is left out: booked units and the properties that hold them are archived,
/// unless they are already.
void tell_left_out(import_run& run, const std::vector<domain::uuid>& units,
                   const std::vector<domain::uuid>& properties, const by_id<stored_unit>& stored_units,
                   const by_id<stored_property>& stored_properties) {
  const auto tell = [&](portfolio_part part, const domain::uuid& id, bool stays, bool archived) {
    if (!stays || !archived)
      run.notes.add({stays ? import_action::archived : import_action::removed, part, id});
  };
  id_set booked, inhabited;
  for (const auto& id : units_with_bookings(run.db, units)) {
    booked.insert(id);
    inhabited.insert(stored_units.at(id).property_id);
  }
  for (const auto& id : units) {
    tell(portfolio_part::unit, id, booked.contains(id), stored_units.at(id).archived);
    if (!booked.contains(id)) run.removed_units.insert(id);
  }
  for (const auto& id : properties)
    tell(portfolio_part::property, id, inhabited.contains(id), stored_properties.at(id).archived);
}

/// Notes what is stored but not in the file, and did not come from a platform either. An archived unit must
/// not keep a name that the file gives away.
void note_left_out(import_run& run, account_span accounts, const by_id<stored_property>& stored_properties,
                   const by_id<stored_unit>& stored_units) {
  id_set properties, units;
  std::set<std::pair<domain::uuid, std::string>> names;
  for (const auto& account : accounts)
    for (const auto& property : account.properties) {
      properties.insert(property.details.id);
      for (const auto& unit : property.units) {
        units.insert(unit.terms.id);
        names.emplace(account.details.id, unit.terms.internal_name);
      }
    }
  std::vector<domain::uuid> left_out_properties, left_out_units;
  for (const auto& [id, property] : stored_properties)
    if (!properties.contains(id) && !property.from_platform) left_out_properties.push_back(id);
  for (const auto& [id, unit] : stored_units) {
    if (units.contains(id) || unit.from_platform) continue;
    left_out_units.push_back(id);
    if (names.contains({unit.account_id, unit.internal_name}))
      run.unit_names.emplace_back(id, unit.internal_name + " (" + domain::to_string(id) + ')');
  }
  tell_left_out(run, left_out_units, left_out_properties, stored_units, stored_properties);
  run.left_out_properties.insert(run.left_out_properties.end(), left_out_properties.begin(),
                                 left_out_properties.end());
  run.left_out_units.insert(run.left_out_units.end(), left_out_units.begin(), left_out_units.end());
}

void touch_units(import_run& run, const id_set& touched) {
  bulk_writer times(run.db, tables::unit_times, bulk_mode::update_changed);
  for (const auto& id : touched) times.add({id, run.with.now});
  finish_changes(run, portfolio_part::unit, times);
}

} // namespace

void import_units(import_run& run, account_span accounts, std::size_t done) {
  const auto ids = ids_of(accounts);
  const auto properties = stored_properties(run.db, ids);
  const auto units = stored_units(run.db, ids);
  id_set touched;
  write_properties(run, accounts, properties);
  done = write_units(run, accounts, units, done, touched);
  note_left_out(run, accounts, properties, units);
  import_details(run, accounts, units, touched);
  touch_units(run, touched);
  report(run, done);
}

} // namespace roost::store
