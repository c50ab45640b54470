#include "actors/runtime/storage.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace roost::actors {

namespace {

constexpr std::array<std::string_view, 10> error_names{"",
                                                       "unavailable",
                                                       "lease_lost",
                                                       "another_history",
                                                       "overlapping_stay",
                                                       "duplicate_reference",
                                                       "already_decided",
                                                       "failed",
                                                       "invalid_value",
                                                       "conflicting_row"};

const caf::atom_value category = caf::atom("storage");

/// By storage_pool's lane and side_lane.
constexpr std::array<std::string_view, 4> lane_names{"acknowledgements", "decisions", "reads_and_mail",
                                                     "more_acknowledgements"};
constexpr std::array<std::string_view, 3> side_lane_names{"management", "ledger", "office"};

/// Reconnects if the SQLite file was replaced: work that has not started does not depend on the store's
/// history.
void reopen_if_replaced(store::session& db) {
  if (!db.is_sqlite()) return;
  try {
    db.connect();
  } catch (const store::another_history& exception) {
    log::warn("store_reopened", {{"what", exception.what()}});
  }
}

storage_error error_of(store::violation kind) {
  switch (kind) {
  case store::violation::overlapping_stay:
    return storage_error::overlapping_stay;
  case store::violation::duplicate_reference:
    return storage_error::duplicate_reference;
  case store::violation::invalid_value:
    return storage_error::invalid_value;
  case store::violation::conflicting_row:
    return storage_error::conflicting_row;
  }
  return storage_error::failed;
}

storage_error error_of(const std::exception& thrown) {
  if (dynamic_cast<const store::unavailable*>(&thrown)) return storage_error::unavailable;
  if (dynamic_cast<const store::lease_lost*>(&thrown)) return storage_error::lease_lost;
  if (dynamic_cast<const store::another_history*>(&thrown)) return storage_error::another_history;
  if (dynamic_cast<const store::already_decided*>(&thrown)) return storage_error::already_decided;
  const auto* violated = dynamic_cast<const store::constraint_violated*>(&thrown);
  return violated ? error_of(violated->kind()) : storage_error::failed;
}

/// Runs the work and maps the store's exceptions to errors: a handler that throws would end its actor.
caf::result<storage_result> attempt(const storage_job& job, store::session& db, lane_health& health) {
  const auto refuse = [&](storage_error error,
                          const std::exception& exception) -> caf::result<storage_result> {
    if (error != storage_error::unavailable)
      health.record_response();
    else if (job.is_probe)
      health.record_failure(exception.what());
    else
      health.invalidate();
    if (!job.is_probe)
      log::warn("store_job_failed",
                {{"job", job.kind}, {"reason", to_string(error)}, {"what", exception.what()}});
    return make_error(error);
  };
  try {
    reopen_if_replaced(db);
    storage_result result{job.work(db)};
    health.record_response();
    return result;
  } catch (const std::exception& exception) {
    return refuse(error_of(exception), exception);
  }
}

enum outcome : std::size_t { done, failed, expired };
constexpr std::array<const char*, 3> outcome_names{"done", "failed", "expired"};
using outcome_counters = std::array<metrics::counter, outcome_names.size()>; ///< by outcome

/// The metrics of a kind of jobs, few because there are almost fifty kinds: no histogram, and outcomes only
/// once they occur. Alerts use those of the lanes.
struct kind_metrics {
  outcome_counters outcomes;
  metrics::counter busy;
};

class storage_state : public actor_state<storage_actor> {
public:
  static constexpr const char* name = "storage";
  using actor_state::actor_state;

  behavior open(const std::string& url, std::shared_ptr<lane_health> health, metrics::registry* registry,
                std::chrono::milliseconds give_up_after) {
    session_.emplace(url);
    registry_ = registry;
    give_up_after_ = give_up_after;
    health_ = std::move(health);
    const metrics::labels lane{{"lane", health_->name()}};
    lane_jobs_ = counters("roost_store_lane_jobs_total", "Storage jobs by lane and outcome", lane);
    busy_ =
        registry->counter("roost_store_lane_busy_seconds_total", "Time that a lane spent on its jobs", lane);
    waits_ = registry->histogram("roost_store_lane_wait_seconds", "Time that jobs waited for their lane",
                                 lane, {0.001, 0.01, 0.05, 0.1, 1, 10});
    job_seconds_ = registry->histogram("roost_store_job_seconds", "Time a storage job took");
    waiting_ =
        registry->gauge("roost_store_lane_waiting", "Jobs that waited when the last one was started", lane);
    return {[this](const storage_job& job) { return run(job); }};
  }

private:
  using clock = std::chrono::steady_clock;

