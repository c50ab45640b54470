#include "actors/inventory/portfolio_loader.hpp"

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/database/error.hpp"
#include "store/portfolio/import_pieces.hpp"
#include "store/portfolio/live.hpp"
#include "store/portfolio/portfolio_state.hpp"

#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <deque>
#include <malloc.h>
#include <unordered_map>
#include <unordered_set>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds import_patience{30}; ///< until a pending import counts as forsaken
constexpr std::chrono::seconds lists_built{3};      ///< after the first load, even of the largest portfolio

using tenants_by_account = std::unordered_map<domain::uuid, std::vector<domain::tenant>, domain::uuid_hash>;

/// The calendars and accounts that there are.
class roster {
public:
  roster(runtime& rt, const portfolio_loader_setup& setup)
      : runtime_(rt), setup_(setup), around_(std::make_shared<const calendar_surroundings>(
                                         calendar_surroundings{setup.platforms, setup.now, setup.busy})) {}

  /// Whether there were calendars of it before.
  bool apply(store::live_account& changed, std::vector<domain::tenant> tenants) {
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
    return was_known;
  }

  /// The nights of what was cancelled are free, unless the calendars know that already.
  void release(const std::vector<domain::uuid>& accounts,
               const std::vector<store::cancelled_booking>& cancelled) {
    std::unordered_map<domain::uuid, const directory_unit*, domain::uuid_hash> units;
    for (const auto& id : accounts)
      for (const auto& unit : accounts_.at(id)->units) units.emplace(unit.id, &unit);
    for (const auto& booking : cancelled) {
      const auto unit = units.find(booking.unit_id);
      if (unit == units.end()) continue; // removed since
      caf::anon_send(unit->second->calendar, settle_nights{booking.id, nights_fate::cancelled});
      unit->second->changes->note();
    }
  }

  /// A unit's new terms, without a new directory: none of them decides what a reference means.
  void apply(const store::edited_unit& edit) {
    const auto owner = accounts_.find(edit.account_id);
    if (owner == accounts_.end()) return;
    const auto& units = owner->second->units;
    const auto unit = std::ranges::find(units, edit.unit_id, &directory_unit::id);
    if (unit == units.end()) return;
    auto& newest = edited_[edit.unit_id];
    auto setup = std::make_shared<unit_setup>(newest ? *newest : *unit->setup);
    domain::apply(edit.terms, setup->terms);
    setup->terms.updated_at = edit.updated_at;
    newest = setup;
    caf::anon_send(unit->calendar, update_unit{std::move(setup), edit.blocks});
    unit->changes->note();
  }

  bool has_many_edits() const { return edited_.size() >= setup_.edits_a_directory; }

  void fold_edits() {
    for (auto& [id, known] : accounts_) {
      const auto is_edited = [this](const directory_unit& unit) { return edited_.contains(unit.id); };
      if (std::ranges::none_of(known->units, is_edited)) continue;
      auto entry = std::make_shared<directory_account>(*known);
      for (auto& unit : entry->units) {
        unit.owner = entry.get();
        if (const auto edit = edited_.find(unit.id); edit != edited_.end()) unit.setup = edit->second;
      }
      known = std::move(entry);
    }
    edited_.clear();
  }

  std::shared_ptr<const directory> snapshot(std::int64_t version) const {
    std::vector<std::shared_ptr<const directory_account>> accounts;
    for (const auto& [id, known] : accounts_) accounts.push_back(known);
    return std::make_shared<const directory>(version, setup_.platforms, std::move(accounts));
  }

  void end() {
    for (const auto& [id, known] : accounts_) {
      for (const auto& unit : known->units)
        caf::anon_send_exit(unit.calendar, caf::exit_reason::user_shutdown);
      caf::anon_send_exit(known->actor, caf::exit_reason::user_shutdown);
    }
    accounts_.clear();
  }

private:
  using known_units = std::unordered_map<domain::uuid, const directory_unit*, domain::uuid_hash>;

