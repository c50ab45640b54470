#pragma once

#include "actors/inventory/follower_setup.hpp"
#include "store/database/change_stream.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace roost::actors {

/// What the change_follower keeps in memory: reads it from the store and tells the actor_registry. Its
/// methods throw store::error; what they took up until then is taken up again without harm.
class read_model_loader {
public:
  read_model_loader(runtime& rt, const follower_setup& setup);

  /// Reads everything. Returns where the stream stood at the least: what came later may be in memory, too.
  store::stream_point load(store::session& db);

  /// Reads what these entries name.
  void apply(store::session& db, std::span<const store::stream_entry> entries);

  /// Reads accounts of whose bookings some were missed, with their tenants.
  void read_again(store::session& db, std::span<const domain::uuid> accounts);

  /// An edit of this process's own.
  void apply(const store::edited_unit& edit);

  /// Ends all actors; memory holds nothing.
  void forget();

private:
  using id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

  std::size_t load_accounts(store::session& db); ///< with all credentials; returns how many there are
  void read_accounts(store::session& db, std::span<const domain::uuid> accounts, bool with_tenants);
  void read_edits(store::session& db, const std::vector<domain::uuid>& units);
  void read_stays(store::session& db, const std::vector<domain::uuid>& bookings);
  void publish();

  const follower_setup& setup_;
  actor_registry actor_registry_;
};

} // namespace roost::actors