  caf::result<storage_result> run(const storage_job& job) {
    const auto started_at = clock::now();
    waits_->observe(seconds_of(started_at - job.enqueued_at));
    waiting_->set(static_cast<double>(mailbox_depth(*self_)));
    if (job.deadline.has_passed(started_at) || (job.needs_store && job.enqueued_at <= given_up_at_)) {
      count(job, expired);
      return make_error(storage_error::unavailable);
    }
    auto response = attempt(job, *session_, *health_);
    const bool well = response.flag == caf::rt_value;
    count(job, well ? done : failed);
    const auto ended_at = clock::now();
    const auto took = ended_at - started_at;
    if (!well && storage_error_of(response.err) == storage_error::unavailable && took >= give_up_after_)
      given_up_at_ = ended_at;
    job_seconds_->observe(seconds_of(took));
    jobs_[job.kind].busy.increment(seconds_of(took));
    busy_.increment(seconds_of(took));
    return response;
  }

  static double seconds_of(clock::duration time) { return std::chrono::duration<double>(time).count(); }

  /// Creates the counters of all outcomes together: a counter that appeared with its first failure would show
  /// no increase.
  outcome_counters counters(const char* name, const char* help, metrics::labels labels) const {
    outcome_counters all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      labels["outcome"] = outcome_names[i];
      all[i] = registry_->counter(name, help, labels);
    }
    return all;
  }

  void count(const storage_job& job, outcome ended) {
    auto& of_kind = jobs_[job.kind];
    if (!of_kind.busy)
      of_kind.busy = registry_->counter("roost_store_kind_busy_seconds_total", "Time spent on jobs of a kind",
                                        {{"kind", job.kind}});
    auto& counted = of_kind.outcomes[ended];
    if (!counted)
      counted = registry_->counter("roost_store_jobs_total", "Storage jobs by kind and outcome",
                                   {{"kind", job.kind}, {"outcome", outcome_names[ended]}});
    counted.increment();
    lane_jobs_[ended].increment();
  }

  std::optional<store::session> session_;
  metrics::registry* registry_ = nullptr;
  std::shared_ptr<lane_health> health_;
  outcome_counters lane_jobs_;
  metrics::counter busy_;
  std::optional<metrics::histogram> waits_, job_seconds_;
  std::optional<metrics::gauge> waiting_;
  std::map<std::string, kind_metrics> jobs_; ///< by kind
  std::chrono::milliseconds give_up_after_{};
  clock::time_point given_up_at_{}; ///< when a job last waited in vain for the store
};

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

class lane_watch_state : public actor_state<lane_watch> {
public:
  static constexpr const char* name = "lane_watch";
  using actor_state::actor_state;

  behavior open(lane_watch_settings settings) {
    settings_ = std::move(settings);
    self_->send(self_, check_lanes{});
    return {[this](const check_lanes&) { check(); }};
  }

  void check() {
    for (const auto& lane : settings_.lanes)
      if (is_due(*lane.health) && probed_.insert(lane.health.get()).second) probe(lane);
    self_->delayed_send(self_, settings_.interval, check_lanes{});
  }

private:
  bool is_due(const lane_health& lane) const {
    if (lane.is_in_doubt()) return true;
    return lane_health::clock::now() - lane.last_response() >= settings_.idle && settings_.may_connect();
  }

  /// The lane itself records the outcome.
  void probe(const storage_pool::watched_lane& lane) {
    const auto finish = [this, health = lane.health.get()] { probed_.erase(health); };
    self_->request(lane.worker, caf::infinite, probing_job())
        .then([finish](storage_result&) { finish(); }, [finish](caf::error&) { finish(); });
  }

  lane_watch_settings settings_;
  std::set<const lane_health*> probed_; ///< lanes with a probe in progress
};

} // namespace

caf::error make_error(storage_error error) { return {static_cast<std::uint8_t>(error), category}; }

storage_error storage_error_of(const caf::error& reason) {
  // CAF reads the category and the code through a null pointer if there is no error.
  if (!reason || reason.category() != category) return storage_error::unavailable;
  return static_cast<storage_error>(reason.code());
}

std::string_view to_string(storage_error error) { return error_names[static_cast<std::size_t>(error)]; }

bool may_concern_one_row(storage_error error) {
  return error != storage_error::unavailable && error != storage_error::lease_lost &&
         error != storage_error::another_history;
}

storage_pool::storage_pool(runtime& rt, const std::string& url, std::size_t sessions,
                           metrics::registry& registry, std::chrono::milliseconds give_up_after)
    : one_writer_(store::session{url}.is_sqlite()) {
  const auto spawn = [&](std::string_view lane) {
    health_.push_back(std::make_shared<lane_health>(std::string{lane}));
    return rt.spawn_detached<storage_state>(url, health_.back(), &registry, give_up_after);
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
  for (bool waits = true; waits && running > 0; --running) {
    await_message(self);
    self->receive([](const caf::down_msg&) {},
                  caf::after(std::max<caf::timespan>(until - std::chrono::steady_clock::now(), {})) >>
                      [&] {
                        log::warn("storage_end_missing");
                        waits = false;
                      });
  }
}

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings) {
  return rt.spawn_at<lane_watch_state>(0, std::move(settings));
}

} // namespace roost::actors
