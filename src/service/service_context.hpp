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
#include "metrics/registry.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace roost {

/// What is not for a configuration: a test's clock, and how this one start is meant.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  /// Decides no booking request, sends no mail and deletes nothing for its age: for a look at a copied store.
  bool on_hold = false;
};

/// What all features stand on: settings, clock, threads, store sessions, and what one of them publishes and
/// others read. It is built first and ends last.
class service_context {
public:
  using lane = actors::storage_pool::lane;
  using side_lane = actors::storage_pool::side_lane;

  service_context(const config::settings& given, service_hooks with);

  /// Waits until the storage actors have done what they have got.
  void finish_storage_jobs();

  /// Ends the storage actors, the threads and with them whatever still runs there. Every actor must have been
  /// told to exit. Where the process is about to exit, ends the storage actors alone and waits until their
  /// sessions are closed.
  void stop();

  caf::actor_system& system() { return runtime->system(); }
  const actors::storage_actor& storage_at(lane purpose) const { return storage->at(purpose); }
  const actors::storage_actor& storage_at(side_lane purpose) const { return storage->at(purpose); }
  /// A new id; ids that are made later are greater.
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
  const std::shared_ptr<actors::hot_units> busy = std::make_shared<actors::hot_units>();
  const std::shared_ptr<actors::replication_position> followed =
      std::make_shared<actors::replication_position>();
  bool is_exiting = false; ///< the process exits after stop(): the system takes back threads and memory
  std::optional<actors::runtime> runtime;
  std::optional<actors::runtime_metrics> runtime_metrics;
  std::optional<actors::storage_pool> storage;
};

/// A feature of the service. Its constructor spawns its actors, and tells the service_context what it is
/// ready by and what it measures. Modules are built and started in one order. They end in the reverse one,
/// and in two rounds: what only reads goes on until nothing writes any more and the lease is given back.
class module {
public:
  module() = default;
  virtual ~module() = default;
  module(const module&) = delete;
  module& operator=(const module&) = delete;

  /// Adds the feature's routes to those of the public listener.
  virtual void mount(http::router&) const {}

  /// After all modules are built. Throws std::runtime_error with one line for what cannot be used.
  virtual void start() {}

  /// The first round: finishes what must be written, and writes nothing more.
  virtual void finish_writing() {}

  /// The second round: ends what is left. The object stays until the threads have ended, because others may
  /// refer to it until then; so do handles that I/O threads copy.
  virtual void stop() {}
};

} // namespace roost
