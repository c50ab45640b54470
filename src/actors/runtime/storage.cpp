#include "actors/runtime/storage.hpp"

#include "log/log.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>

namespace roost::actors {

namespace {

constexpr std::array<std::string_view, 8> error_names{"",
                                                      "unavailable",
                                                      "lease_lost",
                                                      "another_history",
                                                      "overlapping_stay",
                                                      "duplicate_reference",
                                                      "already_decided",
                                                      "failed"};

const caf::atom_value category = caf::atom("storage");

constexpr std::chrono::seconds unavailable_wait{1}; ///< a reachable store responds sooner, even with an error

/// By storage_pool's lane and side_lane.
constexpr std::array<std::string_view, 4> lane_names{"acknowledgements", "decisions", "reads_and_mail",
                                                     "more_acknowledgements"};
constexpr std::array<std::string_view, 2> side_lane_names{"management", "ledger"};

/// Reconnects if the SQLite file was replaced: work that has not started does not depend on the store's
/// history.
void reopen_if_replaced(store::session& db) {
  if (!db.is_sqlite()) return;
  try {
    db.connect();
  } catch (const store::another_history& what) {
    log::warn("store_reopened", {{"what", what.what()}});
  }
}

/// Runs the work and maps the store's exceptions to errors: a handler that throws would end its actor.
caf::result<storage_result> attempt(const storage_job& job, store::session& db, lane_health& health) {
  const auto refuse = [&](storage_error error, const std::exception& what) -> caf::result<storage_result> {
    if (error != storage_error::unavailable)
      health.record_response();
    else if (job.is_probe)
      health.record_failure(what.what());
    else
      health.invalidate();
    if (!job.is_probe)
      log::warn("store_job_failed", {{"job", job.kind}, {"reason", to_string(error)}, {"what", what.what()}});
    return make_error(error);
  };
  try {
    reopen_if_replaced(db);
    storage_result result{job.work(db)};
    health.record_response();
    return result;
  } catch (const store::unavailable& what) {
    return refuse(storage_error::unavailable, what);
  } catch (const store::lease_lost& what) {
    return refuse(storage_error::lease_lost, what);
  } catch (const store::another_history& what) {
    return refuse(storage_error::another_history, what);
  } catch (const store::already_decided& what) {
    return refuse(storage_error::already_decided, what);
  } catch (const store::constraint_violated& what) {
    switch (what.kind()) {
    case store::violation::overlapping_stay:
      return refuse(storage_error::overlapping_stay, what);
    case store::violation::duplicate_reference:
      return refuse(storage_error::duplicate_reference, what);
    case store::violation::other:
      break;
    }
    return refuse(storage_error::failed, what);
  } catch (const std::exception& what) {
    return refuse(storage_error::failed, what);
  }
}

/// The load metrics of a lane.
class lane_metrics {
public:
  using clock = std::chrono::steady_clock;

  lane_metrics(metrics::registry& registry, const std::string& lane)
      : done_(jobs(registry, lane, "done")), failed_(jobs(registry, lane, "failed")),
        expired_(jobs(registry, lane, "expired")),
        busy_(registry.counter("roost_store_lane_busy_seconds_total", "Time that a lane spent on its jobs",
                               {{"lane", lane}})),
        waits_(registry.histogram("roost_store_lane_wait_seconds", "Time that jobs waited for their lane",
                                  {{"lane", lane}})),
        waiting_(registry.gauge("roost_store_lane_waiting", "Jobs that waited when the last one was started",
                                {{"lane", lane}})) {}

  void started(const storage_job& job, clock::time_point now, std::size_t waiting) const {
    waits_.observe(std::chrono::duration<double>(now - job.asked).count());
    waiting_.set(static_cast<double>(waiting));
  }
  void expired() const { expired_.increment(); }
  void ended(bool well, clock::duration took) const {
    (well ? done_ : failed_).increment();
    busy_.increment(std::chrono::duration<double>(took).count());
  }

private:
  static metrics::counter jobs(metrics::registry& registry, const std::string& lane, const char* outcome) {
    return registry.counter("roost_store_lane_jobs_total", "Storage jobs by lane and outcome",
                            {{"lane", lane}, {"outcome", outcome}});
  }

  metrics::counter done_, failed_, expired_, busy_;
  metrics::histogram waits_;
  metrics::gauge waiting_;
};

class storage_state : public actor_state<storage_actor> {
public:
  static constexpr const char* name = "storage";
  using actor_state::actor_state;

  behavior open(const std::string& url, std::shared_ptr<lane_health> health, metrics::registry* registry) {
    session_.emplace(url);
    registry_ = registry;
    health_ = std::move(health);
    lane_.emplace(*registry, health_->name());
    return {[this](const storage_job& job) { return run(job, mailbox_depth(*self_)); }};
  }

