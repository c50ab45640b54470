#pragma once

#include "actors/runtime/run_meter.hpp"
#include "actors/runtime/runtime.hpp"
#include "metrics/registry.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::actors {

/// A reading of a duration_tally.
struct duration_reading {
  std::array<std::uint64_t, duration_tally::buckets> counts{};
  std::chrono::nanoseconds sum{};
};

/// The bounds of a duration_tally that its histogram has, by index: from `first` up to, but without, `end`.
struct exported_bounds {
  std::size_t first, end;
};

/// The counts of one actor type on all threads.
struct type_reading {
  std::int64_t alive = 0;
  std::uint64_t messages = 0;
  duration_reading runs, waits;
  std::uint32_t deepest = 0; ///< largest mailbox since the last reading
};

/// The counts of all threads of one name.
struct thread_reading {
  bool is_scheduled = false; ///< runs actors for a scheduler; otherwise an actor owns it
  std::chrono::nanoseconds processor_time{}, busy{}; ///< `busy`: time in measured runs
  std::uint64_t runs = 0, steals = 0, stalls = 0;
};

/// Adds up the counts of all threads by actor type. Resets `deepest`.
std::map<std::string, type_reading> read_types();
/// Adds up the counts by thread name.
std::map<std::string, thread_reading> read_threads();

/// Exports measurements of actors and threads, run queue lengths and ask outcomes to a metrics registry.
class runtime_metrics {
public:
  /// Both must outlive this.
  runtime_metrics(runtime& rt, metrics::registry& registry);

  /// To be called for every scrape.
  void collect();

private:
  /// A counter that follows a value which never decreases.
  class following_counter {
  public:
    explicit following_counter(metrics::counter metric) : metric_(metric) {}
    void follow(double value) { metric_.increment(value - std::exchange(last_, value)); }

  private:
    metrics::counter metric_;
    double last_ = 0;
  };
  /// A histogram that follows a duration_tally.
  struct following_histogram {
    metrics::histogram metric;
    exported_bounds bounds;
    duration_reading last;
    void follow(const duration_reading& reading);
  };
  struct type_metrics {
    metrics::gauge alive, deepest;
    following_counter messages;
    following_histogram runs, waits;
    std::uint32_t current_deepest = 0, previous_deepest = 0; ///< in the current and the previous window
  };
  struct thread_metrics {
    following_counter processor_time, busy;
    std::optional<following_counter> runs, stalls, steals; ///< only of a scheduler's thread
  };

  type_metrics& metrics_of_type(const std::string& name);
  thread_metrics& metrics_of_thread(const std::string& name, bool is_scheduled);
  void collect_types();
  void collect_threads();
  void collect_asks();
  void start_window_if_due();

  runtime& runtime_;
  metrics::registry& registry_;
  std::map<std::string, type_metrics> types_;
  std::map<std::string, thread_metrics> threads_;
  following_counter runs_, asks_;
  std::vector<following_counter> failed_asks_;
  metrics::gauge asks_in_flight_;
  std::chrono::steady_clock::time_point window_start_ = std::chrono::steady_clock::now();
};

} // namespace roost::actors
