#pragma once

#include "actors/runtime/actor_failure.hpp"
#include "actors/runtime/io_scheduler.hpp"
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

  /// How often actors got their turn, over all threads.
  std::uint64_t actor_runs() const;

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
  template <caf::spawn_options Options, typename Behavior, typename Self, typename... Parameters,
            typename... Arguments>
  auto spawn(caf::actor_config& config, Behavior (*function)(Self*, Parameters...),
             Arguments&&... arguments) {
    auto watched = [function, this](Self* self, Parameters... parameters) -> Behavior {
      watch(self, failed_);
      return function(self, std::forward<Parameters>(parameters)...);
    };
    return system_->spawn_functor<Options>(std::true_type{}, config, watched,
                                           std::forward<Arguments>(arguments)...);
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
};

} // namespace roost::actors