  caf::result<storage_result> run(const storage_job& job, std::size_t waiting) {
    const auto started_at = std::chrono::steady_clock::now();
    lane_->started(job, started_at, waiting);
    if (job.deadline.has_passed(started_at) || (job.needs_store && job.asked <= given_up_at_)) {
      count(job, "expired");
      lane_->expired();
      return make_error(storage_error::unavailable);
    }
    auto response = attempt(job, *session_, *health_);
    const bool well = response.flag == caf::rt_value;
    count(job, well ? "done" : "failed");
    const auto ended_at = std::chrono::steady_clock::now();
    const auto took = ended_at - started_at;
    if (!well && storage_error_of(response.err) == storage_error::unavailable && took >= unavailable_wait)
      given_up_at_ = ended_at;
    registry_->histogram("roost_store_job_seconds", "Time a storage job took", {{"kind", job.kind}})
        .observe(std::chrono::duration<double>(took).count());
    lane_->ended(well, took);
    return response;
  }

private:
  /// Creates the counters of all outcomes with a kind's first job: a counter that appeared with its first
  /// failure would show no increase.
  void count(const storage_job& job, const std::string& outcome) {
    auto& known = jobs_[job.kind];
    if (known.empty())
      for (const auto* each : {"done", "failed", "expired"})
        known.emplace(each, registry_->counter("roost_store_jobs_total", "Storage jobs by kind and outcome",
                                               {{"kind", job.kind}, {"outcome", each}}));
    known.at(outcome).increment();
  }

  std::optional<store::session> session_;
  metrics::registry* registry_ = nullptr;
  std::shared_ptr<lane_health> health_;
  std::optional<lane_metrics> lane_;
  std::map<std::string, std::map<std::string, metrics::counter>> jobs_; ///< by kind and outcome
  std::chrono::steady_clock::time_point given_up_at_{}; // when a job last waited in vain for the store
};

} // namespace

caf::error make_error(storage_error error) { return {static_cast<std::uint8_t>(error), category}; }

storage_error storage_error_of(const caf::error& reason) {
  if (reason.category() != category) return storage_error::unavailable;
  return static_cast<storage_error>(reason.code());
}

storage_job probing_job() {
  return {.kind = "probe",
          .deadline = {},
          .work =
              [](store::session& db) {
                db.probe();
                return std::any{};
              },
          .is_probe = true};
}

std::string_view to_string(storage_error error) { return error_names[static_cast<std::size_t>(error)]; }

storage_pool::storage_pool(runtime& rt, const std::string& url, std::size_t sessions,
                           metrics::registry& registry)
    : one_writer_(store::session{url}.is_sqlite()) {
  const auto spawn = [&](std::string_view lane) {
    health_.push_back(std::make_shared<lane_health>(std::string{lane}));
    return rt.spawn_detached<storage_state>(url, health_.back(), &registry);
  };
  for (std::size_t i = 0; i < sessions; ++i)
    actors_.push_back(spawn(i < lane_names.size() ? lane_names[i] : "unused"));
  for (std::size_t i = 0; i < side_actors_.size(); ++i) side_actors_[i] = spawn(side_lane_names[i]);
}

std::vector<storage_actor> storage_pool::acknowledging() const {
  if (one_writer_ || actors_.size() <= static_cast<std::size_t>(lane::more_acknowledgements))
    return {at(lane::acknowledgements)};
  return {at(lane::acknowledgements), at(lane::more_acknowledgements)};
}

std::vector<storage_pool::watched_lane> storage_pool::watched_lanes() const {
  std::vector<watched_lane> all;
  // SQLite does not use the last lane, and lanes without a name are unused.
  const auto used = std::min(actors_.size(), lane_names.size() - (one_writer_ ? 1 : 0));
  for (std::size_t i = 0; i < used; ++i) all.push_back({actors_[i], health_[i]});
  for (std::size_t i = 0; i < side_actors_.size(); ++i)
    all.push_back({side_actors_[i], health_[actors_.size() + i]});
  return all;
}

void storage_pool::stop() {
  for (const auto& worker : actors_) caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
  actors_.clear();
  for (auto& worker : side_actors_) {
    if (worker) caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
    worker = nullptr;
  }
}

void storage_pool::stop_and_wait(runtime& rt, std::chrono::milliseconds limit) {
  caf::scoped_actor self{rt.system()};
  std::size_t running = 0;
  for (const auto& workers :
       {std::span<const storage_actor>{actors_}, std::span<const storage_actor>{side_actors_}})
    for (const auto& worker : workers) {
      if (!worker) continue;
      self->monitor(worker);
      ++running;
    }
  stop();
  const auto until = std::chrono::steady_clock::now() + limit;
  for (bool waits = true; waits && running > 0; --running)
    self->receive([](const caf::down_msg&) {},
                  caf::after(std::max<caf::timespan>(until - std::chrono::steady_clock::now(), {})) >>
                      [&] {
                        log::warn("storage_end_missing");
                        waits = false;
                      });
}

} // namespace roost::actors
