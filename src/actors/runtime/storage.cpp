#include "actors/runtime/storage.hpp"

#include "log/log.hpp"

#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <array>
#include <optional>

namespace roost::actors {

namespace {

constexpr std::array<std::string_view, 9> error_names{"",
                                                      "unavailable",
                                                      "lease_lost",
                                                      "stale_portfolio",
                                                      "another_history",
                                                      "overlapping_stay",
                                                      "duplicate_reference",
                                                      "already_decided",
                                                      "failed"};

const caf::atom_value category = caf::atom("storage");

/// Runs the work and maps the store's exceptions: a handler that throws would end its actor.
caf::result<storage_result> attempt(const storage_job& job, store::session& db) {
  const auto refuse = [&](storage_error why, const std::exception& what) -> caf::result<storage_result> {
    log::warn("store_job_failed", {{"job", job.kind}, {"reason", to_string(why)}, {"what", what.what()}});
    return make_error(why);
  };
  try {
    return storage_result{job.work(db)};
  } catch (const store::unavailable& what) {
    return refuse(storage_error::unavailable, what);
  } catch (const store::lease_lost& what) {
    return refuse(storage_error::lease_lost, what);
  } catch (const store::stale_portfolio& what) {
    return refuse(storage_error::stale_portfolio, what);
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

class storage_state {
public:
  storage_state() = default;

  void open(const std::string& url, metrics::registry& registry) {
    session_.emplace(url);
    registry_ = &registry;
  }

  caf::result<storage_result> run(const storage_job& job) {
    const auto started = std::chrono::steady_clock::now();
    if (job.deadline.is_over(started)) {
      count(job, "expired");
      return make_error(storage_error::unavailable);
    }
    auto answer = attempt(job, *session_);
    count(job, answer.flag == caf::rt_value ? "done" : "failed");
    registry_->histogram("roost_store_job_seconds", "Time a storage job took", {{"kind", job.kind}})
        .observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    return answer;
  }

private:
  void count(const storage_job& job, const char* outcome) {
    registry_
        ->counter("roost_store_jobs_total", "Storage jobs by kind and outcome",
                  {{"kind", job.kind}, {"outcome", outcome}})
        .increment();
  }

  std::optional<store::session> session_;
  metrics::registry* registry_ = nullptr;
};

storage_actor::behavior_type storage(storage_actor::stateful_pointer<storage_state> self,
                                     const std::string& url, metrics::registry* registry) {
  self->state.open(url, *registry);
  return {[self](const storage_job& job) { return self->state.run(job); }};
}

} // namespace

caf::error make_error(storage_error why) { return {static_cast<std::uint8_t>(why), category}; }

storage_error storage_error_of(const caf::error& reason) {
  if (reason.category() != category) return storage_error::unavailable;
  return static_cast<storage_error>(reason.code());
}

std::string_view to_string(storage_error why) { return error_names[static_cast<std::size_t>(why)]; }

storage_pool::storage_pool(runtime& rt, const std::string& url, std::size_t sessions,
                           metrics::registry& registry)
    : one_writer_(store::session{url}.is_sqlite()) {
  for (std::size_t i = 0; i < sessions; ++i) actors_.push_back(rt.spawn_detached(storage, url, &registry));
  for (auto& each : beside_) each = rt.spawn_detached(storage, url, &registry);
}

std::vector<storage_actor> storage_pool::acknowledging() const {
  if (one_writer_ || actors_.size() <= static_cast<std::size_t>(lane::more_acknowledgements))
    return {at(lane::acknowledgements)};
  return {at(lane::acknowledgements), at(lane::more_acknowledgements)};
}

void storage_pool::stop() {
  for (const auto& worker : actors_) caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
  actors_.clear();
  for (auto& each : beside_) {
    if (each) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    each = nullptr;
  }
}

} // namespace roost::actors
