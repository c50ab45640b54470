#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

/// Measurements of actor runs. They belong to the process, like the log: actors and their threads may outlive
/// their runtime. Each thread counts in its own slots, one per actor type, without locks or look-ups; readers
/// add them up.
namespace roost::actors {

/// Adds to a number that only this thread writes. Cheaper than an atomic addition, which locks the bus.
template <typename Number>
void add_alone(std::atomic<Number>& number, Number by) {
  number.store(number.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

/// A histogram of durations. One thread adds, any thread reads.
class duration_tally {
public:
  static constexpr std::size_t buckets = 8;
  /// Upper bounds in nanoseconds; the last bucket has none.
  static constexpr std::array<std::int64_t, buckets - 1> bounds{
      10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000, 10'000'000'000};

  void add(std::chrono::nanoseconds took) {
    std::size_t at = 0;
    while (at < bounds.size() && took.count() > bounds[at]) ++at;
    add_alone(counts_[at], std::uint64_t{1});
    add_alone(sum_, took.count());
  }

  std::uint64_t in_bucket(std::size_t at) const { return counts_[at].load(std::memory_order_relaxed); }
  std::chrono::nanoseconds sum() const {
    return std::chrono::nanoseconds{sum_.load(std::memory_order_relaxed)};
  }

private:
  std::array<std::atomic<std::uint64_t>, buckets> counts_{};
  std::atomic<std::int64_t> sum_{0};
};

/// The counts of one actor type on one thread.
struct run_tally {
  duration_tally runs;
  duration_tally waits; ///< sampled mailbox waits
  std::atomic<std::uint64_t> messages{0};
  /// Largest number of messages in a mailbox when one was taken, including that one, since the last reading.
  std::atomic<std::uint32_t> deepest{0};
};

/// An actor type, identified by the `name` of its state.
struct actor_type {
  std::size_t slot = 0;
  std::string name;
  std::atomic<std::int64_t> alive{0};
};

inline constexpr std::size_t max_actor_types = 48; ///< further types share the last slot

/// A thread that runs actors. Only the thread itself writes its counts.
struct run_thread {
  std::string name;            ///< `io-0`, `worker-1`, or the type of the actor that owns the thread
  bool must_not_block = false; ///< other actors wait for it, so its runs must be short
  bool alive = true;           ///< whether `handle` is valid; to be read in for_each_thread()
  pthread_t handle{};
  std::array<run_tally, max_actor_types> tallies;
  std::atomic<std::uint64_t> runs{0}; ///< actor runs started by the scheduler, measured or not
  std::atomic<std::uint64_t> steals{0};
  std::atomic<std::uint64_t> stalls{0};              ///< written by the run watch
  std::atomic<std::int64_t> earlier_processor_ns{0}; ///< of ended threads of this name

  // The current run.
  std::atomic<std::uint64_t> run{0}; ///< odd during a run
  std::atomic<const actor_type*> type{nullptr};
  std::atomic<const std::type_info*> message{nullptr}; ///< null: one of CAF's own types, or none yet
  std::atomic<std::uint64_t> logged_run{0};            ///< the last run that was logged as slow
  std::uint64_t messages = 0;                          ///< handled
  std::uint32_t depth = 0;                             ///< maximum in the mailbox

  /// Returns the processor time of all threads of this name.
  std::chrono::nanoseconds processor_time() const;
};

namespace meter {

using clock = std::chrono::steady_clock;

/// Returns the type of this name. Takes a lock; callers keep the reference, which stays valid forever.
actor_type& type_named(std::string_view name);

/// Enables counts and times of runs. Thread-safe; takes effect immediately.
void set_measuring(bool enabled);
bool is_measuring();

/// Sets from which duration on a run is slow; zero disables detection.
void set_slow_run_limit(std::chrono::nanoseconds limit);
std::chrono::nanoseconds slow_run_limit();

/// Whether measurement or slow-run detection is enabled.
bool is_on();

/// Names this thread. To be called before its first run.
void enter_thread(std::string name, bool must_not_block);
/// Returns this thread's slot, or null if it has not run an actor yet. Safe in signal handlers.
run_thread* this_thread();

/// One run of an actor of `type` on this thread, for the lifetime of this object.
class run {
public:
  explicit run(const actor_type& type);
  ~run();
  run(const run&) = delete;
  run& operator=(const run&) = delete;

private:
  run_thread& thread_;
  const actor_type& type_;
  clock::time_point started_;
};

/// Whether to measure the wait of the message that this thread sends next: one in 64.
bool is_sampled();
/// Counts the time for which a message waited in the mailbox of an actor of this type.
void count_wait(const actor_type& type, std::chrono::nanoseconds waited);

/// Calls `read` for each thread that has run actors, including ended ones, whose counts remain. No thread
/// ends in the meantime.
void for_each_thread(const std::function<void(run_thread&)>& read);
void for_each_type(const std::function<void(const actor_type&)>& read);

} // namespace meter

/// A slow run of an actor or, with an empty actor, another slow handler of a thread.
struct slow_run {
  std::string_view actor, thread;
  const std::type_info* message = nullptr; ///< null: one of CAF's own types
  std::chrono::nanoseconds took{};         ///< so far
};

/// Logs the warning `actor_run_slow` or `thread_stalled`, at most ten per actor type in ten seconds; the next
/// one states how many were left out. `stack` is the thread's, innermost function first; empty if the run had
/// ended, or if the thread did not take a signal.
void log_slow_run(const slow_run& run, const std::vector<void*>& stack);

} // namespace roost::actors