  /// Of an account's units, which share the ownership: allocated one by one they would take more memory.
  struct unit_blocks {
    std::shared_ptr<std::vector<unit_setup>> setups = std::make_shared<std::vector<unit_setup>>();
    std::shared_ptr<std::deque<unit_changes>> changes = std::make_shared<std::deque<unit_changes>>();
  };

  /// Ends the calendars of units that are gone.
  std::vector<directory_unit> apply_units(const directory_account& owner, const directory_account* before,
                                          std::vector<store::live_property>& properties) {
    known_units known;
    if (before)
      for (const auto& unit : before->units) known.emplace(unit.id, &unit);
    std::size_t count = 0;
    for (const auto& property : properties) count += property.units.size();
    const unit_blocks blocks;
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

  /// A calendar that there is already is told what has changed, and is known no longer.
  directory_unit apply_unit(const directory_account& owner, store::live_unit& unit,
                            const std::shared_ptr<const unit_setup>& setup, known_units& known,
                            const unit_blocks& blocks) {
    unit.blocks.shrink_to_fit();
    directory_unit entry{setup->terms.id, {}, &owner, setup->terms.created_at, setup};
    edited_.erase(entry.id);
    if (const auto there = known.extract(entry.id)) {
      entry.calendar = there.mapped()->calendar;
      entry.changes = there.mapped()->changes;
      caf::anon_send(entry.calendar, update_unit{setup, std::move(unit.blocks)});
      entry.changes->note();
    } else {
      entry.changes = {blocks.changes, &blocks.changes->emplace_back(setup_.changes)};
      entry.calendar = spawn_unit_calendar(runtime_, around_, setup, std::move(unit.blocks), entry.changes);
    }
    return entry;
  }

  unit_setup to_setup(store::live_unit& unit, const std::shared_ptr<const domain::account>& settings,
                      const std::shared_ptr<const domain::property_terms>& property) const {
    unit_setup setup;
    setup.account = settings;
    setup.property = property;
    setup.terms = std::move(unit.terms);
    setup.terms.rent.per_month.shrink_to_fit();
    setup.terms.booking_windows.shrink_to_fit();
    setup.links.reserve(unit.links.size());
    for (auto& link : unit.links)
      if (const auto platform = index_of(link.platform))
        setup.links.push_back({*platform, std::move(link.external_id)});
    for (const auto& name : unit.excluded_from)
      if (const auto platform = index_of(name)) setup.excluded_from.set(*platform);
    return setup;
  }

  /// Nothing for a platform that the configuration no longer names.
  std::optional<std::size_t> index_of(const std::string& name) const {
    const auto& all = *setup_.platforms;
    const auto found = std::ranges::find(all, name, &domain::platform::name);
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
  }

  std::shared_ptr<const account_contacts>
  contacts_of(const domain::account& settings, const std::vector<store::notification_target>& targets) const {
    auto contacts = std::make_shared<account_contacts>();
    contacts->company_name = settings.company_name;
    for (const auto& target : targets)
      if (setup_.is_notified(target.role)) contacts->mail_to.push_back(target.email);
    if (contacts->mail_to.empty()) // nobody may book there: better all than nobody
      for (const auto& target : targets) contacts->mail_to.push_back(target.email);
    return contacts;
  }

  runtime& runtime_;
  const portfolio_loader_setup& setup_;
  std::shared_ptr<const calendar_surroundings> around_;
  std::unordered_map<domain::uuid, std::shared_ptr<const directory_account>, domain::uuid_hash> accounts_;
  std::unordered_map<domain::uuid, std::shared_ptr<const unit_setup>, domain::uuid_hash>
      edited_; // newer than the directory's
};

class loader_state {
public:
  static constexpr const char* name = "portfolio_watch";
  using self_pointer = portfolio_loader::stateful_pointer<loader_state>;

