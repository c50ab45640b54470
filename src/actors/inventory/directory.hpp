#pragma once

#include "actors/inventory/account.hpp"
#include "actors/inventory/unit_calendar.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::actors {

struct directory_account;
struct directory_unit;

/// The unit's ID on a platform; empty where it is not linked.
std::string_view linked_id(const directory_unit& unit, std::size_t platform);

struct directory_unit {
  domain::uuid id{};
  unit_calendar calendar;
  const directory_account* owner = nullptr;
  domain::timestamp created_at{};
  std::shared_ptr<const unit_setup> setup; ///< the calendar's own; its terms may be older than the calendar's
  std::shared_ptr<unit_changes> changes = nullptr;
};

/// An account as references to it need it.
struct directory_account {
  domain::uuid id{};
  account actor;
  std::shared_ptr<const account_contacts> contacts;
  std::shared_ptr<const domain::account> settings;
  std::vector<directory_unit> units; ///< each with this account for its owner
};

/// Which unit a reference means. Immutable: the portfolio loader replaces it as a whole when the portfolio
/// changes. Units that are withheld from a platform (domain::is_withheld) count as not linked to it, so that
/// they come after all others. They are found still, because a cancel may mean one of them.
class directory {
public:
  /// What a reference can mean, the unit that it does mean first.
  using candidates = boost::container::small_vector<const directory_unit*, 4>;

  directory(std::int64_t version, platform_list platforms,
            std::vector<std::shared_ptr<const directory_account>> accounts);

  /// The store's change version that this is a snapshot of.
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
  const std::vector<const directory_unit*>& units_on(std::size_t platform) const {
    return on_platform_[platform];
  }

  std::size_t unit_count() const { return by_id_.size(); }

private:
  /// By its ID on a platform to which it is linked. A set of units alone is a third of a map's size.
  struct link_hash {
    using is_transparent = void;
    std::size_t platform;
    std::size_t operator()(std::string_view id) const { return boost::hash<std::string_view>{}(id); }
    std::size_t operator()(const directory_unit* unit) const { return (*this)(linked_id(*unit, platform)); }
  };
  struct link_equal {
    using is_transparent = void;
    std::size_t platform;
    bool operator()(const directory_unit* a, const directory_unit* b) const {
      return (*this)(linked_id(*a, platform), b);
    }
    bool operator()(std::string_view id, const directory_unit* unit) const {
      return id == linked_id(*unit, platform);
    }
    bool operator()(const directory_unit* unit, std::string_view id) const { return (*this)(id, unit); }
  };
  using by_external_id = boost::unordered_flat_set<const directory_unit*, link_hash, link_equal>;

  struct id_hash {
    using is_transparent = void;
    std::size_t operator()(const domain::uuid& id) const { return domain::uuid_hash{}(id); }
    std::size_t operator()(const directory_unit* unit) const { return domain::uuid_hash{}(unit->id); }
  };
  struct id_equal {
    using is_transparent = void;
    bool operator()(const directory_unit* a, const directory_unit* b) const { return a->id == b->id; }
    bool operator()(const domain::uuid& id, const directory_unit* unit) const { return id == unit->id; }
    bool operator()(const directory_unit* unit, const domain::uuid& id) const { return id == unit->id; }
  };

  void prepare_links();
  void add_landlord_keys();
  void add_link(const directory_unit& unit, std::size_t platform);
  void add_linked(candidates& to, std::size_t platform, std::string_view external_id) const;
  bool is_withheld(const directory_unit& unit, std::size_t platform) const;
  std::span<const directory_unit* const> others_under(std::size_t platform,
                                                      std::string_view external_id) const;

  std::int64_t version_;
  platform_list platforms_;
  std::vector<std::shared_ptr<const directory_account>> accounts_; // by id; the indexes point into them
  std::vector<by_external_id> links_; // by platform: of several under one ID the one that is meant
  std::vector<std::vector<const directory_unit*>> others_; // by platform: the rest of them, by ID
  std::vector<std::vector<const directory_unit*>> on_platform_;
  boost::unordered_flat_set<const directory_unit*, id_hash, id_equal> by_id_;
  boost::unordered_flat_map<std::string_view, const directory_account*> by_landlord_key_;
  std::vector<std::unordered_multimap<std::string, const directory_account*>> by_integration_email_;
};

} // namespace roost::actors
