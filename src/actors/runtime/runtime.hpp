#pragma once

#include "actors/runtime/actor_failure.hpp"
#include "actors/runtime/io_scheduler.hpp"
#include "actors/runtime/measured_actor.hpp"
#include "actors/runtime/run_watch.hpp"
#include "domain/uuid.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// The actor system's knobs, by CAF's names; 0 leaves CAF's default.
struct scheduler_knobs {
  std::string policy =
      "asio"; ///< asio: actors on the I/O threads; stealing, sharing: CAF's own worker threads
  std::size_t io_threads = 1;
  std::size_t max_threads = 0; ///< of the stealing and sharing policies
  std::size_t max_throughput = 0;
  std::size_t aggressive_poll_attempts = 0, aggressive_steal_interval = 0;
  std::size_t moderate_poll_attempts = 0, moderate_steal_interval = 0;
  std::chrono::nanoseconds moderate_sleep_duration{0};
  std::size_t relaxed_steal_interval = 0;
  std::chrono::nanoseconds relaxed_sleep_duration{0};
  std::chrono::milliseconds ask_time_limit = io_unit_limits{}.ask_time_limit;
  std::size_t asks_in_flight = io_unit_limits{}.asks_in_flight; ///< of one I/O thread
};

/// The actor system and the I/O threads, under whichever scheduler.
class runtime {
public:
  /// `failed` is called for every actor spawned here that an error ends.
  explicit runtime(const scheduler_knobs& knobs, actor_failure failed = end_process);

  /// Ends the I/O threads and waits for every actor, so all of them must have been told to exit.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  caf::actor_system& system() { return *system_; }
  std::vector<std::reference_wrapper<asio::io_context>> io_contexts();

  /// The threads that the scheduler gives actors turns on, by their names, with the actors that wait for
  /// each; with the policy `sharing` for all of them, named `shared`.
  struct run_queue {
    std::string thread;
    std::size_t length = 0;
  };
  std::vector<run_queue> run_queues();

  /// The counts of each I/O thread's asks.
  std::vector<std::reference_wrapper<const ask_counts>> asks();

  /// Takes over the knobs that can change while actors run: with `asio` the most messages of a turn, with
  /// `stealing` how a thread without work looks for some, from its next turn on.
  void retune(const scheduler_knobs& knobs);

  /// Has the log told of runs that take so long or longer; zero: of none. Any thread; at once.
  void watch_runs(std::chrono::nanoseconds slow);

  /// Pending and future asks fail from here on.
  void close_ports();

  /// The unit on which everything of one account runs.
  std::size_t home_of(const domain::uuid& account_id) const {
    return domain::uuid_hash{}(account_id) % units().size();
  }

  /// Spawns a function-based actor with a home; any thread.
  template <caf::spawn_options Options = caf::no_spawn_options, typename Function, typename... Arguments>
  auto spawn_at(std::size_t unit, Function function, Arguments&&... arguments) {
    caf::actor_config config{units()[unit].get()};
    config.add_flag(home::to_flag(unit));
    return spawn<Options>(config, function, std::forward<Arguments>(arguments)...);
  }

  /// Spawns a function-based actor with a thread of its own, which may block; any thread.
  template <typename Function, typename... Arguments>
  auto spawn_detached(Function function, Arguments&&... arguments) {
    caf::actor_config config;
    return spawn<caf::detached>(config, function, std::forward<Arguments>(arguments)...);
  }

private:
  void start_own_units(const scheduler_knobs& knobs);
  std::vector<run_watch::loop> watched_loops();

  template <caf::spawn_options Options, typename Behavior, typename Self, typename... Parameters,
            typename... Arguments>
  auto spawn(caf::actor_config& config, Behavior (*function)(Self*, Parameters...),
             Arguments&&... arguments) {
    auto watched = [function, this](Self* self, Parameters... parameters) -> Behavior {
      watch(self, failed_);
      return function(self, std::forward<Parameters>(parameters)...);
    };
    caf::detail::init_fun_factory<Self, decltype(watched)> start;
    config.init_fun = start(std::move(watched), std::forward<Arguments>(arguments)...);
    return system_->spawn_class<measured<Self>, Options>(config);
  }

  std::vector<std::unique_ptr<io_unit>>& units() { return scheduler_ ? scheduler_->units() : own_units_; }
  const std::vector<std::unique_ptr<io_unit>>& units() const {
    return scheduler_ ? scheduler_->units() : own_units_;
  }

  const actor_failure failed_;
  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  io_scheduler* scheduler_ = nullptr;               // the asio policy's
  std::vector<std::unique_ptr<io_unit>> own_units_; // the other policies': I/O only
  bool steals_ = false;
  std::unique_ptr<run_watch> watch_;
};

} // namespace roost::actors