  void open(self_pointer self, runtime& rt, portfolio_loader_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    session_.emplace(setup_.store_url);
    roster_.emplace(rt, setup_);
    self_->send(self_, look_for_changes{});
  }

  void look() {
    follow(false);
    if (trim_at_ && std::chrono::steady_clock::now() >= *trim_at_) {
      ::malloc_trim(0);
      trim_at_.reset();
    }
    if (!ended_) self_->delayed_send(self_, setup_.interval, look_for_changes{});
  }

  caf::result<change_shown> show(const show_change& wanted) {
    if (ended_ || !setup_.lease->holds()) return make_error(storage_error::unavailable);
    auto answer = self_->make_response_promise<change_shown>();
    waiting_.push_back({wanted.position, answer});
    if (is_next(wanted)) {
      roster_->apply(*wanted.edit);
      position_ = wanted.position;
      if (roster_->has_many_edits()) publish_edits();
    } else if (!position_ || !position_->covers(wanted.position)) {
      follow(true);
    }
    answer_shown();
    return answer;
  }

  void read_again(const domain::uuid& account) {
    again_.insert(account);
    follow(true);
  }

  void end() {
    ended_ = true;
    for (auto& each : std::exchange(waiting_, {})) each.asker.deliver(make_error(storage_error::unavailable));
    roster_->end();
    setup_.directory->set(nullptr);
  }

private:
  struct waiting_change {
    store::portfolio_position position;
    caf::typed_response_promise<change_shown> asker;
  };

  /// Nothing that another process did came between, so that memory with the edit is what the store holds.
  bool is_next(const show_change& wanted) const {
    return wanted.edit && position_ && position_->version == wanted.position.version &&
           position_->edits + 1 == wanted.position.edits;
  }

  void follow(bool at_once) {
    try {
      const auto lease = setup_.lease->current();
      if (!lease || ended_) return;
      const auto stored = progress_of_store();
      if (store::is_import_pending(*session_)) return wait_for_import(stored);
      import_seen_.reset();
      const bool is_behind = position_ != stored && (at_once || !is_on_its_way(stored));
      if (is_behind || !again_.empty()) take_up();
      answer_shown();
      if (!position_ || applied_ == position_->version) return;
      store::mark_applied(*session_, *lease, position_->version); // whoever imported waits for it
      applied_ = position_->version;
    } catch (const store::another_history& what) {
      log::error("another_history", {{"what", what.what()}});
      setup_.lease->lose();
    } catch (const store::error& what) {
      log::warn("portfolio_not_loaded", {{"what", what.what()}});
    }
  }

  /// What is in the tables is half of an import, which SQLite takes in pieces. Its own process writes it; one
  /// that has ended left the rest to be written here. Tokens and keys are none of it.
  void wait_for_import(const store::portfolio_position& stored) {
    const auto now = std::chrono::steady_clock::now();
    if (!import_seen_) import_seen_ = now;
    if (!position_ || now - *import_seen_ >= import_patience) {
      log::info("import_finished_here");
      store::write_pending_import(*session_);
    } else if (position_->version != stored.version && credentials_of_ != stored.version) {
      setup_.reload_credentials(*session_);
      credentials_of_ = stored.version;
    }
  }

  /// Throws another_history.
  store::portfolio_position progress_of_store() {
    const auto known = setup_.decided->known();
    const auto stored = store::current_progress(*session_);
    if (position_ && stored.is_before({*position_, known}))
      throw store::another_history("the store stands before what was read of it");
    setup_.decided->learn(stored.decided);
    return stored.position;
  }

  /// An edit that this server wrote comes by message a moment after it can be seen in the store. Only one
  /// that has not come until the next look is read.
  bool is_on_its_way(const store::portfolio_position& stored) {
    if (!position_ || position_->version != stored.version) return false;
    const auto expected = std::exchange(expected_edits_, stored.edits);
    return position_->edits >= expected;
  }

