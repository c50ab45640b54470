#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/inventory/hot_units.hpp"
#include "store/engine/linked_units.hpp"
#include "store/portfolio/live.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace roost::actors {

struct actor_registry_setup {
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<change_clock> changes =
      std::make_shared<change_clock>(); ///< of all units; shared with the feeds
  std::shared_ptr<actors::hot_units> hot_units = std::make_shared<actors::hot_units>();
  /// Whether users with this role get mails about bookings.
  std::function<bool(const std::string& role)> is_notified;
};

/// Owns the account and calendar actors: spawns, updates and ends them, and creates directories of them. Not
/// thread-safe.
class actor_registry {
public:
  actor_registry(runtime& rt, actor_registry_setup setup);

  /// Applies an account read from the store. Returns whether it was known before.
  bool apply(store::live_account& changed, std::vector<domain::tenant> tenants);

  /// Applies a unit's new terms, without a new directory: they do not affect references.
  void apply(const store::edited_unit& edit);

  /// Applies a unit read from the store, which may show more in lists and references than its terms. Skipped
  /// if it is unknown or has moved to another property: a later change then has its account.
  void apply(store::live_unit changed);

  /// Applies bookings that other processes made or cancelled. Calendars may know some of them already.
  void apply(std::span<const store::live_stay> stays);

  /// Applies the holds that a unit has now.
  void apply(const domain::uuid& unit, std::vector<domain::block> holds);

  /// Replaces what accounts know about these stored tenants.
  void replace(std::vector<domain::tenant> tenants);

  /// Frees the nights of cancelled bookings, unless the calendars already have.
  void release(std::span<const store::cancelled_booking> cancelled);

  /// Returns the number of units of accounts whose units all have newer terms than in the directory.
  std::size_t outdated_units() const { return outdated_units_; }
  /// Adds these terms to the next directory, which frees the old ones.
  void fold_edits();

  /// Returns a directory of the current state, with a new version if accounts were applied. apply() and
  /// release() only find units in the latest directory.
  std::shared_ptr<const directory> snapshot();

  /// The number of links to each platform that is not configured, as read since the start or end().
  const std::map<std::string, std::int64_t>& unknown_links() const { return unknown_links_; }

  /// Ends all actors.
  void end();

private:
  using known_units = std::unordered_map<domain::uuid, const directory_unit*, domain::uuid_hash>;

  /// The times of changes of an account's units, and the clock that they use.
  struct change_times {
    std::shared_ptr<change_clock> clock;
    std::deque<unit_changes> of_units;
  };

  /// The data of an account's units, allocated together to save memory.
  struct unit_blocks {
    std::shared_ptr<std::vector<unit_setup>> setups;
    std::shared_ptr<change_times> changes;
  };

  std::vector<directory_unit> apply_units(const directory_account& owner, const directory_account* before,
                                          std::vector<store::live_property>& properties);
  directory_unit apply_unit(const directory_account& owner, store::live_unit& unit,
                            const std::shared_ptr<const unit_setup>& setup, known_units& known,
                            const unit_blocks& blocks);
  unit_setup to_setup(store::live_unit& unit, const std::shared_ptr<const domain::account>& settings,
                      const std::shared_ptr<const domain::property_terms>& property);
  std::shared_ptr<const account_contacts>
  contacts_of(const domain::account& settings, const std::vector<store::notification_target>& targets) const;
  void count_edit(const directory_account& owner);

  runtime& runtime_;
  actor_registry_setup setup_;
  std::shared_ptr<const calendar_context> context_;
  std::unordered_map<domain::uuid, std::shared_ptr<const directory_account>, domain::uuid_hash> accounts_;
  std::unordered_map<domain::uuid, std::shared_ptr<const unit_setup>, domain::uuid_hash>
      edited_; ///< newer than in the directory
  std::unordered_map<domain::uuid, std::size_t, domain::uuid_hash>
      edit_counts_;                             ///< of units in edited_, by account
  std::vector<domain::uuid> outdated_accounts_; ///< all of their units were in edited_ when they were added
  std::size_t outdated_units_ = 0;              ///< of these accounts
  std::map<std::string, std::int64_t> unknown_links_;
  std::unordered_set<domain::uuid, domain::uuid_hash> changed_; ///< accounts, since latest_
  std::shared_ptr<const directory> latest_; ///< without the units of accounts applied since
  std::int64_t version_ = 0;                ///< of latest_
  bool has_new_accounts_ = false;           ///< since latest_
};

} // namespace roost::actors
