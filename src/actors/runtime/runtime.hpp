#pragma once

#include "actors/runtime/io_unit.hpp"
#include "actors/runtime/run_watch.hpp"
#include "actors/runtime/spawned_actor.hpp"
#include "actors/runtime/threadless_scheduler.hpp"
#include "domain/uuid.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// The actor system's settings, with CAF's names; 0 keeps CAF's default.
struct scheduler_knobs {
  /// asio: actors run on the I/O threads; stealing, sharing: on CAF's own worker threads
  std::string policy = "asio";
  std::size_t io_threads = 1;
  std::size_t max_threads = 0; ///< with the policies stealing and sharing
  std::size_t max_throughput = 0;
  std::size_t aggressive_poll_attempts = 0, aggressive_steal_interval = 0;
  std::size_t moderate_poll_attempts = 0, moderate_steal_interval = 0;
  std::chrono::nanoseconds moderate_sleep_duration{0};
  std::size_t relaxed_steal_interval = 0;
  std::chrono::nanoseconds relaxed_sleep_duration{0};
  std::chrono::milliseconds ask_time_limit = io_unit_limits{}.ask_time_limit;
  std::size_t asks_in_flight = io_unit_limits{}.asks_in_flight; ///< per I/O thread
};

/// Loads a scheduler into the configuration of an actor system, instead of the one that the policy names.
using scheduler_loader = std::function<void(caf::actor_system_config&)>;

/// The actor system and the I/O threads, with any of the schedulers.
class runtime {
public:
  /// `on_failure` is called for every spawned actor that ends with an error.
  explicit runtime(const scheduler_knobs& knobs, actor_failure on_failure = end_process,
                   const scheduler_loader& load_scheduler = {});

  /// Ends the I/O threads and waits for all actors, which must have been sent an exit message before.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  caf::actor_system& system() { return *system_; }
  std::vector<std::reference_wrapper<asio::io_context>> io_contexts();

  /// With a threadless scheduler: runs a ready handler of each I/O unit, if any. Returns their number.
  std::size_t poll_io();

  /// A thread of the scheduler and its number of runnable actors. With the policy `sharing` there is one
  /// queue for all threads, named `shared`.
  struct run_queue {
    std::string thread;
    std::size_t length = 0;
  };
  std::vector<run_queue> run_queues();

  /// Returns the ask counts of each I/O thread.
  std::vector<std::reference_wrapper<const ask_counts>> asks();

  /// Applies the settings that can change at run time: with `asio` the maximum number of messages per run,
  /// with `stealing` the polling strategies of idle threads, from the next run on.
  void retune(const scheduler_knobs& knobs);

  /// Logs runs that take at least this long; zero disables it. Thread-safe; takes effect immediately.
  void watch_runs(std::chrono::nanoseconds limit);

  /// Fails pending and future asks.
  void close_ports();

  /// Returns the unit that runs all actors of an account.
  std::size_t home_of(const domain::uuid& account_id) const {
    return domain::uuid_hash{}(account_id) % units().size();
  }

  /// Spawns a function-based actor with a home. Thread-safe.
  template <caf::spawn_options Options = caf::no_spawn_options, typename Function, typename... Arguments>
  auto spawn_at(std::size_t unit, Function function, Arguments&&... arguments) {
    caf::actor_config config{units()[unit].get()};
    config.add_flag(home::to_flag(unit));
    return spawn<Options>(config, function, std::forward<Arguments>(arguments)...);
  }

  /// Spawns the actor of a state class with a home: calls `State::open(arguments…)`. Thread-safe.
  template <typename State, caf::spawn_options Options = caf::no_spawn_options, typename... Arguments>
  auto spawn_at(std::size_t unit, Arguments&&... arguments) {
    return spawn_at<Options>(unit, open<State, std::decay_t<Arguments>...>,
                             std::forward<Arguments>(arguments)...);
  }

  /// Spawns the actor of a state class on its own thread, which may block. Thread-safe.
  template <typename State, typename... Arguments>
  auto spawn_detached(Arguments&&... arguments) {
    return spawn_detached(open<State, std::decay_t<Arguments>...>, std::forward<Arguments>(arguments)...);
  }

  /// Spawns a function-based actor on its own thread, which may block. Thread-safe.
  template <typename Function, typename... Arguments>
  auto spawn_detached(Function function, Arguments&&... arguments) {
    if (threadless_) return spawn_at(0, function, std::forward<Arguments>(arguments)...);
    caf::actor_config config;
    return spawn<caf::detached>(config, function, std::forward<Arguments>(arguments)...);
  }

private:
  void start_own_units(const scheduler_knobs& knobs);
  std::vector<run_watch::loop> watched_loops();

  template <typename State, typename... Parameters>
  static auto open(typename State::actor_type::template stateful_pointer<State> self,
                   Parameters... parameters) {
    return self->state.open(std::move(parameters)...);
  }

  template <caf::spawn_options Options, typename Behavior, typename Self, typename... Parameters,
            typename... Arguments>
  auto spawn(caf::actor_config& config, Behavior (*function)(Self*, Parameters...),
             Arguments&&... arguments) {
    auto with_reports = [function, this](Self* self, Parameters... parameters) -> Behavior {
      report_failures(self, on_failure_);
      return function(self, std::forward<Parameters>(parameters)...);
    };
    caf::detail::init_fun_factory<Self, decltype(with_reports)> start;
    config.init_fun = start(std::move(with_reports), std::forward<Arguments>(arguments)...);
    auto actor = system_->spawn_class<measured<Self>, Options>(config);
    if (threadless_) threadless_->spawned(caf::actor_cast<caf::strong_actor_ptr>(actor));
    return actor;
  }

  std::vector<std::unique_ptr<io_unit>>& units() { return scheduler_ ? scheduler_->units() : own_units_; }
  const std::vector<std::unique_ptr<io_unit>>& units() const {
    return scheduler_ ? scheduler_->units() : own_units_;
  }

  const actor_failure on_failure_;
  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  io_scheduler* scheduler_ = nullptr;               // with the policy asio
  std::vector<std::unique_ptr<io_unit>> own_units_; // with other policies: I/O only
  bool steals_ = false;
  threadless_scheduler* threadless_ = nullptr; // the scheduler of a simulation
  std::unique_ptr<run_watch> watch_;
};

} // namespace roost::actors
