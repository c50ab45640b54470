#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <set>

namespace roost::store {

namespace {

const selection landlord_keys_of_accounts{"landlord_keys_of_accounts",
                                          "select {columns} from accounts where id in {ids uuid}",
                                          named<domain::uuid>("id"), named<std::string>("landlord_key")};
const selection users_of_accounts{"users_of_accounts",
                                  "select {columns} from users where account_id in {ids uuid}",
                                  named<domain::uuid>("id"), named<std::string>("email")};

/// Properties created by a platform stay when a file omits them (Partner API, Property creation).
struct stored_property {
  bool from_platform = false;
  bool archived = false;
};
const selection properties_of_accounts{
    "properties_of_accounts", "select {columns} from properties where account_id in {ids uuid}",
    named<domain::uuid>("id"),
    columns(column("origin_platform is not null", &stored_property::from_platform),
            column("archived", &stored_property::archived))};
const selection units_of_accounts{
    "units_of_accounts",
    "select {columns} from units u join properties p on p.id = u.property_id where u.account_id in {ids "
    "uuid}",
    named<domain::uuid>("u.id"),
    columns(column("u.account_id", &stored_unit::account_id),
            column("u.property_id", &stored_unit::property_id),
            column("u.internal_name", &stored_unit::internal_name),
            column("p.origin_platform is not null", &stored_unit::from_platform),
            column("u.archived", &stored_unit::archived))};

void write_accounts(import_run& run, account_span accounts, std::span<const domain::uuid> ids) {
  const auto stored = read_map<by_id<std::string>>(run.db, landlord_keys_of_accounts, ids);
  std::unordered_set<std::string> taken;
  for (const auto& [id, key] : stored) taken.insert(key);

  bulk_writer added(run.db, tables::accounts, bulk_mode::insert);
  bulk_writer changed(run.db, tables::accounts, bulk_mode::update_changed);
  bulk_writer times(run.db, tables::account_times, bulk_mode::update_changed);
  for (const auto& each : accounts) {
    const auto& a = each.details;
    const auto found = stored.find(a.id);
    const bool is_new = found == stored.end();
    const bool is_renamed = !is_new && found->second != a.landlord_key;
    // Until the last step, another account of the file still holds the key.
    const bool parked = is_new && taken.contains(a.landlord_key);
    if (parked || is_renamed) run.landlord_keys.emplace_back(a.id, a.landlord_key);
    if (is_renamed) times.add({a.id, run.context.now});
    if (is_new) run.notes.add({import_action::added, portfolio_part::account, a.id});
    const auto placeholder = parked ? domain::to_string(a.id) : std::string{};
    (is_new ? added : changed).add({&a, parked ? placeholder : a.landlord_key, run.context.now});
  }
  added.finish();
  finish_changes(run, portfolio_part::account, changed);
  finish_changes(run, portfolio_part::account, times);
}

void write_cards(import_run& run, account_span accounts, std::span<const domain::uuid> ids) {
  const auto stored = read_lists(run.db, cards_of_accounts, ids);
  bulk_writer removed(run.db, tables::card_keys, bulk_mode::erase);
  bulk_writer added(run.db, tables::cards, bulk_mode::insert_new);
  bulk_writer changed(run.db, tables::cards, bulk_mode::update_changed);
  for (const auto& each : accounts) {
    const auto& account = each.details;
    const auto& known = rows_of(stored, account.id);
    for (const auto& card : known) {
      if (domain::find_card(account, card.platform)) continue;
      removed.add({account.id, card.platform});
      run.notes.add({import_action::removed, portfolio_part::card, account.id, card.platform});
    }
    for (const auto& card : account.cards) {
      for (auto* writer : {&changed, &added}) writer->add({account.id, &card, run.context.now});
      if (std::ranges::find(known, card.platform, &domain::platform_card::platform) == known.end())
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

void write_users(import_run& run, account_span accounts, std::span<const domain::uuid> ids) {
  const auto stored = read_map<by_id<std::string>>(run.db, users_of_accounts, ids);
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

constexpr std::size_t units_per_progress = 1000;

void report(const import_run& run, std::size_t done) {
  if (run.context.progress) run.context.progress(done, run.summary.units);
}

/// Returns the number of units done so far. Adds units whose name changes to `touched`: the name itself is
/// written in the last step.
std::size_t write_units(import_run& run, account_span accounts, const by_id<stored_unit>& stored,
                        std::size_t done, id_set& touched) {
  std::set<std::pair<domain::uuid, std::string_view>> names; // in use, by account
  for (const auto& [id, unit] : stored) names.emplace(unit.account_id, unit.internal_name);
  bulk_writer added(run.db, tables::units, bulk_mode::insert);
  bulk_writer changed(run.db, tables::units, bulk_mode::update_changed);
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid& account, const domain::uuid& property) {
    const auto& id = unit.terms.id;
    const auto& name = unit.terms.internal_name;
    const auto found = stored.find(id);
    const bool is_new = found == stored.end();
    const bool is_renamed = !is_new && found->second.internal_name != name;
    const bool parked = is_new && names.contains({account, name});
    if (parked || is_renamed) run.unit_names.emplace_back(id, name);
    if (is_renamed) touched.insert(id);
    if (is_new) run.notes.add({import_action::added, portfolio_part::unit, id});
    const auto placeholder = parked ? domain::to_string(id) : std::string{};
    (is_new ? added : changed)
        .add({account, property, parked ? placeholder : name, &unit.terms, &unit.presentation,
              run.context.now});
    if (++done % units_per_progress == 0) report(run, done);
  });
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
  for (const auto& id : units_to_keep(run.db, units)) {
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
  std::set<std::pair<domain::uuid, std::string_view>> names;
  for (const auto& account : accounts)
    for (const auto& property : account.properties) properties.insert(property.details.id);
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid& account, const domain::uuid&) {
    units.insert(unit.terms.id);
    names.emplace(account, unit.terms.internal_name);
  });
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
  const auto ids = ids_of(accounts);
  write_accounts(run, accounts, ids);
  write_cards(run, accounts, ids);
  write_users(run, accounts, ids);
  write_usage(run, accounts);
}

void import_units(import_run& run, account_span accounts, std::size_t done) {
  const auto ids = ids_of(accounts);
  const auto properties = read_map<by_id<stored_property>>(run.db, properties_of_accounts, std::span(ids));
  const auto units = read_map<by_id<stored_unit>>(run.db, units_of_accounts, std::span(ids));
  id_set touched;
  write_properties(run, accounts, properties);
  done = write_units(run, accounts, units, done, touched);
  collect_left_out(run, accounts, properties, units);
  import_details(run, accounts, units, touched);
  touch_units(run, touched);
  report(run, done);
}

} // namespace roost::store
