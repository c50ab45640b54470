#pragma once

#include "actors/feeds/feed.hpp"
#include "actors/runtime/storage.hpp"

#include <caf/typed_actor.hpp>

#include <string>

namespace roost::actors {

/// Asks for everything that one landlord publishes in full. `landlord_key` is an account's landlord key, or
/// the Integration Email of the platform's cards, which several accounts may share.
struct read_full_list {
  std::string landlord_key;
};

/// One listing in full, read live.
struct read_full_listing {
  std::string landlord_key, external_id;
};

struct full_feed_setup {
  std::size_t platform = 0;
  platform_list platforms;
  std::chrono::milliseconds interval{}; ///< how old a bulk answer may be
  wall_clock now;
  const published<directory>* known = nullptr;
  storage_actor storage;
  feed_assembler assembler;
  metrics::registry* registry = nullptr;
};

/// Owns one platform's bulk answers, each for one landlord key: built when one is asked for and older than
/// the interval, made before the portfolio or the UTC date changed, or not there. What a full listing shows
/// beside its terms comes from the store, everything else from the calendars.
using full_feed = caf::typed_actor<caf::replies_to<read_full_list>::with<live_feed>,
                                   /// Withheld: the account does not have it.
                                   caf::replies_to<read_full_listing>::with<listing_response>>;

full_feed spawn_full_feed(runtime& rt, full_feed_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_full_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_full_listing)
