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

/// The numbers of runnable actors in the queues of CAF's workers. Only one pool of workers exists at a time.
struct pool_queues {
  static constexpr std::size_t max_workers = 1024;

  std::array<std::atomic<std::int64_t>, max_workers> waiting{};

  std::atomic<std::int64_t>& of_worker(std::size_t worker) { return waiting[worker % max_workers]; }
  std::atomic<std::int64_t>& shared() { return waiting[0]; } ///< with the policy `sharing`
};

inline constinit pool_queues queues_of_pool;

/// Passes changed polling strategies to the running workers of the policy `stealing`.
class pool_tuning {
public:
  using strategies = std::array<caf::policy::work_stealing::poll_strategy, 3>;

  void set(const strategies& changed) {
    const std::lock_guard lock{mutex_};
    strategies_ = changed;
    version_.fetch_add(1, std::memory_order_release);
  }

  /// Updates a worker's strategies; called on its thread.
  void apply_to(strategies& current) {
    constinit thread_local unsigned applied = 0;
    if (applied == version_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock{mutex_};
    applied = version_.load(std::memory_order_relaxed);
    current = strategies_;
  }

private:
  std::mutex mutex_;
  strategies strategies_{};
  std::atomic<unsigned> version_{0};
};

inline constinit pool_tuning tuning_of_pool;

/// Names this thread by its worker's number; CAF gives all of its threads the same name.
inline void enter_worker(std::size_t worker) {
  if (!meter::this_thread()) meter::enter_thread("worker-" + std::to_string(worker), true);
}

/// A policy of CAF that counts the actors which become runnable. `Counted` defines `count_added(self)`.
template <typename Policy, typename Counted>
class counting : public Policy {
public:
  template <typename Worker>
  void external_enqueue(Worker* self, caf::resumable* job) {
    Counted::count_added(self);
    Policy::external_enqueue(self, job);
  }
  template <typename Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    Counted::count_added(self);
    Policy::internal_enqueue(self, job);
  }
  template <typename Worker>
  void resume_job_later(Worker* self, caf::resumable* job) {
    Counted::count_added(self);
    Policy::resume_job_later(self, job);
  }
};

/// CAF's work sharing, with a measured queue length.
class counted_sharing : public counting<caf::policy::work_sharing, counted_sharing> {
public:
  template <typename Coordinator>
  void central_enqueue(Coordinator* self, caf::resumable* job) {
    count_added(self);
    work_sharing::central_enqueue(self, job);
  }
  template <typename Worker>
  caf::resumable* dequeue(Worker* self) {
    enter_worker(self->id());
    auto* job = work_sharing::dequeue(self);
    queues_of_pool.shared().fetch_sub(1, std::memory_order_relaxed);
    add_alone(meter::this_thread()->runs, std::uint64_t{1});
    return job;
  }

  static void count_added(const void*) { queues_of_pool.shared().fetch_add(1, std::memory_order_relaxed); }
};

/// CAF's work stealing, with measured queue lengths and a count of steals.
class counted_stealing : public counting<caf::policy::work_stealing, counted_stealing> {
public:
  template <typename Worker>
  caf::resumable* dequeue(Worker* self) {
    enter_worker(self->id());
    tuning_of_pool.apply_to(d(self).strategies);
    observed<Worker> observed_self{self};
    auto* job = work_stealing::dequeue(&observed_self);
    queues_of_pool.of_worker(observed_self.victim_or_self()).fetch_sub(1, std::memory_order_relaxed);
    add_alone(meter::this_thread()->runs, std::uint64_t{1});
    if (observed_self.stole()) add_alone(meter::this_thread()->steals, std::uint64_t{1});
    return job;
  }

  template <typename Worker>
  static void count_added(Worker* self) {
    queues_of_pool.of_worker(self->id()).fetch_add(1, std::memory_order_relaxed);
  }

private:
  /// The worker that is passed to CAF's loop. Its last access shows which queue the job came from: the loop
  /// accesses its own data before its own queue, and another worker right before it steals.
  template <typename Worker>
  class observed {
  public:
    explicit observed(Worker* self) : self_(self) {}

    auto& data() {
      victim_ = no_victim;
      return self_->data();
    }
    auto id() const { return self_->id(); }
    observed* parent() { return this; }
    auto num_workers() const { return self_->parent()->num_workers(); }
    auto* worker_by_id(std::size_t victim) {
      victim_ = victim;
      return self_->parent()->worker_by_id(victim);
    }

    bool stole() const { return victim_ != no_victim; }
    std::size_t victim_or_self() const { return stole() ? victim_ : self_->id(); }

  private:
    static constexpr std::size_t no_victim = static_cast<std::size_t>(-1);
    Worker* self_;
    std::size_t victim_ = no_victim;
  };
};

} // namespace roost::actors
