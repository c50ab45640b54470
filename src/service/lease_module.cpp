#include "service/lease_module.hpp"

#include "security/random.hpp"
#include "store/credentials/credentials.hpp"

#include <unistd.h>

namespace roost {

namespace {

/// Longer than reading the largest import takes. Until the next poll, credentials that other processes
/// revoked are still accepted.
constexpr std::chrono::seconds max_poll_age{30};

/// Describes how far a standby's memory lags behind the store.
std::string lag_of(const actors::replication_position& followed) {
  if (followed.is_empty()) return "nothing is loaded yet";
  const auto behind = followed.behind();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(behind.since_followed);
  return "memory is " + std::to_string(behind.changes) + " changes behind the store, and was level with it " +
         std::to_string(milliseconds.count()) + " ms ago";
}

} // namespace

std::string node_name() {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return std::string{host} + "/" + std::to_string(getpid()) + "/" +
         domain::to_string(security::random_uuid());
}

lease_module::lease_module(service_context& base, const partner_credentials& credentials)
    : base_(base), credentials_(credentials) {
  for (const auto& lane : base.storage->watched_lanes()) lanes_.push_back(lane.health);
  add_readiness();
  const auto held = base.registry.gauge("roost_lease_held", "1 while this server is the store's writer");
  const auto untrusted = base.registry.gauge(
      "roost_time_untrusted",
      "1 while the clock is too far ahead of the store's trusted time: nothing is changed or deleted by age");
  base.registry.on_scrape([lease = base.lease, health = health_, held, untrusted] {
    held.set(lease->holds() ? 1 : 0);
    untrusted.set(health->untrusted_time.get() ? 1 : 0);
  });
}

void lease_module::add_readiness() {
  using reason = std::optional<std::string>;
  const auto add = [this](const char* name, std::function<reason()> check) {
    base_.readiness.push_back({name, std::move(check)});
  };
  add("store", [health = health_] { return health->reachable ? reason{} : reason{"not reachable"}; });
  add("lanes", [this] { return lost_lanes(); });
  add("schema", [health = health_] {
    return health->schema_current ? reason{} : reason{"not migrated yet, or newer than this program"};
  });
  add("secrets", [health = health_] {
    return health->has_other_keys ? reason{"the store's tokens were signed with other keys"} : reason{};
  });
  add("writer", [health = health_, lease = base_.lease, followed = base_.followed]() -> reason {
    if (lease->holds()) return {};
    if (lease->held()) return "taking over: " + lag_of(*followed);
    if (health->is_unfinished_copy) return "the store is a copy that is not finished: run roost copy again";
    if (health->is_live_store)
      return "a server serves this store, so this one, started with --hold, must not: copy the store";
    if (const auto target = health->moved_to.get())
      return "the store was moved to " + *target + ": set store.url to that one, or see `roost store reopen`";
    const auto other = health->writer.get();
    if (!other) return "the lease is not held";
    return "standing by: the writer is " + *other + "; " + lag_of(*followed);
  });
  add("changes", [lease = base_.lease, followed = base_.followed]() -> reason {
    if (!lease->holds() || followed->is_empty()) return {};
    if (followed->behind().since_poll < max_poll_age) return {};
    return lag_of(*followed);
  });
  add("clock", [health = health_]() -> reason {
    const auto ahead = std::chrono::duration_cast<std::chrono::seconds>(health->clock_ahead.load());
    if (std::chrono::abs(ahead) <= store::clock_tolerance) return {};
    return "this machine's clock is " + std::to_string(ahead.count()) + " s ahead of the database's";
  });
  base_.readiness.push_back(
      {"time",
       [health = health_]() -> reason {
         const auto compared = health->untrusted_time.get();
         if (!compared) return {};
         return store::to_string(*compared) +
                ": nothing is changed or deleted because of its age; see roost clock show";
       },
       true});
}

/// Returns each lost lane with its error.
std::optional<std::string> lease_module::lost_lanes() const {
  std::string lost;
  for (const auto& lane : lanes_)
    if (const auto error = lane->error())
      lost.append(lost.empty() ? "" : "; ").append(lane->name() + ": " + *error);
  return lost.empty() ? std::nullopt : std::optional{lost};
}

void lease_module::start() {
  actors::lease_settings setup;
  setup.store_url = base_.settings.store.url;
  setup.node = node_name();
  if (base_.hooks.on_hold) {
    setup.node.insert(0, store::inspecting_node_prefix);
    setup.use = store::lease_use::inspect;
  }
  setup.now = base_.hooks.now;
  setup.admit = [&credentials = credentials_](store::session& db) {
    store::bind_signing_keys(db, credentials.signing_keys());
  };
  keeper_ = actors::spawn_lease_keeper(*base_.runtime, std::move(setup), base_.lease, health_);
  watch_ = actors::spawn_lane_watch(*base_.runtime, {base_.storage->watched_lanes(), [health = health_] {
                                                       return health->reachable && health->schema_current;
                                                     }});
}

void lease_module::end_watch() { stop_actor(watch_); }

void lease_module::finish_writing() {
  base_.finish_storage_jobs();
  send_and_wait(base_.system(), keeper_, actors::release_lease{});
  stop_actor(keeper_);
}

} // namespace roost
