#pragma once

#include "actors/runtime/io_unit.hpp"

#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/detail/thread_safe_actor_clock.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <memory>
#include <vector>

namespace roost::actors {

/// Where an actor runs under the `asio` policy: the number of its home unit. Actors of one account share
/// theirs, so that their messages never cross a thread. CAF keeps the number in flag bits of the actor that
/// it does not use itself.
class home {
public:
  static constexpr std::size_t max_units = 63;

  static int to_flag(std::size_t unit) { return static_cast<int>(unit + 1) << shift; }
  /// The unit, or nothing for an actor without a home.
  static std::optional<std::size_t> of(const caf::abstract_actor& actor);

private:
  static constexpr int shift = 16;
  static constexpr int mask = 63 << shift;
};

/// Destroys what joined units still hold.
void discard(std::vector<std::unique_ptr<io_unit>>& units);

/// The `asio` policy: CAF's scheduler is the I/O threads themselves, so a connection that asks an actor of
/// its own thread pays no context switch. An actor runs on its home unit, else on the unit that woke it.
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
