#pragma once

#include "actors/inventory/account.hpp"
#include "actors/inventory/sharded_index.hpp"
#include "actors/inventory/unit_calendar.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::actors {

struct directory_account;

/// A unit as needed to resolve references to it.
struct directory_unit {
  const domain::uuid& id() const { return setup->terms.id; }

  unit_calendar calendar;
  const directory_account* owner = nullptr;
  std::shared_ptr<const unit_setup> setup; ///< shared with the calendar, whose terms may be newer
  std::shared_ptr<unit_changes> changes = nullptr;
};

/// An account as needed to resolve references to it.
struct directory_account {
  domain::uuid id{};
  account actor;
  std::shared_ptr<const account_contacts> contacts;
  std::shared_ptr<const domain::account> settings;
  std::vector<directory_unit> units; ///< their owner is this account
};

/// Returns whether unit `a` comes before unit `b` in lists: by creation, then id.
bool comes_before(const directory_unit* a, const directory_unit* b);

/// Units in feed order. Immutable; split into chunks, which similar lists share.
class unit_order {
public:
  using units = std::vector<const directory_unit*>;

  std::size_t size() const { return starts_.empty() ? 0 : starts_.back(); }

  const directory_unit* operator[](std::size_t index) const;

  /// Calls `visit` with each unit in order.
  template <class Function>
  void for_each(Function visit) const {
    for (const auto& chunk : chunks_)
      for (const auto* unit : *chunk) visit(unit);
  }

  /// Returns a copy with `removed` left out and `added` inserted; both may be in any order. Removed units
  /// must be in this one.
  unit_order with(units removed, units added) const;

private:
  class change;

  std::vector<std::shared_ptr<const units>> chunks_; // none is empty
  std::vector<std::uint32_t> starts_;                // of the chunks, then the end of the last
};

/// Resolves references to units. Immutable; with() returns a copy that shares everything unchanged. Units
/// that are withheld from a platform (listings::is_withheld) come after all others: they count as not linked,
/// but a cancellation may refer to one of them.
class directory {
public:
  /// The units that a reference can mean, the best match first.
  using candidates = boost::container::small_vector<const directory_unit*, 4>;

  using accounts = std::vector<std::shared_ptr<const directory_account>>;

  directory(std::int64_t version, platform_list platforms, const accounts& known);

  /// Returns a copy with these (distinct) accounts added or replaced. The cost depends on the number of their
  /// units.
  directory with(std::int64_t version, const accounts& changed) const;

  /// Differs after accounts have changed.
  std::int64_t version() const { return version_; }

  /// Returns the units linked to the platform under this id, in any account. If there are none, not even
  /// withheld ones, returns for marketplace D and the engine those linked under the id's first part (Partner
  /// API, Unit mapping record). Units created earlier come first.
  candidates find_all(std::size_t platform, std::string_view external_id) const;

  /// As find_all(), and then the units linked under the id's first part in any case: the id referred to them
  /// until another unit was linked under it, so they may have bookings under it.
  candidates find_all_ever(std::size_t platform, std::string_view external_id) const;

  /// Returns the first of find_all(), or null.
  const directory_unit* find(std::size_t platform, std::string_view external_id) const;

  /// Whether several units that are not withheld are linked to the platform under this id.
  bool is_shared(std::size_t platform, std::string_view external_id) const;

  /// As find_all(), but on single-landlord platforms also by the unit's UUID, and only among units of the
  /// platform's account (Partner API, Booking submission request).
  candidates find_all_on(std::size_t platform, std::string_view external_id) const;

  /// Returns the first of find_all_on(), or null.
  const directory_unit* find_on(std::size_t platform, std::string_view external_id) const;

  const directory_unit* find_unit(const domain::uuid& id) const;

  /// Returns the unit whose calendar is exported under this address, or null.
  const directory_unit* find_exported(const domain::uuid& address) const;

  const directory_account* find_account(const domain::uuid& id) const;

