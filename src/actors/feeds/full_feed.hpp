#pragma once

#include "actors/feeds/feed.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"

#include <string>

namespace roost::actors {

/// Requests a landlord's full list. `landlord_key` is an account's landlord key, or the Integration Email of
/// the platform's cards, which several accounts may share.
struct read_full_list {
  std::string landlord_key;
};

/// Reads one current full listing.
struct read_full_listing {
  std::string landlord_key, external_id;
};

struct full_feed_setup {
  std::size_t platform = 0;
  platform_list platforms;
  std::chrono::milliseconds interval{}; ///< maximum age of a list
  wall_clock now;
  const published<actors::directory>* directory = nullptr;
  std::shared_ptr<const replication_position> followed = std::make_shared<const replication_position>();
  std::shared_ptr<const held_lease> lease = std::make_shared<const held_lease>();
  storage_actor storage;
  feed_assembler assembler;
  metrics::registry* registry = nullptr;
};

/// Owns one platform's full lists by landlord key. Builds a list when it is requested, and missing, older
/// than the interval, or built before this server became the writer or the portfolio or the UTC date changed.
/// Presentations come from the store, everything else from the calendars.
using full_feed = caf::typed_actor<caf::replies_to<read_full_list>::with<live_feed>,
                                   /// Responds with `withheld` if the accounts do not have the unit.
                                   caf::replies_to<read_full_listing>::with<listing_response>>;

full_feed spawn_full_feed(runtime& rt, full_feed_setup setup);

} // namespace roost::actors
