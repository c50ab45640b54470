#pragma once

#include "actors/runtime/ask.hpp"

#include <boost/asio/io_context.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/detail/thread_safe_actor_clock.hpp>
#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

/// I/O threads, and the scheduler that runs actors on them.
namespace roost::actors {

/// Runs an actor, and releases it unless it has to run again. Returns whether it has.
bool run_and_release(caf::resumable* job, caf::execution_unit& unit, std::size_t max_messages);

struct io_unit_limits {
  std::chrono::milliseconds ask_time_limit{10'000};
  std::size_t asks_in_flight = 20'000;
  std::size_t max_throughput = 64; ///< messages that an actor may handle per run
};

/// One I/O thread: an io_context, the ask port of its coroutines and, under the `asio` policy, a run queue of
/// actors.
///
/// Only the inbox is locked, through which other threads pass actors and responses. An actor is in at most
/// one run queue, because CAF schedules it only when a message arrives in its empty mailbox; so it never runs
/// on two threads at the same time. Handlers must not block: they would stall all connections of the thread.
class io_unit final : public caf::execution_unit, private ask_port::sink {
public:
  io_unit(caf::actor_system& system, std::size_t index, io_unit_limits limits);
  ~io_unit() override;
  io_unit(const io_unit&) = delete;
  io_unit& operator=(const io_unit&) = delete;

  /// Returns the unit of this thread, or null.
  static io_unit* current() { return current_; }

  asio::io_context& io() { return *io_; }
  ask_port& port() { return *port_; }
  std::size_t index() const { return index_; }

  /// Sets how many messages an actor may handle per run: at most 64; 0 means 64. Thread-safe.
  void set_max_throughput(std::size_t messages);

  /// Returns the number of runnable actors of this unit. Thread-safe.
  std::size_t queue_length();
  /// Returns the name in metrics and log, such as `io-0`.
  std::string thread_name() const { return "io-" + std::to_string(index_); }

  void open_port();
  void run_thread();
  /// Without a thread: runs one handler that is ready, if any, on the calling thread. Returns their number.
  std::size_t poll();

  /// Fails pending and future asks. Waits for the thread, so it must not be called on an I/O thread.
  void close_port();
  /// Ends the thread; nothing runs afterwards.
  void join();
  /// Destroys suspended coroutines and the handles they hold. After join().
  void destroy_io();
  /// Releases runnable actors that did not run, and returns whether there were any. To be called after
  /// destroy_io() of all units, and repeated until there are none, because releasing one can wake another.
  bool discard_runnable();

  /// Adds an actor to the run queue. Thread-safe.
  void make_runnable(caf::resumable* job);

  void exec_later(caf::resumable* job) override;

private:
  static constexpr int max_runs_before_io = 256; // then sockets are served

  void take_response(caf::mailbox_element_ptr response) override;
  void wake();
  void take_inbox();
  void schedule_drain();
  void drain();
  void resume(caf::resumable* job);
  void thread_main();

  static inline constinit thread_local io_unit* current_ = nullptr;
  const std::size_t index_;
  const io_unit_limits limits_;
  std::atomic<std::size_t> max_throughput_{limits_.max_throughput};
  std::optional<asio::io_context> io_{std::in_place, 1};
  std::deque<caf::resumable*> runnable_;
  std::deque<caf::mailbox_element_ptr> responses_;
  bool draining_ = false, drain_scheduled_ = false;
  std::atomic<std::size_t> runnable_count_{0}; ///< length of runnable_ for other threads

  std::mutex inbox_mutex_; // guards the next four
  std::vector<caf::resumable*> inbox_runnable_;
  std::vector<caf::mailbox_element_ptr> inbox_responses_;
  bool wake_posted_ = false;
  bool accepts_wakes_ = true;

  caf::actor port_handle_;
  ask_port* port_ = nullptr;
  std::thread thread_;
};

/// Destroys the remaining handlers and actors of joined units.
void discard(std::vector<std::unique_ptr<io_unit>>& units);

/// The unit that runs an actor under the `asio` policy. Actors of one account share theirs, so that their
/// messages never cross threads. The number is stored in flag bits of the actor that CAF does not use.
class home {
public:
  static constexpr std::size_t max_units = 63;

  static int to_flag(std::size_t unit) { return static_cast<int>(unit + 1) << shift; }
  /// Returns nullopt for an actor without a home.
  static std::optional<std::size_t> of(const caf::abstract_actor& actor);

private:
  static constexpr int shift = 16;
  static constexpr int mask = 63 << shift;
};

/// The `asio` policy: the I/O threads are CAF's scheduler, so asking an actor on the same thread costs no
/// context switch. An actor runs on its home unit, otherwise on the unit that woke it.
class io_scheduler final : public caf::scheduler::abstract_coordinator {
public:
  explicit io_scheduler(caf::actor_system& system) : abstract_coordinator(system) {}

  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>) {
    return new io_scheduler(system);
  }

  std::vector<std::unique_ptr<io_unit>>& units() { return units_; }

  void enqueue(caf::resumable* job) override;
  caf::actor_clock& clock() noexcept override { return clock_; }
  bool detaches_utility_actors() const override { return true; }

protected:
  void start() override;
  void stop() override;

private:
  std::vector<std::unique_ptr<io_unit>> units_;
  caf::detail::thread_safe_actor_clock clock_;
  std::thread clock_thread_;
};

} // namespace roost::actors
