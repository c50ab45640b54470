#pragma once

#include "metrics/registry.hpp"

namespace roost::metrics {

/// What the system knows of this process, under the names that every Prometheus client library uses.
class process_metrics {
public:
  explicit process_metrics(registry& registry);

  /// Reads it anew. Never on two threads at a time.
  void collect();

private:
  gauge resident_memory_, open_files_, max_files_, start_;
  counter cpu_;
  double counted_cpu_ = 0;
};

} // namespace roost::metrics
