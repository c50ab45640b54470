#pragma once

#include "actors/runtime/run_tally.hpp"

#include <functional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <typeinfo>

/// What threads count about the runs of actors. It belongs to the process, as the log does: actors and their
/// threads may outlive the runtime that made them. A thread counts for itself, in a slot for each type of
/// actors, without a lock or a look-up; readers add the slots up.
namespace roost::actors {

/// The actors of one type, which is the `name` of their state.
struct actor_type {
  std::size_t slot = 0;
  std::string name;
  std::atomic<std::int64_t> alive{0};
};

inline constexpr std::size_t max_actor_types = 48; ///< more than these share the last slot

/// One thread that runs actors. Only that thread writes what it counts.
struct run_thread {
  std::string name; ///< `io-0`, `worker-1`, or the type of the actor that has this thread to itself
  bool must_not_block = false; ///< others wait for it: its runs have to be short
  bool alive = true;           ///< for readers, by for_each_thread(): its handle is good
  pthread_t handle{};
  std::array<run_tally, max_actor_types> tallies;
  std::atomic<std::uint64_t> turns{0}; ///< that its scheduler gave to actors, measured or not
  std::atomic<std::uint64_t> steals{0};
  std::atomic<std::uint64_t> stalls{0};              ///< written by the run watch
  std::atomic<std::int64_t> earlier_processor_ns{0}; ///< of threads of this name that have ended

  // The run that is under way.
  std::atomic<std::uint64_t> run{0}; ///< odd during one
  std::atomic<const actor_type*> type{nullptr};
  std::atomic<const std::type_info*> message{nullptr}; ///< null: one of CAF's own types, or none yet
  std::atomic<std::uint64_t> told{0};                  ///< the run that the log was told of as a slow one
  std::uint64_t messages = 0;                          ///< that it has handled
  std::uint32_t depth = 0;                             ///< most in its mailbox

  /// Processor time of all threads of this name.
  std::chrono::nanoseconds processor_time() const;
};

namespace meter {

using clock = std::chrono::steady_clock;

/// The type of this name. It takes a lock: keep the reference, which is good for ever.
actor_type& type_named(std::string_view name);

/// Whether runs are timed and counted. Any thread; it takes effect at once.
void set_measuring(bool wanted);
bool is_measuring();

/// From how long on a run is slow; zero: none is.
void set_slow_run_limit(std::chrono::nanoseconds from);
std::chrono::nanoseconds slow_run_limit();

/// Whether anybody wants to know of runs.
bool is_on();

/// Gives this thread its name; before its first run.
void enter_thread(std::string name, bool must_not_block);
/// This thread, or null when it has run no actor yet. Also for a signal handler.
run_thread* this_thread();

/// One run of an actor of `type` on this thread, as long as this lives.
class run {
public:
  explicit run(const actor_type& type);
  ~run();
  run(const run&) = delete;
  run& operator=(const run&) = delete;

private:
  run_thread& thread_;
  const actor_type& type_;
  clock::time_point started_; ///< the epoch when nobody wants to know
};

/// Whether the message that this thread is about to send is one whose wait is measured: one of 64.
bool is_sampled();
/// A message of this type of actors was taken out of its mailbox after so long.
void count_wait(const actor_type& type, std::chrono::nanoseconds waited);

/// Calls `read` for each thread that has run actors, also for those that have ended: what they counted stays.
/// No thread ends meanwhile.
void for_each_thread(const std::function<void(run_thread&)>& read);
void for_each_type(const std::function<void(const actor_type&)>& read);

} // namespace meter
} // namespace roost::actors
