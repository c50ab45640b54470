#pragma once

#include "log/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace roost {

/// Tells an actor to exit, and lets go of it: one that is held never ends.
template <typename Handle>
void end(Handle& actor) {
  if (actor) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  actor = nullptr;
}

/// Tells an actor something and waits for its answer; what does not come within 15 s is not waited for.
template <typename Handle, typename Message>
void tell_and_wait(caf::actor_system& system, const Handle& to, Message message) {
  constexpr std::chrono::seconds patience{15};
  if (!to) return;
  caf::scoped_actor self{system};
  self->request(to, patience, std::move(message))
      .receive([] {}, [](const caf::error&) { log::warn("shutdown_answer_missing"); });
}

} // namespace roost
