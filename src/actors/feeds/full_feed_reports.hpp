#pragma once

#include "actors/feeds/feed.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/runtime/clock.hpp"
#include "listings/publication.hpp"
#include "metrics/registry.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>

/// Metrics and log events of full lists.
namespace roost::actors {

/// The totals of a platform's full lists in memory.
struct full_feed_totals {
  std::size_t lists = 0, units = 0, bytes = 0, gzip_bytes = 0;

  full_feed_totals& operator+=(const feed_snapshot& list) {
    ++lists;
    units += list.units;
    bytes += list.bytes;
    gzip_bytes += list.gzip_bytes;
    return *this;
  }
};

/// The metrics of a platform's full lists.
class full_feed_metrics {
public:
  full_feed_metrics(metrics::registry& registry, const std::string& platform, wall_clock now);

  /// Records a finished build, whose list has the time `at`, and the new totals.
  void built(const full_feed_totals& all, domain::timestamp at, std::chrono::steady_clock::duration took);

private:
  metrics::histogram seconds_;
  metrics::gauge lists_, units_, bytes_, gzip_bytes_;
  std::shared_ptr<std::atomic<domain::timestamp>> last_built_; ///< the epoch before the first build
};

/// Logs the data gaps of a full list's units: the number of units per gap, and the first affected units. Logs
/// nothing if there are none. `gaps` has one entry per unit.
void report_data_gaps(const std::string& platform, std::span<const directory_unit* const> units,
                      std::span<const listings::data_gaps> gaps);

} // namespace roost::actors
