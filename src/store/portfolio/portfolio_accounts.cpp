#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <set>

namespace roost::store {

namespace {

void write_accounts(import_run& run, account_span accounts) {
  const auto stored = stored_landlord_keys(run.db, ids_of(accounts));
  std::unordered_set<std::string> taken;
  for (const auto& [id, key] : stored) taken.insert(key);

  bulk_writer added(run.db, tables::accounts, bulk_mode::insert);
  bulk_writer changed(run.db, tables::accounts, bulk_mode::update_changed);
  bulk_writer times(run.db, tables::account_times,
                    bulk_mode::update_changed); // of accounts whose key changes
  for (const auto& each : accounts) {
    const auto& a = each.details;
    const auto found = stored.find(a.id);
    const bool is_new = found == stored.end();
    // Until the last step, another account of the file still holds the key.
    const bool parked = is_new && taken.contains(a.landlord_key);
    if (parked || (!is_new && found->second != a.landlord_key))
      run.landlord_keys.emplace_back(a.id, a.landlord_key);
    if (!is_new && found->second != a.landlord_key) times.add({a.id, run.context.now});
    const auto placeholder = parked ? domain::to_string(a.id) : std::string{};
    if (is_new) run.notes.add({import_action::added, portfolio_part::account, a.id});
    (is_new ? added : changed).add({&a, parked ? placeholder : a.landlord_key, run.context.now});
  }
  added.finish();
  finish_changes(run, portfolio_part::account, changed);
  finish_changes(run, portfolio_part::account, times);
}

void write_cards(import_run& run, account_span accounts) {
  const auto stored = stored_card_platforms(run.db, ids_of(accounts));
  bulk_writer removed(run.db, tables::card_keys, bulk_mode::erase);
  bulk_writer added(run.db, tables::cards, bulk_mode::insert_new);
  bulk_writer changed(run.db, tables::cards, bulk_mode::update_changed);
  for (const auto& each : accounts) {
    const auto& account = each.details;
    static const std::vector<std::string> none;
    const auto found = stored.find(account.id);
    const auto& known = found == stored.end() ? none : found->second;
    for (const auto& platform : known) {
      if (domain::find_card(account, platform)) continue;
      removed.add({account.id, platform});
      run.notes.add({import_action::removed, portfolio_part::card, account.id, platform});
    }
    for (const auto& card : account.cards) {
      for (auto* writer : {&changed, &added}) writer->add({account.id, &card});
      if (std::ranges::find(known, card.platform) == known.end())
        run.notes.add({import_action::added, portfolio_part::card, account.id, card.platform});
    }
  }
  removed.finish();
  finish_changes(run, portfolio_part::card, changed);
  added.finish();
}

/// Deletes the users that the file omits, and frees addresses that another user is about to get.
void make_room_for_users(import_run& run, account_span accounts, const by_id<std::string>& stored) {
  by_id<const domain::user*> in_file;
  for (const auto& account : accounts)
    for (const auto& user : account.users) in_file.emplace(user.details.id, &user.details);
  bulk_writer removed(run.db, tables::user_ids, bulk_mode::erase);
  bulk_writer parked(run.db, tables::user_emails, bulk_mode::update_changed);
  for (const auto& [id, email] : stored) {
    const auto found = in_file.find(id);
    if (found == in_file.end()) {
      removed.add({id});
      run.notes.add({import_action::removed, portfolio_part::user, id});
    } else if (found->second->email != email) {
      parked.add({id, domain::to_string(id)});
    }
  }
  removed.finish();
  parked.finish();
}

void write_users(import_run& run, account_span accounts) {
  const auto stored = stored_user_emails(run.db, ids_of(accounts));
  make_room_for_users(run, accounts, stored);
  bulk_writer added(run.db, tables::users, bulk_mode::insert);
  bulk_writer changed(run.db, tables::users, bulk_mode::update_changed);
  bulk_writer keeping(run.db, tables::users_keeping_passwords, bulk_mode::update_changed);
  for (const auto& account : accounts)
    for (const auto& each : account.users) {
      const bool is_new = !stored.contains(each.details.id);
      (is_new                ? added
       : each.keeps_password ? keeping
                             : changed)
          .add({account.details.id, &each.details, run.context.now});
      if (is_new) run.notes.add({import_action::added, portfolio_part::user, each.details.id});
    }
  finish_changes(run, portfolio_part::user, changed);
  finish_changes(run, portfolio_part::user, keeping);
  added.finish();
}

void write_usage(import_run& run, account_span accounts) {
  bulk_writer rows(run.db, tables::ai_usage, bulk_mode::insert_new);
  for (const auto& account : accounts)
    for (const auto& each : account.ai_usage) rows.add({account.details.id, &each});
  run.summary.counts.add(import_action::added, portfolio_part::usage_record,
                         static_cast<std::size_t>(rows.finish()));
}

constexpr std::size_t units_per_progress = 1000;

void write_properties(import_run& run, account_span accounts, const by_id<stored_property>& stored) {
  bulk_writer added(run.db, tables::properties, bulk_mode::insert);
  bulk_writer changed(run.db, tables::properties, bulk_mode::update_changed);
  for (const auto& account : accounts)
    for (const auto& each : account.properties) {
      const bool is_new = !stored.contains(each.details.id);
      (is_new ? added : changed).add({account.details.id, &each.details, run.context.now});
      if (is_new) run.notes.add({import_action::added, portfolio_part::property, each.details.id});
      ++run.summary.properties;
    }
  added.finish();
  finish_changes(run, portfolio_part::property, changed);
}

/// Returns the names that are in use, each with its account.
std::set<std::pair<domain::uuid, std::string>> stored_names(const by_id<stored_unit>& stored) {
  std::set<std::pair<domain::uuid, std::string>> names;
  for (const auto& [id, unit] : stored) names.emplace(unit.account_id, unit.internal_name);
  return names;
}

void report(const import_run& run, std::size_t done) {
  if (run.context.progress) run.context.progress(done, run.summary.units);
}

/// Returns the number of units done so far. Adds units whose name changes to `touched`: the name itself is
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
        const auto placeholder = parked ? domain::to_string(id) : std::string{};
        (is_new ? added : changed)
            .add({account.details.id, property.details.id, parked ? placeholder : name, &unit.terms,
                  &unit.presentation, run.context.now});
        if (++done % units_per_progress == 0) report(run, done);
      }
  added.finish();
  finish_changes(run, portfolio_part::unit, changed);
  return done;
}

