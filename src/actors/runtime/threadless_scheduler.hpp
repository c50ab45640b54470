#pragma once

#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>
#include <caf/scoped_actor.hpp>

#include <functional>

namespace roost::actors {

/// A scheduler that runs everything on one thread, also the actors that otherwise have threads of their own
/// and the I/O units. Simulations use it: which actor runs next, and at what time, is their choice.
class threadless_scheduler {
public:
  threadless_scheduler() = default;
  virtual ~threadless_scheduler() = default;
  threadless_scheduler(const threadless_scheduler&) = delete;
  threadless_scheduler& operator=(const threadless_scheduler&) = delete;

  /// Called with each actor that the runtime spawns.
  virtual void spawned(const caf::strong_actor_ptr& actor) = 0;

  /// Ends all actors, so that the actor system can end.
  virtual void end_actors() = 0;

  /// Runs other actors until the condition is true, in place of a wait that would block the only thread.
  virtual void run_until(const std::function<bool()>& is_true) = 0;
};

/// Lets the other actors run until the mailbox contains a message. To be called before each blocking
/// receive(); without effect if the actors have threads.
inline void await_message(caf::scoped_actor& self) {
  auto* scheduler = dynamic_cast<threadless_scheduler*>(&self->home_system().scheduler());
  if (scheduler) scheduler->run_until([&self] { return !self->mailbox().empty(); });
}

} // namespace roost::actors
