#pragma once

#include "actors/inventory/directory_unit.hpp"
#include "actors/inventory/sharded_index.hpp"
#include "actors/inventory/unit_order.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::actors {

/// The unit's ID on a platform; empty where it is not linked.
std::string_view linked_id(const directory_unit& unit, std::size_t platform);

/// Which unit a reference means. Immutable; the one that with() makes of it shares all with it that has not
/// changed. Units that are withheld from a platform (listings::is_withheld) count as not linked to it, so
/// that they come after all others. They are found still, because a cancel may mean one of them.
class directory {
public:
  /// What a reference can mean, the unit that it does mean first.
  using candidates = boost::container::small_vector<const directory_unit*, 4>;

  using accounts = std::vector<std::shared_ptr<const directory_account>>;

  directory(std::int64_t version, platform_list platforms, const accounts& known);

  /// This one with these accounts, each once, in place of what it knows of them. The cost is that of their
  /// units.
  directory with(std::int64_t version, const accounts& changed) const;

  /// Another one than before when accounts have changed.
  std::int64_t version() const { return version_; }

  /// The units that are linked to the platform under this ID; for marketplace D and the engine also those
  /// that are linked under the ID's first part, after them (Partner API, Unit mapping record). Of several the
  /// one that was made first comes first.
  candidates find_all(std::size_t platform, std::string_view external_id) const;

  /// The first of find_all(), or null.
  const directory_unit* find(std::size_t platform, std::string_view external_id) const;

  /// Whether several accounts have linked units to the platform under this ID that are not withheld.
  bool is_shared(std::size_t platform, std::string_view external_id) const;

  /// As find_all(), and on single-landlord platforms by the unit's UUID, too (Partner API, Booking submission
  /// request). There only units of the platform's account count.
  candidates find_all_on(std::size_t platform, std::string_view external_id) const;

  /// The first of find_all_on(), or null.
  const directory_unit* find_on(std::size_t platform, std::string_view external_id) const;

  const directory_unit* find_unit(const domain::uuid& id) const;

  const directory_account* find_account(const domain::uuid& id) const;

  /// Whose full feed a landlord key means: the account with this key, else the accounts whose card for the
  /// platform has this Integration Email, in any letter case (Partner API, Full feed).
  std::vector<const directory_account*> accounts_for(std::size_t platform,
                                                     std::string_view landlord_key) const;

  /// As find_all(), of these accounts only. Where none is linked so, the unit of theirs with this UUID.
  candidates find_all_of(const std::vector<const directory_account*>& accounts, std::size_t platform,
                         std::string_view external_id) const;

  /// The first of find_all_of(), or null.
  const directory_unit* find_of(const std::vector<const directory_account*>& accounts, std::size_t platform,
                                std::string_view external_id) const;

  /// Whether this is what the platform calls the unit: its linked ID, as in find(); its UUID when the unit is
  /// not linked.
  bool is_named(const directory_unit& unit, std::size_t platform, std::string_view external_id) const;

  /// The units of a platform's partial feed before its other rules, in feed order (by creation, then id):
  /// those linked to it; of a single-landlord platform every unit of its account.
  const unit_order& units_on(std::size_t platform) const { return on_platform_[platform]; }

  std::size_t unit_count() const { return by_id_.size(); }

private:
  /// By its ID on a platform to which it is linked; those that are withheld come last.
  struct link_rules {
    using value = const directory_unit*;
    using key = std::string_view;
    std::size_t platform;
    static std::size_t hash(key id) { return boost::hash<key>{}(id); }
    key key_of(value unit) const { return linked_id(*unit, platform); }
    bool before(value a, value b) const;
  };

  struct id_rules {
    using value = const directory_unit*;
    using key = domain::uuid;
    static std::size_t hash(const key& id) { return domain::uuid_hash{}(id); }
    static const key& key_of(value unit) { return unit->id; }
    static bool before(value a, value b) { return comes_before(a, b); }
  };

  struct account_rules {
    using value = std::shared_ptr<const directory_account>;
    using key = domain::uuid;
    static std::size_t hash(const key& id) { return domain::uuid_hash{}(id); }
    static const key& key_of(const value& account) { return account->id; }
    static bool before(const value&, const value&) { return false; } // each is there once
  };

  struct landlord_key_rules {
    using value = const directory_account*;
    using key = std::string_view;
    static std::size_t hash(key of) { return boost::hash<key>{}(of); }
    static key key_of(value account) { return account->settings->landlord_key; }
    static bool before(value a, value b) { return a->id < b->id; }
  };

  /// By the Integration Email of its card for a platform, in folded case.
  struct email_rules {
    using value = const directory_account*;
    using key = std::string_view;
    const std::string* platform;
    static std::size_t hash(key of) { return boost::hash<key>{}(of); }
    std::string key_of(value account) const { return integration_email(*account, *platform).value_or(""); }
    static bool before(value a, value b) { return a->id < b->id; }
  };

  class change;

  static std::optional<std::string> integration_email(const directory_account& account,
                                                      const std::string& platform);
  void add_linked(candidates& to, std::size_t platform, std::string_view external_id) const;

  std::int64_t version_;
  platform_list platforms_;
  sharded_index<account_rules> accounts_;        // the others point into them
  std::vector<sharded_index<link_rules>> links_; // by platform
  std::vector<unit_order> on_platform_;
  sharded_index<id_rules> by_id_;
  sharded_index<landlord_key_rules> by_landlord_key_;
  std::vector<sharded_index<email_rules>> by_integration_email_; // by platform
};

} // namespace roost::actors
