#pragma once

#include "actors/runtime/run_meter.hpp"

#include <caf/policy/work_sharing.hpp>
#include <caf/policy/work_stealing.hpp>
#include <caf/resumable.hpp>

#include <array>
#include <atomic>
#include <mutex>
#include <string>

namespace roost::actors {

/// How many actors wait for a turn in the queues of CAF's workers. One pool of workers exists at a time.
struct pool_queues {
  static constexpr std::size_t max_workers = 1024;

  std::array<std::atomic<std::int64_t>, max_workers> waiting{};

  std::atomic<std::int64_t>& of(std::size_t worker) { return waiting[worker % max_workers]; }
  std::atomic<std::int64_t>& shared() { return waiting[0]; } ///< of the policy `sharing`
};

pool_queues& queues_of_pool();

/// How the workers of the policy `stealing` look for work, where that was changed while they run.
class pool_tuning {
public:
  using strategies = std::array<caf::policy::work_stealing::poll_strategy, 3>;

  void set(const strategies& wanted) {
    const std::lock_guard lock{mutex_};
    wanted_ = wanted;
    version_.fetch_add(1, std::memory_order_release);
  }

  /// Brings a worker's own up to date; on its thread.
  void apply_to(strategies& mine) {
    constinit thread_local unsigned known = 0;
    if (known == version_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock{mutex_};
    known = version_.load(std::memory_order_relaxed);
    mine = wanted_;
  }

private:
  std::mutex mutex_;
  strategies wanted_{};
  std::atomic<unsigned> version_{0};
};

pool_tuning& tuning_of_pool();

/// CAF names its threads alike; their slots have numbers.
inline void enter_worker(std::size_t worker) {
  if (!meter::this_thread()) meter::enter_thread("worker-" + std::to_string(worker), true);
}

/// CAF's work sharing, with the length of its queue.
class counted_sharing : public caf::policy::work_sharing {
public:
  template <typename Coordinator>
  void central_enqueue(Coordinator* self, caf::resumable* job) {
    added();
    work_sharing::central_enqueue(self, job);
  }
  template <typename Worker>
  void external_enqueue(Worker* self, caf::resumable* job) {
    added();
    work_sharing::external_enqueue(self, job);
  }
  template <typename Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    added();
    work_sharing::internal_enqueue(self, job);
  }
  template <typename Worker>
  void resume_job_later(Worker* self, caf::resumable* job) {
    added();
    work_sharing::resume_job_later(self, job);
  }
  template <typename Worker>
  caf::resumable* dequeue(Worker* self) {
    enter_worker(self->id());
    auto* job = work_sharing::dequeue(self);
    queues_of_pool().shared().fetch_sub(1, std::memory_order_relaxed);
    add_alone(meter::this_thread()->turns, std::uint64_t{1});
    return job;
  }

private:
  static void added() { queues_of_pool().shared().fetch_add(1, std::memory_order_relaxed); }
};

/// CAF's work stealing, with the lengths of its queues and the number of thefts.
class counted_stealing : public caf::policy::work_stealing {
public:
  template <typename Worker>
  void external_enqueue(Worker* self, caf::resumable* job) {
    added(self);
    work_stealing::external_enqueue(self, job);
  }
  template <typename Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    added(self);
    work_stealing::internal_enqueue(self, job);
  }
  template <typename Worker>
  void resume_job_later(Worker* self, caf::resumable* job) {
    added(self);
    work_stealing::resume_job_later(self, job);
  }
  template <typename Worker>
  caf::resumable* dequeue(Worker* self) {
    enter_worker(self->id());
    tuning_of_pool().apply_to(d(self).strategies);
    observed<Worker> seen{self};
    auto* job = work_stealing::dequeue(&seen);
    queues_of_pool().of(seen.victim_or_self()).fetch_sub(1, std::memory_order_relaxed);
    add_alone(meter::this_thread()->turns, std::uint64_t{1});
    if (seen.stole()) add_alone(meter::this_thread()->steals, std::uint64_t{1});
    return job;
  }

private:
  template <typename Worker>
  static void added(Worker* self) {
    queues_of_pool().of(self->id()).fetch_add(1, std::memory_order_relaxed);
  }

  /// A worker as CAF's loop sees it. Where the loop looked last tells where its job comes from: it asks for
  /// its own data before it looks into its own queue, and for another worker last of all when it steals.
  template <typename Worker>
  class observed {
  public:
    explicit observed(Worker* self) : self_(self) {}

    auto& data() {
      victim_ = none;
      return self_->data();
    }
    auto id() const { return self_->id(); }
    observed* parent() { return this; }
    auto num_workers() const { return self_->parent()->num_workers(); }
    auto* worker_by_id(std::size_t victim) {
      victim_ = victim;
      return self_->parent()->worker_by_id(victim);
    }

    bool stole() const { return victim_ != none; }
    std::size_t victim_or_self() const { return stole() ? victim_ : self_->id(); }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    Worker* self_;
    std::size_t victim_ = none;
  };
};

} // namespace roost::actors
