#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/inventory/hot_units.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/inventory/unit_changes.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/runtime_metrics.hpp"
#include "actors/runtime/storage.hpp"
#include "config/settings.hpp"
#include "http/operations/ops_routes.hpp"
#include "metrics/registry.hpp"
#include "service/service_hooks.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace roost {

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

} // namespace roost