/// Notes the removals: booked units and their properties are archived, unless they already are.
void note_removals(import_run& run, const std::vector<domain::uuid>& units,
                   const std::vector<domain::uuid>& properties, const by_id<stored_unit>& stored_units,
                   const by_id<stored_property>& stored_properties) {
  const auto note = [&](portfolio_part part, const domain::uuid& id, bool stays, bool archived) {
    if (!stays || !archived)
      run.notes.add({stays ? import_action::archived : import_action::removed, part, id});
  };
  id_set booked, occupied;
  for (const auto& id : units_with_bookings(run.db, units)) {
    booked.insert(id);
    occupied.insert(stored_units.at(id).property_id);
  }
  for (const auto& id : units) {
    note(portfolio_part::unit, id, booked.contains(id), stored_units.at(id).archived);
    if (!booked.contains(id)) run.removed_units.insert(id);
  }
  for (const auto& id : properties)
    note(portfolio_part::property, id, occupied.contains(id), stored_properties.at(id).archived);
}

/// Collects stored properties and units that the file omits, except those created by a platform. Archived
/// units are renamed if the file gives their name to another unit.
void collect_left_out(import_run& run, account_span accounts, const by_id<stored_property>& stored_properties,
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
  note_removals(run, left_out_units, left_out_properties, stored_units, stored_properties);
  run.left_out_properties.insert(run.left_out_properties.end(), left_out_properties.begin(),
                                 left_out_properties.end());
  run.left_out_units.insert(run.left_out_units.end(), left_out_units.begin(), left_out_units.end());
}

void touch_units(import_run& run, const id_set& touched) {
  bulk_writer times(run.db, tables::unit_times, bulk_mode::update_changed);
  for (const auto& id : touched) times.add({id, run.context.now});
  finish_changes(run, portfolio_part::unit, times);
}

} // namespace

void import_accounts(import_run& run, account_span accounts) {
  write_accounts(run, accounts);
  write_cards(run, accounts);
  write_users(run, accounts);
  write_usage(run, accounts);
}

void import_units(import_run& run, account_span accounts, std::size_t done) {
  const auto ids = ids_of(accounts);
  const auto properties = stored_properties(run.db, ids);
  const auto units = stored_units(run.db, ids);
  id_set touched;
  write_properties(run, accounts, properties);
  done = write_units(run, accounts, units, done, touched);
  collect_left_out(run, accounts, properties, units);
  import_details(run, accounts, units, touched);
  touch_units(run, touched);
  report(run, done);
}

} // namespace roost::store