  void answer_shown() {
    std::erase_if(waiting_, [this](waiting_change& each) {
      if (!position_ || !position_->covers(each.position)) return false;
      each.asker.deliver(change_shown{});
      return true;
    });
  }

  void publish_edits() {
    roster_->fold_edits();
    setup_.directory->set(roster_->snapshot(position_->version));
  }

  void take_up() {
    const auto started = std::chrono::steady_clock::now();
    const bool first = !position_;
    const std::vector<domain::uuid> again{again_.begin(), again_.end()};
    auto tenants = first || !again.empty() ? tenants_of(again) : tenants_by_account{};
    std::optional<store::session> beside;
    if (first) beside.emplace(setup_.store_url); // the first load is a large one
    std::size_t accounts = 0;
    std::vector<domain::uuid> known;
    const auto take = [&](store::live_account account) {
      ++accounts;
      const auto id = account.settings.id;
      if (roster_->apply(account, std::move(tenants[id]))) known.push_back(id);
    };
    const auto position = store::load_live(*session_, position_.value_or(store::portfolio_position{}), take,
                                           beside ? &*beside : nullptr, again);
    if (!known.empty()) roster_->release(known, store::cancelled_bookings(*session_, known));
    setup_.reload_credentials(*session_); // after the version was read, so that it is not older
    setup_.directory->set(roster_->snapshot(position.version));
    const bool is_edit = position_ && position.version == position_->version && again.empty();
    if (first || (accounts > 0 && !is_edit)) setup_.directory_published(); // lists are not rebuilt for edits
    if (first) trim_at_ = std::chrono::steady_clock::now() + lists_built;
    position_ = position;
    for (const auto& id : again) again_.erase(id);
    const auto took = std::chrono::steady_clock::now() - started;
    log::info("portfolio_loaded",
              {{"version", position.version},
               {"accounts", accounts},
               {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(took).count()}});
  }

  /// Of all accounts where none is named.
  tenants_by_account tenants_of(std::span<const domain::uuid> accounts) {
    tenants_by_account grouped;
    for (auto& tenant : store::load_tenants(*session_, accounts))
      grouped[tenant.account_id].push_back(std::move(tenant));
    return grouped;
  }

  self_pointer self_ = nullptr;
  portfolio_loader_setup setup_;
  std::optional<store::session> session_;
  std::optional<roster> roster_;
  std::optional<store::portfolio_position> position_; // what is in memory
  std::optional<std::int64_t> applied_;               // the version that the store knows to be in memory
  std::int64_t expected_edits_ = 0;                   // that were in the store at the last look
  std::unordered_set<domain::uuid, domain::uuid_hash> again_; // accounts of whose bookings some were missed
  std::optional<std::chrono::steady_clock::time_point> import_seen_; // when a pending one was first seen
  std::int64_t credentials_of_ = 0; // the version for which they were read during an import
  std::vector<waiting_change> waiting_;
  /// What reading and the first lists leave behind, 0.1 KB a unit, then goes back to the system.
  std::optional<std::chrono::steady_clock::time_point> trim_at_;
  bool ended_ = false;
};

portfolio_loader::behavior_type
portfolio_loader_behavior(portfolio_loader::stateful_pointer<loader_state> self, runtime* rt,
                          portfolio_loader_setup setup) {
  auto& state = self->state;
  state.open(self, *rt, std::move(setup));
  return {
      [&state](const look_for_changes&) { state.look(); },
      [&state](const end_calendars&) { state.end(); },
      [&state](const read_account_again& wanted) { state.read_again(wanted.account_id); },
      [&state](const show_change& wanted) { return state.show(wanted); },
  };
}

} // namespace

portfolio_loader spawn_portfolio_loader(runtime& rt, portfolio_loader_setup setup) {
  return rt.spawn_detached(portfolio_loader_behavior, &rt, std::move(setup));
}

} // namespace roost::actors
