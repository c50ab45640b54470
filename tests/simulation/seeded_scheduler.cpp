#include "simulation/seeded_scheduler.hpp"

#include "actors/runtime/io_unit.hpp"
#include "actors/runtime/run_meter.hpp"

#include <caf/actor_cast.hpp>
#include <caf/local_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <sys/resource.h>
#include <utility>

namespace roost::testing {

seeded_scheduler::seeded_scheduler(caf::actor_system& system) : abstract_coordinator(system) {
  actors::meter::enter_thread("simulation", false);
}

void seeded_scheduler::load(caf::actor_system_config& config) { config.load<seeded_scheduler>(); }

caf::actor_system::module* seeded_scheduler::make(caf::actor_system& system, caf::detail::type_list<>) {
  return new seeded_scheduler(system); // the system deletes it
}

void seeded_scheduler::use_random(random& from, std::function<void()> when_idle) {
  random_ = &from;
  when_idle_ = std::move(when_idle);
}

bool seeded_scheduler::is_ready() const {
  return !runnable_.empty() ||
         std::ranges::any_of(waiting_, [](const auto& each) { return each->is_ready(); });
}

std::vector<std::shared_ptr<seeded_scheduler::waiting_run>> seeded_scheduler::ready_runs() const {
  std::vector<std::shared_ptr<waiting_run>> ready;
  std::ranges::copy_if(waiting_, std::back_inserter(ready),
                       [](const auto& each) { return each->is_ready(); });
  return ready;
}

void seeded_scheduler::run_one(random& from) {
  const auto ready = ready_runs();
  const auto chosen = static_cast<std::size_t>(from() % (runnable_.size() + ready.size()));
  if (chosen >= runnable_.size()) return resume(*ready[chosen - runnable_.size()]);
  auto* job = runnable_[chosen];
  runnable_.erase(runnable_.begin() + static_cast<std::ptrdiff_t>(chosen));
  resume(job);
}

bool seeded_scheduler::may_wait(const caf::resumable* job) const {
  const auto* actor = dynamic_cast<const caf::local_actor*>(job);
  return actor != nullptr && actor->name() == waiting_actor_;
}

void seeded_scheduler::run_until(const std::function<bool()>& is_true) {
  if (current_ != nullptr && fiber::current() == &current_->runs) {
    current_->is_over = is_true;
    return current_->runs.wait();
  }
  constexpr int max_rounds = 1'000'000;
  ++waits_;
  for (int round = 0; !is_true(); ++round) {
    if (round == max_rounds) throw std::logic_error("an actor waits for something that never happens");
    if (is_ready())
      run_one(*random_);
    else
      when_idle_();
  }
  --waits_;
}

bool seeded_scheduler::sleep(std::chrono::nanoseconds time) {
  if (time == std::chrono::nanoseconds::zero() || current_ == nullptr || fiber::current() != &current_->runs)
    return true;
  auto& run = *current_;
  run.wakes_at = time_point::clock::now() + time;
  run.runs.wait();
  return !run.is_killed;
}

/// Kills all actors. The requests of waiting actors then fail, so that each can finish its message.
void seeded_scheduler::end_actors() {
  for (const auto& weak : std::exchange(actors_, {}))
    if (const auto actor = weak.lock())
      caf::anon_send_exit(caf::actor_cast<caf::actor>(actor), caf::exit_reason::kill);
  is_delayed_ = {};
  for (const auto& [at, job] : std::exchange(delayed_, {})) runnable_.push_back(job);
  for (const auto& each : waiting_) {
    each->is_killed = true;
    if (each->wakes_at != time_point::max()) each->wakes_at = {};
  }
  while (is_ready()) {
    if (runnable_.empty()) {
      resume(*ready_runs().front());
      continue;
    }
    auto* job = runnable_.back();
    runnable_.pop_back();
    handle(job);
  }
}

std::optional<seeded_scheduler::time_point> seeded_scheduler::next_timer() const {
  const auto& schedule = clock_.schedule();
  std::optional<time_point> next;
  if (!schedule.empty()) next = schedule.begin()->first;
  const auto note = [&next](time_point event) {
    if (!next || event < *next) next = event;
  };
  if (!delayed_.empty()) note(delayed_.begin()->first);
  // Skip those that are awake: their past time would stop the clock while another server waits.
  for (const auto& each : waiting_)
    if (each->wakes_at != time_point::max() && !each->is_ready()) note(each->wakes_at);
  return next;
}

void seeded_scheduler::send_due() {
  clock_.trigger_expired_timeouts();
  const auto due = delayed_.upper_bound(time_point::clock::now());
  for (auto each = delayed_.begin(); each != due; each = delayed_.erase(each))
    runnable_.push_back(each->second);
}

/// Delays the actor's only message, and so all later ones: their order remains.
void seeded_scheduler::enqueue(caf::resumable* job) {
  if (!is_delayed_ || !is_delayed_()) return runnable_.push_back(job);
  const std::chrono::nanoseconds delay{
      static_cast<std::int64_t>((*random_)() % static_cast<std::uint64_t>(max_delay_.count()))};
  delayed_.emplace(time_point::clock::now() + delay, job);
}

void seeded_scheduler::resume(caf::resumable* job) {
  if (!may_wait(job)) return handle(job);
  waiting_.push_back(std::make_shared<waiting_run>([this, job] { handle(job); }));
  resume(*waiting_.back());
}

void seeded_scheduler::handle(caf::resumable* job) {
  unit here(*this);
  if (actors::run_and_release(job, here, 1)) runnable_.push_back(job);
}

void seeded_scheduler::resume(waiting_run& run) {
  run.is_over = {};
  run.wakes_at = time_point::max();
  auto* const outer = std::exchange(current_, &run);
  run.runs.resume();
  current_ = outer;
  if (run.runs.has_ended()) std::erase_if(waiting_, [&](const auto& each) { return each.get() == &run; });
}

// These definitions replace the system's in the whole program.
extern "C" {

/// A no-op: an actor that lowers its thread's priority would lower that of the simulation.
int setpriority(__priority_which_t, id_t, int) noexcept { return 0; }

/// A no-op: a history ends before the system needs the memory.
int malloc_trim(std::size_t) noexcept { return 0; }
}

} // namespace roost::testing
