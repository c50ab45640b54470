#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/inventory/hot_units.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/inventory/unit_calendar.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/runtime_metrics.hpp"
#include "actors/runtime/storage.hpp"
#include "config/settings.hpp"
#include "http/operations/ops_routes.hpp"
#include "http/protocol/router.hpp"
#include "log/log.hpp"
#include "mail/transport.hpp"
#include "metrics/registry.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace roost {

/// Options that are not configuration: a test's clock and the mode of this start.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  /// Decides no booking request, sends no mail and deletes no expired rows: for inspecting a copied store.
  bool on_hold = false;
  /// A simulation's scheduler and its receiver of mail; empty: those of the configuration.
  actors::scheduler_loader load_scheduler = {};
  std::shared_ptr<mail::transport> transport = {};
};

/// The context that all features share: settings, clock, threads, store sessions, and the data that one
/// feature publishes and others read. It is built first and destroyed last.
class service_context {
public:
  using lane = actors::storage_pool::lane;
  using side_lane = actors::storage_pool::side_lane;

  service_context(const config::settings& configured, service_hooks start_hooks);

  /// Waits until the storage actors have finished their queued jobs.
  void finish_storage_jobs();

  /// Stops the storage actors, and the threads with everything that still runs on them. Every actor must have
  /// been sent an exit message. If the process is about to exit, stops only the storage actors and waits
  /// until their sessions are closed.
  void stop();

  caf::actor_system& system() { return runtime->system(); }
  const actors::storage_actor& storage_at(lane purpose) const { return storage->at(purpose); }
  const actors::storage_actor& storage_at(side_lane purpose) const { return storage->at(purpose); }
  /// Returns a generator of time-ordered ids: later ids are greater.
  std::function<domain::uuid()> new_id() const;

  const config::settings settings;
  const service_hooks hooks;
  const actors::platform_list platforms;
  metrics::registry registry;
  metrics::process_metrics process_metrics{registry};
  std::vector<http::readiness_check> readiness; ///< complete once all modules are built
  actors::published<actors::directory> directory;
  const std::shared_ptr<actors::change_clock> changes = std::make_shared<actors::change_clock>();
  const std::shared_ptr<actors::held_lease> lease = std::make_shared<actors::held_lease>();
  const std::shared_ptr<actors::hot_units> hot_units = std::make_shared<actors::hot_units>();
  const std::shared_ptr<actors::replication_position> followed =
      std::make_shared<actors::replication_position>();
  bool is_exiting =
      false; ///< the process exits after stop(): threads and memory are left to the operating system
  std::optional<actors::runtime> runtime;
  std::optional<actors::runtime_metrics> runtime_metrics;
  std::optional<actors::storage_pool> storage;
};

/// A feature of the service. Its constructor spawns its actors and registers readiness checks and metrics
/// with the service_context. Modules are built and started in one order and stop in reverse, in two rounds:
/// readers continue until nothing writes and the lease is released.
class module {
public:
  module() = default;
  virtual ~module() = default;
  module(const module&) = delete;
  module& operator=(const module&) = delete;

  /// Adds the feature's routes to those of the public listener.
  virtual void mount(http::router&) const {}

  /// Runs after all modules are built. Throws std::runtime_error with a one-line message if something is
  /// unusable.
  virtual void start() {}

  /// The first round: finishes pending writes and writes nothing afterwards.
  virtual void finish_writing() {}

  /// The second round: stops the rest. The object, and handles that I/O threads copy, stay until the threads
  /// have ended, because others may refer to them until then.
  virtual void stop() {}
};

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
  actors::await_message(self);
  self->receive([](const caf::down_msg&) {},
                caf::after(shutdown_timeout) >> [] { log::warn("shutdown_answer_missing"); });
}

/// Sends a message to an actor and waits for its response.
template <typename Handle, typename Message, typename OnResponse = void (*)()>
void send_and_wait(
    caf::actor_system& system, const Handle& to, Message message, OnResponse on_response = [] {}) {
  if (!to) return;
  caf::scoped_actor self{system};
  auto response = self->request(to, shutdown_timeout, std::move(message));
  actors::await_message(self);
  response.receive(on_response, [](const caf::error&) { log::warn("shutdown_answer_missing"); });
}

} // namespace roost
