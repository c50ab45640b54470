#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/inventory/hot_units.hpp"
#include "store/engine/unit_edits.hpp"
#include "store/portfolio/live.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace roost::actors {

struct actor_registry_setup {
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<change_clock> changes = std::make_shared<change_clock>(); ///< of the units; the feeds' own
  std::shared_ptr<hot_units> busy = std::make_shared<hot_units>();
  /// Whether users of this role are mailed about bookings.
  std::function<bool(const std::string& role)> is_notified;
};

/// The accounts and calendars that there are: spawns them, tells them what has changed, ends those that are
/// gone, and makes directories of them. Nothing of it is safe to use from two threads at once.
class actor_registry {
public:
  actor_registry(runtime& rt, actor_registry_setup setup);

  /// An account as the store has it. Whether it was known before.
  bool apply(store::live_account& changed, std::vector<domain::tenant> tenants);

  /// A unit's new terms, without a new directory: none of them decides what a reference means.
  void apply(const store::edited_unit& edit);

  /// Bookings that this process did not make or cancel itself. The calendars know some of them already.
  void apply(std::span<const store::live_stay> stays);

  /// The nights of what was cancelled are free, unless the calendars know that already.
  void release(std::span<const store::cancelled_booking> cancelled);

  /// Units of accounts in which every unit has newer terms than the directory's. A new directory that has
  /// them gives the memory of the old ones back.
  std::size_t outdated_units() const { return outdated_units_; }
  void fold_edits();

  /// The directory of what is known now; apply() and release() speak of units that are in the latest one. Its
  /// version is another one than before when accounts were applied.
  std::shared_ptr<const directory> snapshot();

  /// Ends all actors.
  void end();

private:
  using known_units = std::unordered_map<domain::uuid, const directory_unit*, domain::uuid_hash>;

  /// Of an account's units, which share the ownership: allocated one by one they would take more memory.
  struct unit_blocks {
    std::shared_ptr<std::vector<unit_setup>> setups = std::make_shared<std::vector<unit_setup>>();
    std::shared_ptr<std::deque<unit_changes>> changes = std::make_shared<std::deque<unit_changes>>();
  };

  std::vector<directory_unit> apply_units(const directory_account& owner, const directory_account* before,
                                          std::vector<store::live_property>& properties);
  directory_unit apply_unit(const directory_account& owner, store::live_unit& unit,
                            const std::shared_ptr<const unit_setup>& setup, known_units& known,
                            const unit_blocks& blocks);
  unit_setup to_setup(store::live_unit& unit, const std::shared_ptr<const domain::account>& settings,
                      const std::shared_ptr<const domain::property_terms>& property) const;
  std::optional<std::size_t> index_of(const std::string& platform) const;
  std::shared_ptr<const account_contacts>
  contacts_of(const domain::account& settings, const std::vector<store::notification_target>& targets) const;
  const directory_unit* find_unit(const domain::uuid& id) const;
  void note_edit_in(const directory_account& owner);

  runtime& runtime_;
  actor_registry_setup setup_;
  std::shared_ptr<const calendar_context> around_;
  std::unordered_map<domain::uuid, std::shared_ptr<const directory_account>, domain::uuid_hash> accounts_;
  std::unordered_map<domain::uuid, std::shared_ptr<const unit_setup>, domain::uuid_hash>
      edited_; ///< newer than the directory's
  std::unordered_map<domain::uuid, std::size_t, domain::uuid_hash>
      edits_in_;                                ///< units in edited_, by account
  std::vector<domain::uuid> outdated_accounts_; ///< with all of their units in edited_, when they were added
  std::size_t outdated_units_ = 0;              ///< of them
  std::unordered_set<domain::uuid, domain::uuid_hash> changed_; ///< accounts, since the latest
  std::shared_ptr<const directory> latest_; ///< the units of accounts that were applied since are not in it
  std::int64_t version_ = 0;                ///< of the latest
  bool has_new_accounts_ = false;           ///< since the latest
};

} // namespace roost::actors
