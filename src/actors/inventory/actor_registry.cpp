#include "actors/inventory/actor_registry.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace roost::actors {

actor_registry::actor_registry(runtime& rt, actor_registry_setup setup)
    : runtime_(rt), setup_(std::move(setup)),
      context_(std::make_shared<const calendar_context>(
          calendar_context{setup_.platforms, setup_.now, setup_.hot_units})),
      latest_(std::make_shared<const directory>(0, setup_.platforms, directory::accounts{})) {}

bool actor_registry::apply(store::live_account& changed, std::vector<domain::tenant> tenants) {
  auto& known = accounts_[changed.settings.id];
  const auto settings = std::make_shared<const domain::account>(std::move(changed.settings));
  auto entry = std::make_shared<directory_account>();
  entry->id = settings->id;
  entry->settings = settings;
  entry->contacts = contacts_of(*settings, changed.targets);
  if (known) {
    entry->actor = known->actor;
    caf::anon_send(entry->actor, update_account{{settings, entry->contacts, std::move(tenants)}});
  } else {
    entry->actor = spawn_account(runtime_, {settings, entry->contacts, std::move(tenants)});
  }
  entry->units = apply_units(*entry, known.get(), changed.properties);
  const bool was_known = known != nullptr;
  known = std::move(entry);
  edit_counts_.erase(known->id);
  changed_.insert(known->id);
  has_new_accounts_ = true;
  return was_known;
}

void actor_registry::apply(const store::edited_unit& edit) {
  const auto* unit = latest_->find_unit(edit.unit_id);
  if (!unit) return;
  auto& newest = edited_[edit.unit_id];
  if (!newest) count_edit(*unit->owner);
  auto setup = std::make_shared<unit_setup>(newest ? *newest : *unit->setup);
  domain::apply(edit.terms, setup->terms);
  setup->terms.updated_at = edit.updated_at;
  newest = setup;
  caf::anon_send(unit->calendar, update_unit{std::move(setup), edit.blocks});
  unit->changes->note();
}

void actor_registry::apply(store::live_unit changed) {
  const auto id = changed.terms.id;
  const auto known = accounts_.find(changed.terms.account_id);
  if (known == accounts_.end()) return;
  const auto entry = std::make_shared<directory_account>(*known->second);
  const auto unit = std::ranges::find(entry->units, id, &directory_unit::id);
  if (unit == entry->units.end() || unit->setup->terms.property_id != changed.terms.property_id) return;
  for (auto& each : entry->units) each.owner = entry.get();
  unit->setup = std::make_shared<const unit_setup>(to_setup(changed, entry->settings, unit->setup->property));
  edited_.erase(id);
  caf::anon_send(unit->calendar, update_unit{unit->setup, std::move(changed.blocks)});
  unit->changes->note();
  known->second = entry;
  changed_.insert(entry->id);
  has_new_accounts_ = true;
}

void actor_registry::apply(std::span<const store::live_stay> stays) {
  for (const auto& stay : stays) {
    const auto* unit = latest_->find_unit(stay.unit_id);
    if (!unit) continue; // removed in the meantime
    if (stay.is_cancelled)
      caf::anon_send(unit->calendar, settle_nights{stay.block.id, hold_outcome::cancelled});
    else
      caf::anon_send(unit->calendar, learn_stay{stay.block});
    caf::anon_send(unit->owner->actor, learn_tenants{{stay.tenant}});
    unit->changes->note();
  }
}

void actor_registry::apply(const domain::uuid& unit_id, std::vector<domain::block> holds) {
  const auto* unit = latest_->find_unit(unit_id);
  if (!unit) return; // removed in the meantime
  caf::anon_send(unit->calendar, show_holds{std::move(holds)});
  unit->changes->note();
}

void actor_registry::replace(std::vector<domain::tenant> tenants) {
  for (auto& tenant : tenants)
    if (const auto known = accounts_.find(tenant.account_id); known != accounts_.end())
      caf::anon_send(known->second->actor, replace_tenants{{std::move(tenant)}});
}

void actor_registry::release(std::span<const store::cancelled_booking> cancelled) {
  for (const auto& booking : cancelled) {
    const auto* unit = latest_->find_unit(booking.unit_id);
    if (!unit) continue; // removed in the meantime
    caf::anon_send(unit->calendar, settle_nights{booking.id, hold_outcome::cancelled});
    unit->changes->note();
  }
}

/// The units of an account share the memory of their terms, which is freed when all of them have newer ones.
void actor_registry::count_edit(const directory_account& owner) {
  if (++edit_counts_[owner.id] < owner.units.size()) return;
  outdated_accounts_.push_back(owner.id);
  outdated_units_ += owner.units.size();
}

