#pragma once

#include "log/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace roost {

/// Tells an actor to exit whose handle I/O threads may copy at the same time.
template <typename Handle>
void tell_to_exit(const Handle& actor) {
  if (actor) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

/// Tells an actor to exit, and lets go of it: the thread of a detached one that is held never ends.
template <typename Handle>
void end(Handle& actor) {
  tell_to_exit(actor);
  actor = nullptr;
}

/// How long an actor's part of the end is waited for.
inline constexpr std::chrono::seconds end_patience{15};

/// The same, and waits until it has.
template <typename Handle>
void end_and_wait(caf::actor_system& system, Handle& actor) {
  if (!actor) return;
  caf::scoped_actor self{system};
  self->monitor(actor);
  end(actor);
  self->receive([](const caf::down_msg&) {},
                caf::after(end_patience) >> [] { log::warn("shutdown_answer_missing"); });
}

/// Tells an actor something and waits for its answer.
template <typename Handle, typename Message, typename OnAnswer = void (*)()>
void tell_and_wait(
    caf::actor_system& system, const Handle& to, Message message, OnAnswer on_response = [] {}) {
  if (!to) return;
  caf::scoped_actor self{system};
  self->request(to, end_patience, std::move(message)).receive(on_response, [](const caf::error&) {
    log::warn("shutdown_answer_missing");
  });
}

} // namespace roost
