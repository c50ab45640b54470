#pragma once

#include "log/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace roost {

/// Sends an exit message and keeps the handle: I/O threads may be copying it.
template <typename Handle>
void send_exit(const Handle& actor) {
  if (actor) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

/// Sends an exit message and releases the handle: the thread of a detached actor ends only without
/// references.
template <typename Handle>
void stop_actor(Handle& actor) {
  send_exit(actor);
  actor = nullptr;
}

/// How long the shutdown waits for one actor.
inline constexpr std::chrono::seconds shutdown_timeout{15};

/// Sends an exit message, releases the handle and waits until the actor has terminated.
template <typename Handle>
void stop_actor_and_wait(caf::actor_system& system, Handle& actor) {
  if (!actor) return;
  caf::scoped_actor self{system};
  self->monitor(actor);
  stop_actor(actor);
  self->receive([](const caf::down_msg&) {},
                caf::after(shutdown_timeout) >> [] { log::warn("shutdown_answer_missing"); });
}

/// Sends a message to an actor and waits for its response.
template <typename Handle, typename Message, typename OnResponse = void (*)()>
void send_and_wait(
    caf::actor_system& system, const Handle& to, Message message, OnResponse on_response = [] {}) {
  if (!to) return;
  caf::scoped_actor self{system};
  self->request(to, shutdown_timeout, std::move(message)).receive(on_response, [](const caf::error&) {
    log::warn("shutdown_answer_missing");
  });
}

} // namespace roost
