#pragma once

#include "actors/feeds/feed.hpp"
#include "actors/runtime/clock.hpp"
#include "metrics/registry.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace roost::actors {

/// What a platform's full lists in memory come to.
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

/// What a platform's full lists tell the metrics.
class full_feed_metrics {
public:
  full_feed_metrics(metrics::registry& registry, const std::string& platform, wall_clock now);

  void built(const full_feed_totals& all, domain::timestamp at, std::chrono::steady_clock::duration took);

private:
  metrics::histogram seconds_;
  metrics::gauge lists_, units_, bytes_, gzip_bytes_;
  std::shared_ptr<std::atomic<domain::timestamp>> last_; ///< build; the epoch before the first
};

} // namespace roost::actors
