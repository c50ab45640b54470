#pragma once

#include "actors/runtime/ask.hpp"

#include <boost/asio/io_context.hpp>
#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace roost::actors {

struct io_unit_limits {
  std::chrono::milliseconds ask_time_limit{10'000};
  std::size_t asks_in_flight = 20'000;
  std::size_t max_throughput = 64; ///< messages of one actor before the next one's turn
};

/// One I/O thread: an io_context, the ask port of its coroutines and, under the `asio` policy, a run queue of
/// actors.
///
/// Nothing here is locked but the inbox, through which other threads hand in actors and answers. An actor is
/// runnable in one place at a time, because CAF schedules it only when its empty mailbox gets a message; so
/// it never runs on two threads at once. Handlers must not block: they stall every connection of the thread.
class io_unit final : public caf::execution_unit, private ask_port::sink {
public:
  io_unit(caf::actor_system& system, std::size_t index, io_unit_limits limits);
  ~io_unit() override;
  io_unit(const io_unit&) = delete;
  io_unit& operator=(const io_unit&) = delete;

  /// The unit whose thread this is, or null.
  static io_unit* current() { return current_; }

  asio::io_context& io() { return *io_; }
  ask_port& port() { return *port_; }
  std::size_t index() const { return index_; }

  /// Messages of one actor before the next one's turn, from 1 to 64; 0: 64. Any thread.
  void set_max_throughput(std::size_t wanted);

  /// Actors that wait for their turn here. Any thread.
  std::size_t queue_length();
  /// `io-0`, as metrics and log call the thread.
  std::string thread_name() const { return "io-" + std::to_string(index_); }

  void open_port();
  void run_thread();

  /// Fails pending and future asks; waits for the thread, so not from one.
  void close_port();
  /// Ends the thread; nothing runs afterwards.
  void join();
  /// Destroys suspended coroutines and the handles they hold. After join().
  void destroy_io();
  /// Gives back actors that never had their turn; whether there were any. After every unit's destroy_io(),
  /// and again until there are none, because giving one back can wake another.
  bool discard_runnable();

  /// An actor became runnable; any thread.
  void make_runnable(caf::resumable* job);

  void exec_later(caf::resumable* job) override;

private:
  static constexpr int turns_before_io = 256; // then sockets get their turn

  void take_response(caf::mailbox_element_ptr answer) override;
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
  std::deque<caf::mailbox_element_ptr> answers_;
  bool draining_ = false, drain_scheduled_ = false;
  std::atomic<std::size_t> runnable_count_{0}; ///< the length of runnable_, for other threads

  std::mutex inbox_mutex_; // guards the next four
  std::vector<caf::resumable*> inbox_runnable_;
  std::vector<caf::mailbox_element_ptr> inbox_answers_;
  bool wake_posted_ = false;
  bool accepts_wakes_ = true;

  caf::actor port_handle_;
  ask_port* port_ = nullptr;
  std::thread thread_;
};

} // namespace roost::actors
