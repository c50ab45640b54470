#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"
#include "metrics/registry.hpp"
#include "store/database/error.hpp"
#include "store/database/session.hpp"

#include <any>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::actors {

/// The errors of storage jobs: the classes of `store::error` as a caf::error.
enum class storage_error : std::uint8_t {
  unavailable = 1,
  lease_lost,
  another_history,
  overlapping_stay,
  duplicate_reference,
  already_decided,
  failed,
  invalid_value,   ///< the database cannot hold a value; a retry is useless
  conflicting_row, ///< with another row, by a unique or foreign key; a retry may succeed
};

caf::error make_error(storage_error error);

/// Returns the storage error; unavailable for an error of another origin, such as a dead worker, and for an
/// empty error, such as the reason of an ask without a response.
storage_error storage_error_of(const caf::error& reason);

std::string_view to_string(storage_error error);

/// Returns whether the error may be due to a single row of a write: the other rows may succeed without it.
bool may_concern_one_row(storage_error error);

/// A blocking store operation, run on a storage actor's thread.
struct storage_job {
  const char* kind = ""; ///< for the metrics
  actors::deadline deadline;
  std::function<std::any(store::session&)> work;
  std::chrono::steady_clock::time_point enqueued_at = std::chrono::steady_clock::now();
  bool is_probe = false;   ///< only checks whether the store is reachable, and records that in lane_health
  bool needs_store = true; ///< false: it runs even while the store is unavailable
};

struct storage_result {
  std::any value;
};

/// One store session with its thread.
using storage_actor = caf::typed_actor<
    /// Runs the job, or responds with storage_error. A job is not started if its deadline has passed, or if
    /// it arrived while an earlier one waited in vain for the store: it would wait just as long.
    caf::replies_to<storage_job>::with<storage_result>>;

/// Whether a storage lane reaches the store. Written by the lane's thread, readable by any thread.
class lane_health {
public:
  using clock = std::chrono::steady_clock;

  explicit lane_health(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  /// The store responded to a job, possibly with an error.
  void record_response() {
    last_response_ = clock::now();
    in_doubt_ = false;
    if (!error_.get()) return;
    error_.set(nullptr);
    log::info("store_lane_back", {{"lane", name_}});
  }
  /// The store did not respond to a job. A probe will find out whether it is reachable.
  void invalidate() { in_doubt_ = true; }
  /// A probe did not reach the store.
  void record_failure(const std::string& error) {
    in_doubt_ = true;
    if (!error_.get()) log::warn("store_lane_lost", {{"lane", name_}, {"what", error}});
    error_.set(std::make_shared<const std::string>(error));
  }

  /// Whether the store has not responded since a job or a probe failed.
  bool is_in_doubt() const { return in_doubt_; }
  /// Returns clock::time_point{} before the first response.
  clock::time_point last_response() const { return last_response_; }
  /// Returns why probes fail, or nullopt if the last one succeeded.
  std::optional<std::string> error() const {
    const auto error = error_.get();
    return error ? std::optional{*error} : std::nullopt;
  }

private:
  const std::string name_;
  std::atomic<bool> in_doubt_ = false;
  std::atomic<clock::time_point> last_response_{};
  published<std::string> error_;
};

/// Spawns storage actors and assigns them to purposes, so that an acknowledgement never waits for a decision,
/// and the queue reads its next requests while it writes the last decisions.
class storage_pool {
public:
  enum class lane { acknowledgements, decisions, reads_and_mail, more_acknowledgements };

  /// Additional storage actors, not counted in `sessions`, for work that must neither delay bookings nor wait
  /// for them.
  enum class side_lane { management, ledger, office };

  /// A reachable store responds sooner than this, even with an error.
  static constexpr std::chrono::milliseconds max_response_time{1000};

  /// Once a job has waited in vain for the store for `give_up_after`, those that arrived meanwhile fail, too.
  storage_pool(runtime& rt, const std::string& url, std::size_t sessions, metrics::registry& registry,
               std::chrono::milliseconds give_up_after = max_response_time);

  const storage_actor& at(lane purpose) const {
    return actors_[static_cast<std::size_t>(purpose) % actors_.size()];
  }

  const storage_actor& at(side_lane purpose) const { return side_actors_[static_cast<std::size_t>(purpose)]; }

  /// Returns the actors that commit acknowledgements concurrently: one on SQLite, which has a single writer.
  std::vector<storage_actor> acknowledging() const;

  struct watched_lane {
    storage_actor worker;
    std::shared_ptr<lane_health> health;
  };
  /// Returns the lanes in use.
  std::vector<watched_lane> watched_lanes() const;

  /// Asks all actors to exit once they have finished their queued jobs.
  void stop();

  /// Stops the actors and waits at most `limit` until their sessions are closed.
  void stop_and_wait(runtime& rt, std::chrono::milliseconds limit);

private:
  std::vector<storage_actor> actors_;
  std::array<storage_actor, 3> side_actors_;         ///< by side_lane
  std::vector<std::shared_ptr<lane_health>> health_; ///< of actors_, then of side_actors_
  bool one_writer_;
};

struct check_lanes {};

struct lane_watch_settings {
  std::vector<storage_pool::watched_lane> lanes;
  /// Whether lanes without jobs may connect: not before the store has been created.
  std::function<bool()> may_connect;
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds idle{10'000}; ///< a lane without a response for this long is probed
};

/// Probes lanes whose last job did not reach the store, and lanes that have been idle, so that readiness
/// covers all lanes even without requests.
using lane_watch = caf::typed_actor<caf::reacts_to<check_lanes>>;

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings);

/// Returns a job that runs `work` (store::session& → Result) and puts its result into storage_result.
template <typename Work>
storage_job make_storage_job(const char* kind, deadline until, Work work) {
  storage_job job{kind, until, {}};
  job.work = [work = std::move(work)](store::session& db) mutable -> std::any {
    if constexpr (std::is_void_v<std::invoke_result_t<Work&, store::session&>>) {
      work(db);
      return {};
    } else {
      return std::any{work(db)};
    }
  };
  return job;
}

/// Returns the time limit of a request whose caller waits until then.
inline caf::duration timeout_of(const deadline& until) {
  if (until.is_never()) return caf::infinite;
  return caf::duration{std::chrono::duration_cast<std::chrono::milliseconds>(until.remaining())};
}

/// Runs `work` (store::session& → Result) in storage and then `then(Result)` or `otherwise(storage_error)` in
/// `self`. Work that has not started by the deadline fails as unavailable.
template <typename Self, typename Work, typename Then, typename Otherwise>
void in_storage(Self* self, const storage_actor& worker, const char* kind, Work work, Then then,
                Otherwise otherwise, deadline until = {}) {
  using result = std::invoke_result_t<Work&, store::session&>;
  self->request(worker, caf::infinite, make_storage_job(kind, until, std::move(work)))
      .then(
          [then = std::move(then)](storage_result& done) mutable {
            if constexpr (std::is_void_v<result>)
              then();
            else
              then(std::any_cast<result&>(done.value));
          },
          [otherwise = std::move(otherwise)](caf::error& error) mutable {
            otherwise(storage_error_of(error));
          });
}

} // namespace roost::actors