  /// Returns the accounts of the full feed for a landlord key: the account with this key, otherwise the
  /// accounts whose card for the platform has this Integration Email in any letter case (Partner API, Full
  /// feed).
  std::vector<const directory_account*> accounts_for(std::size_t platform,
                                                     std::string_view landlord_key) const;

  /// As find_all(), but only among these accounts. If none is linked under this id, their unit with this
  /// UUID.
  candidates find_all_of(const std::vector<const directory_account*>& accounts, std::size_t platform,
                         std::string_view external_id) const;

  /// Returns the first of find_all_of(), or null.
  const directory_unit* find_of(const std::vector<const directory_account*>& accounts, std::size_t platform,
                                std::string_view external_id) const;

  /// Whether the platform uses this id for the unit: the linked id as in find(), or the UUID if it is not
  /// linked.
  bool is_named(const directory_unit& unit, std::size_t platform, std::string_view external_id) const;

  /// Returns the units that a platform's partial feed may contain, in feed order: those linked to it, or all
  /// units of a single-landlord platform's account.
  const unit_order& units_on(std::size_t platform) const { return on_platform_[platform]; }

  std::size_t unit_count() const { return by_id_.size(); }

private:
  /// Units by linked id; withheld ones come last.
  struct link_rules {
    using value = const directory_unit*;
    using key = std::string_view;
    std::size_t platform;
    static std::size_t hash(key id) { return boost::hash<key>{}(id); }
    key key_of(value unit) const { return unit->setup->linked_id(platform); }
    bool before(value a, value b) const;
  };

  struct id_rules {
    using value = const directory_unit*;
    using key = domain::uuid;
    static std::size_t hash(const key& id) { return domain::uuid_hash{}(id); }
    static const key& key_of(value unit) { return unit->id(); }
    static bool before(value a, value b) { return comes_before(a, b); }
  };

  /// Units by the addresses of their calendar exports, if these were renewed.
  struct export_rules {
    using value = const directory_unit*;
    using key = domain::uuid;
    static std::size_t hash(const key& address) { return domain::uuid_hash{}(address); }
    static const key& key_of(value unit) { return domain::export_address_of(unit->setup->terms); }
    static bool before(value a, value b) { return comes_before(a, b); }
  };

  struct account_rules {
    using value = std::shared_ptr<const directory_account>;
    using key = domain::uuid;
    static std::size_t hash(const key& id) { return domain::uuid_hash{}(id); }
    static const key& key_of(const value& account) { return account->id; }
    static bool before(const value&, const value&) { return false; } // keys are unique
  };

  struct landlord_key_rules {
    using value = const directory_account*;
    using key = std::string_view;
    static std::size_t hash(key text) { return boost::hash<key>{}(text); }
    static key key_of(value account) { return account->settings->landlord_key; }
    static bool before(value a, value b) { return a->id < b->id; }
  };

  /// Accounts by the key of the Integration Email of their card for a platform.
  struct email_rules {
    using value = const directory_account*;
    using key = std::string_view;
    const std::string* platform;
    static std::size_t hash(key text) { return boost::hash<key>{}(text); }
    std::string key_of(value account) const { return integration_email(*account, *platform).value_or(""); }
    static bool before(value a, value b) { return a->id < b->id; }
  };

  class change;

  static std::optional<std::string> integration_email(const directory_account& account,
                                                      const std::string& platform);
  void add_linked(candidates& matches, std::size_t platform, std::string_view external_id) const;
  void add_linked_by_property(candidates& matches, std::size_t platform, std::string_view external_id) const;

  std::int64_t version_;
  platform_list platforms_;
  sharded_index<account_rules> accounts_;        // the other indexes point into them
  std::vector<sharded_index<link_rules>> links_; // by platform
  std::vector<unit_order> on_platform_;
  sharded_index<id_rules> by_id_;
  sharded_index<export_rules> by_export_address_;
  sharded_index<landlord_key_rules> by_landlord_key_;
  std::vector<sharded_index<email_rules>> by_integration_email_; // by platform
};

} // namespace roost::actors
