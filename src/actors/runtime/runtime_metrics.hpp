#pragma once

#include "actors/runtime/run_readings.hpp"
#include "actors/runtime/runtime.hpp"
#include "metrics/registry.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::actors {

/// Shows in a registry what the threads have counted about actors, the lengths of run queues and the ends of
/// asks. To be called for every scrape.
class runtime_metrics {
public:
  /// Both must outlive this.
  runtime_metrics(runtime& rt, metrics::registry& registry);

  void collect();

private:
  /// A counter that follows a number which only grows.
  class following {
  public:
    explicit following(metrics::counter shown) : shown_(shown) {}
    void follow(double now) { shown_.increment(now - std::exchange(seen_, now)); }

  private:
    metrics::counter shown_;
    double seen_ = 0;
  };
  /// The same for durations.
  struct histogram {
    metrics::histogram shown;
    durations_read seen;
    void follow(const durations_read& now);
  };
  struct of_type {
    metrics::gauge alive, deepest;
    following messages;
    histogram runs, waits;
    std::uint32_t deepest_now = 0, deepest_before = 0;
  };
  struct of_thread {
    following processor_time, busy;
    std::optional<following> turns, stalls, steals; ///< of a scheduler's thread
  };

  of_type& shown_type(const std::string& name);
  of_thread& shown_thread(const std::string& name, bool is_scheduled);
  void collect_types();
  void collect_threads();
  void collect_asks();
  void age_deepest();

  runtime& runtime_;
  metrics::registry& registry_;
  std::map<std::string, of_type> types_;
  std::map<std::string, of_thread> threads_;
  following turns_, asks_;
  std::vector<following> failed_asks_;
  metrics::gauge asks_in_flight_;
  std::chrono::steady_clock::time_point deepest_since_ = std::chrono::steady_clock::now();
};

} // namespace roost::actors