void actor_registry::fold_edits() {
  for (const auto& id : std::exchange(outdated_accounts_, {})) {
    auto& known = accounts_.at(id);
    if (edit_counts_[id] < known->units.size()) continue; // read again in the meantime
    auto entry = std::make_shared<directory_account>(*known);
    for (auto& unit : entry->units) {
      unit.owner = entry.get();
      if (const auto edit = edited_.extract(unit.id())) unit.setup = edit.mapped();
    }
    edit_counts_.erase(id);
    known = std::move(entry);
    changed_.insert(id);
  }
  outdated_units_ = 0;
}

std::shared_ptr<const directory> actor_registry::snapshot() {
  if (std::exchange(has_new_accounts_, false)) ++version_;
  directory::accounts changed;
  for (const auto& id : changed_) changed.push_back(accounts_.at(id));
  changed_.clear();
  latest_ = std::make_shared<const directory>(latest_->with(version_, changed));
  return latest_;
}

void actor_registry::end() {
  for (const auto& [id, known] : accounts_) {
    for (const auto& unit : known->units) caf::anon_send_exit(unit.calendar, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(known->actor, caf::exit_reason::user_shutdown);
  }
  accounts_.clear();
  edited_.clear();
  edit_counts_.clear();
  outdated_accounts_.clear();
  outdated_units_ = 0;
  unknown_links_.clear();
  changed_.clear();
  latest_ = std::make_shared<const directory>(++version_, setup_.platforms, directory::accounts{});
}

/// Applies an account's units, and ends the calendars of removed ones.
std::vector<directory_unit> actor_registry::apply_units(const directory_account& owner,
                                                        const directory_account* before,
                                                        std::vector<store::live_property>& properties) {
  known_units known;
  if (before)
    for (const auto& unit : before->units) known.emplace(unit.id(), &unit);
  std::size_t count = 0;
  for (const auto& property : properties) count += property.units.size();
  const unit_blocks blocks{std::make_shared<std::vector<unit_setup>>(),
                           std::make_shared<change_times>(change_times{setup_.changes, {}})};
  blocks.setups->reserve(count);
  std::vector<directory_unit> units;
  units.reserve(count);
  for (auto& property : properties) {
    const auto terms = std::make_shared<const domain::property_terms>(std::move(property.terms));
    for (auto& unit : property.units) {
      auto& setup = blocks.setups->emplace_back(to_setup(unit, owner.settings, terms));
      units.push_back(apply_unit(owner, unit, {blocks.setups, &setup}, known, blocks));
    }
  }
  for (const auto& [id, removed] : known) {
    edited_.erase(id);
    caf::anon_send_exit(removed->calendar, caf::exit_reason::user_shutdown);
  }
  return units;
}

/// Updates an existing calendar and removes it from `known`, or spawns one.
directory_unit actor_registry::apply_unit(const directory_account& owner, store::live_unit& unit,
                                          const std::shared_ptr<const unit_setup>& setup, known_units& known,
                                          const unit_blocks& blocks) {
  unit.blocks.shrink_to_fit();
  directory_unit entry{{}, &owner, setup};
  edited_.erase(entry.id());
  if (const auto existing = known.extract(entry.id())) {
    entry.calendar = existing.mapped()->calendar;
    entry.changes = existing.mapped()->changes;
    caf::anon_send(entry.calendar, update_unit{setup, std::move(unit.blocks)});
    entry.changes->note();
  } else {
    entry.changes = {blocks.changes, &blocks.changes->of_units.emplace_back(*blocks.changes->clock)};
    entry.calendar = spawn_unit_calendar(runtime_, context_, setup, std::move(unit.blocks), entry.changes);
  }
  return entry;
}

unit_setup actor_registry::to_setup(store::live_unit& unit,
                                    const std::shared_ptr<const domain::account>& settings,
                                    const std::shared_ptr<const domain::property_terms>& property) {
  unit_setup setup;
  setup.account = settings;
  setup.property = property;
  setup.terms = std::move(unit.terms);
  setup.terms.rent.per_month.shrink_to_fit();
  setup.terms.booking_windows.shrink_to_fit();
  setup.links.reserve(unit.links.size());
  for (auto& link : unit.links)
    if (const auto platform = index_of(setup_.platforms, link.platform))
      setup.links.push_back({*platform, std::move(link.external_id)});
    else
      ++unknown_links_[link.platform];
  for (const auto& name : unit.excluded_from)
    if (const auto platform = index_of(setup_.platforms, name)) setup.excluded_from.set(*platform);
  return setup;
}

std::shared_ptr<const account_contacts>
actor_registry::contacts_of(const domain::account& settings,
                            const std::vector<store::notification_target>& targets) const {
  auto contacts = std::make_shared<account_contacts>();
  contacts->company_name = settings.company_name;
  contacts->mail_to = store::recipients_of(targets, setup_.is_notified);
  return contacts;
}

} // namespace roost::actors
