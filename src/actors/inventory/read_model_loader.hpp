#pragma once

#include "actors/inventory/actor_registry.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "metrics/registry.hpp"
#include "store/database/change_stream.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace roost::actors {

/// The credentials that must be read again.
struct credential_changes {
  bool keys = false;                  ///< tokens, keys and secrets
  std::vector<domain::uuid> accounts; ///< whose users may have changed
  std::vector<domain::uuid> ended;    ///< sessions and connections
};

struct follower_setup {
  std::string store_url;
  actor_registry_setup actor_registry;
  std::shared_ptr<held_lease> lease; ///< gets the position that memory has reached
  std::shared_ptr<replication_position> followed = std::make_shared<replication_position>();
  published<actors::directory>* directory = nullptr;
  /// Called on the follower's thread when accounts have changed and a new directory was published.
  std::function<void()> directory_published = [] {};
  /// Called on the follower's thread when this server has become the writer and memory has caught up.
  std::function<void()> took_over = [] {};
  /// Called on the follower's thread when memory was dropped: anything derived from it is invalid.
  std::function<void()> history_forgotten = [] {};
  /// Reads all credentials. May throw store::error.
  std::function<void(store::session&)> load_credentials = [](store::session&) {};
  /// Reads changed credentials again. May throw store::error.
  std::function<void(store::session&, const credential_changes&)> apply_credentials =
      [](store::session&, const credential_changes&) {};
  std::chrono::milliseconds interval{25};                     ///< between polls of the store
  std::chrono::milliseconds keep{std::chrono::hours{7 * 24}}; ///< how long entries of the stream are kept
  bool on_hold = false;                                       ///< keeps all entries
  time_check is_time_trusted = actors::is_time_trusted;       ///< else no entries are deleted
  /// If accounts with this many units have newer terms for all of their units, a new directory is published
  /// to free the old terms.
  std::size_t max_outdated_units = 1'000;
  metrics::registry* registry = nullptr;
};

/// Loads memory from the store for the change_follower, and updates the actor_registry. Methods throw
/// store::error; changes applied before the error may be applied again.
class read_model_loader {
public:
  read_model_loader(runtime& rt, const follower_setup& setup);

  /// Reads everything. Returns a position up to which memory holds all changes; it may hold later ones, too.
  store::stream_point load(store::session& db);

  /// Reads the objects named by these entries.
  void apply(store::session& db, std::span<const store::stream_entry> entries);

  /// Reads accounts with missing bookings again, including their tenants.
  void reload(store::session& db, std::span<const domain::uuid> accounts);

  /// Applies an edit made by this process.
  void apply(const store::edited_unit& edit);

  /// Ends all actors and empties memory.
  void forget();

private:
  using id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

  std::size_t
  load_accounts(store::session& db); ///< including all credentials; returns the number of accounts
  void read_units(store::session& db, std::span<const domain::uuid> units);
  void read_holds(store::session& db, std::span<const domain::uuid> units);
  void read_accounts(store::session& db, std::span<const domain::uuid> accounts, bool with_tenants);
  /// `moved` has each moved booking with every unit that it may have left.
  void read_stays(store::session& db, const std::vector<domain::uuid>& bookings,
                  std::vector<store::cancelled_booking> moved);
  void publish();

  const follower_setup& setup_;
  actor_registry actor_registry_;
};

} // namespace roost::actors
