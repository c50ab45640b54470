#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/published.hpp"
#include "bytes/prebuilt.hpp"
#include "feeds/feed_rows.hpp"
#include "metrics/registry.hpp"

#include <memory>

namespace roost::actors {

/// A built list.
struct feed_snapshot {
  bytes::encoded_body document;
  domain::timestamp built_at{};
  std::int64_t position = 0; ///< of the change stream: the list shows all changes up to it
  std::size_t units = 0, bytes = 0, gzip_bytes = 0;
};

struct feed_setup {
  std::size_t platform = 0;
  std::string name; ///< the platform's, for metrics and log
  std::chrono::milliseconds interval{};
  std::chrono::milliseconds first_interval{}; ///< after a build that all feeds start at the same time
  wall_clock now;
  const published<actors::directory>* directory = nullptr;
  std::shared_ptr<const change_clock> changes; ///< of the directory's units
  std::shared_ptr<const replication_position> followed = std::make_shared<const replication_position>();
  published<feed_snapshot>* snapshot = nullptr; ///< read without a message
  metrics::registry* registry = nullptr;
};

/// The portfolio has changed, or this server has become the writer: until then, its list may lack bookings
/// that the earlier writer's list has shown.
struct rebuild_feed {};

/// The data of all lists is invalid: there is no list until the next one is built.
struct forget_feed {};

/// The interval has passed, or the UTC date has changed.
struct planned_rebuild {
  std::uint64_t number = 0;
  bool by_interval = false;
};

/// Requests a list that shows everything committed before (the booking engine's list is live).
struct read_live_feed {};

struct live_feed {
  std::shared_ptr<const feed_snapshot> snapshot;
};

struct check_feed_progress {
  std::uint64_t build = 0;
  std::size_t received = 0;
};

/// Owns one platform's last built partial feed. Requests rows from the calendars of changed units, a limited
/// number at a time so that other actors can run, while the assembler joins and compresses the text on its
/// own thread. Responds to live reads with the last list as long as nothing has changed.
using feed = caf::typed_actor<caf::reacts_to<rebuild_feed>, caf::reacts_to<planned_rebuild>,
                              caf::replies_to<read_live_feed>::with<live_feed>, caf::reacts_to<feed_row>,
                              caf::reacts_to<check_feed_progress>, caf::reacts_to<forget_feed>>;

/// A platform's feed: the actor that builds it, and its last list.
struct platform_feed {
  feed actor;
  std::unique_ptr<published<feed_snapshot>> snapshot;
};

/// Adds the next pages of a list. Blocking.
struct add_pages {
  std::shared_ptr<feeds::feed_writer> writer; ///< owns the memory that the drafts refer to
  std::vector<feeds::page_draft> pages;
};

/// Completes a list after all pages have been added.
struct finish_feed {
  std::shared_ptr<feeds::feed_writer> writer;
};

struct assembled_feed {
  feed_snapshot snapshot;
  std::shared_ptr<const feeds::feed_pages> pages;
};

/// Joins and compresses the lists of all feeds, on its own thread.
using feed_assembler =
    caf::typed_actor<caf::reacts_to<add_pages>, caf::replies_to<finish_feed>::with<assembled_feed>>;

feed_assembler spawn_feed_assembler(runtime& rt);
feed spawn_feed(runtime& rt, feed_assembler assembler, feed_setup setup);

} // namespace roost::actors
