#include "actors/sessions/password_hasher.hpp"

#include "log/log.hpp"
#include "security/live_keys.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <functional>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

const auto hashing_category = caf::atom("hashing");
/// The lowest priority: sign-ins yield CPU to partner reads.
constexpr int lowered_priority = 19;

/// A thread that hashes one password at a time.
using hashing_worker = caf::typed_actor<caf::replies_to<verify_password>::with<bool>,
                                        caf::replies_to<hash_password>::with<std::string>>;

/// On Linux, setpriority(2) with a thread id affects only that thread.
void lower_priority_of_this_thread() {
  const auto thread = static_cast<id_t>(::gettid());
  if (::getpriority(PRIO_PROCESS, thread) >= lowered_priority) return;
  if (::setpriority(PRIO_PROCESS, thread, lowered_priority) != 0)
    log::warn("hashing_priority_unchanged", {{"errno", errno}});
}

class hashing_worker_state : public actor_state<hashing_worker> {
public:
  static constexpr const char* name = "hashing_worker";
  using actor_state::actor_state;

  behavior open(security::password_cost cost, metrics::registry* registry) {
    lower_priority_of_this_thread();
    cost_ = cost;
    constexpr auto help = "Time of hashing one password, by purpose";
    for (const auto* kind : {"verify", "hash"})
      seconds_.push_back(registry->histogram("roost_password_hashing_seconds", help, {{"kind", kind}},
                                             {0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5}));
    decoy_hash_ = security::hash_password(security::random_secret(), cost);
    return {[this](const verify_password& job) { return verify(job); },
            [this](const hash_password& job) { return hash(job); }};
  }

  caf::result<bool> verify(const verify_password& job) {
    return timed<bool>(seconds_.front(), job.until, [&] {
      const auto stored_cost = job.encoded ? security::cost_of(*job.encoded) : std::nullopt;
      const bool matches = security::password_matches(job.password, stored_cost ? *job.encoded : decoy_hash_);
      // A hash from before a higher cost was configured is checked faster than the decoy.
      const auto rest = stored_cost ? security::remaining_cost(*stored_cost, cost_) : std::nullopt;
      if (rest) security::hash_password(job.password, *rest);
      return stored_cost && matches;
    });
  }

  caf::result<std::string> hash(const hash_password& job) {
    return timed<std::string>(seconds_.back(), job.until,
                              [&] { return security::hash_password(job.password, cost_); });
  }

private:
  template <typename Result, typename Work>
  static caf::result<Result> timed(const metrics::histogram& seconds, deadline until, Work work) {
    const auto started_at = deadline::clock::now();
    if (until.has_passed(started_at)) return make_error(hashing_error::too_late);
    try {
      auto result = work();
      seconds.observe(std::chrono::duration<double>(deadline::clock::now() - started_at).count());
      return result;
    } catch (const std::exception& error) {
      log::error("hashing_failed", {{"what", error.what()}});
      return make_error(hashing_error::failed);
    }
  }

  security::password_cost cost_{};
  std::string decoy_hash_; ///< of a random password that is not kept
  std::vector<metrics::histogram> seconds_;
};

/// Distributes passwords to idle workers in order of arrival.
class password_hasher_state : public actor_state<password_hasher> {
public:
  static constexpr const char* name = "password_hasher";
  using actor_state::actor_state;

  behavior open(std::vector<hashing_worker> workers, std::size_t max_waiting, metrics::registry* registry) {
    workers_ = std::move(workers);
    max_waiting_ = max_waiting;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      self_->link_to(workers_[i]); // they end with this actor
      idle_.push_back(i);
    }
    waiting_ = registry->gauge("roost_password_hashing_waiting", "Passwords waiting for a thread");
    refused_ = registry->counter("roost_password_hashing_refused_total",
                                 "Passwords rejected because the queue was full");
    return {[this](verify_password& job) { return enqueue<bool>(job); },
            [this](hash_password& job) { return enqueue<std::string>(job); }};
  }

  template <typename Result, typename Job>
  caf::result<Result> enqueue(Job& job) {
    if (idle_.empty() && queue_.size() >= max_waiting_) {
      refused_.increment();
      return make_error(hashing_error::busy);
    }
    auto response = self_->make_response_promise<Result>();
    queue_.push_back([this, response, job = std::move(job)](std::size_t worker) mutable {
      run<Result>(worker, response, std::move(job));
    });
    assign_jobs();
    return response;
  }

private:
  template <typename Result, typename Job>
  void run(std::size_t worker, caf::typed_response_promise<Result> response, Job job) {
    const auto done = [this, worker] {
      idle_.push_back(worker);
      assign_jobs();
    };
    self_->request(workers_[worker], caf::infinite, std::move(job))
        .then(
            [response, done](Result& result) mutable {
              response.deliver(std::move(result));
              done();
            },
            [response, done](caf::error& error) mutable {
              response.deliver(std::move(error));
              done();
            });
  }

  void assign_jobs() {
    while (!idle_.empty() && !queue_.empty()) {
      const auto next = std::move(queue_.front());
      queue_.pop_front();
      const auto worker = idle_.back();
      idle_.pop_back();
      next(worker);
    }
    waiting_->set(static_cast<double>(queue_.size()));
  }

  std::vector<hashing_worker> workers_;
  std::vector<std::size_t> idle_; ///< by index
  std::deque<std::function<void(std::size_t worker)>> queue_;
  std::size_t max_waiting_ = 0;
  std::optional<metrics::gauge> waiting_;
  metrics::counter refused_;
};

/// Returns the configured number, or by default half of the cores, so that the others can serve platforms.
std::size_t thread_count(std::size_t configured) {
  return configured > 0 ? configured : std::max<std::size_t>(1, std::thread::hardware_concurrency() / 2);
}

} // namespace

caf::error make_error(hashing_error error) { return {static_cast<std::uint8_t>(error), hashing_category}; }

password_hasher spawn_password_hasher(runtime& rt, const password_hasher_setup& setup) {
  std::vector<hashing_worker> workers;
  for (std::size_t i = 0; i < thread_count(setup.threads); ++i)
    workers.push_back(rt.spawn_detached<hashing_worker_state>(setup.cost, setup.registry));
  return rt.spawn_at<password_hasher_state>(0, std::move(workers), setup.queue, setup.registry);
}

} // namespace roost::actors
