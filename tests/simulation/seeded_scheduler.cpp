#include "simulation/seeded_scheduler.hpp"

#include "actors/runtime/io_unit.hpp"
#include "actors/runtime/run_meter.hpp"

#include <caf/actor_cast.hpp>
#include <caf/local_actor.hpp>
#include <caf/send.hpp>

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

void seeded_scheduler::choose_by(random& from, std::function<void()> otherwise) {
  random_ = &from;
  otherwise_ = std::move(otherwise);
}

void seeded_scheduler::run_one(random& from) {
  const auto chosen = static_cast<std::ptrdiff_t>(from() % runnable_.size());
  auto* job = runnable_[static_cast<std::size_t>(chosen)];
  runnable_.erase(runnable_.begin() + chosen);
  if (is_held(job))
    delayed_.emplace(held_until_, job);
  else
    resume(job);
}

bool seeded_scheduler::is_held(const caf::resumable* job) const {
  if (time_point::clock::now() >= held_until_) return false;
  const auto* actor = dynamic_cast<const caf::local_actor*>(job);
  return actor != nullptr && actor->name() == held_;
}

void seeded_scheduler::run_until(const std::function<bool()>& is_true) {
  constexpr int max_rounds = 1'000'000;
  ++waits_;
  for (int round = 0; !is_true(); ++round) {
    if (round == max_rounds) throw std::logic_error("an actor waits for something that never happens");
    if (runnable_.empty())
      otherwise_();
    else
      run_one(*random_);
  }
  --waits_;
}

void seeded_scheduler::end_actors() {
  for (const auto& weak : std::exchange(actors_, {}))
    if (const auto actor = weak.lock())
      caf::anon_send_exit(caf::actor_cast<caf::actor>(actor), caf::exit_reason::kill);
  is_delayed_ = {};
  for (const auto& [at, job] : std::exchange(delayed_, {})) runnable_.push_back(job);
  while (!runnable_.empty()) {
    auto* job = runnable_.back();
    runnable_.pop_back();
    resume(job);
  }
}

std::optional<seeded_scheduler::time_point> seeded_scheduler::next_timer() const {
  const auto& schedule = clock_.schedule();
  std::optional<time_point> next;
  if (!schedule.empty()) next = schedule.begin()->first;
  if (!delayed_.empty() && (!next || delayed_.begin()->first < *next)) next = delayed_.begin()->first;
  return next;
}

void seeded_scheduler::send_due() {
  clock_.trigger_expired_timeouts();
  const auto due = delayed_.upper_bound(time_point::clock::now());
  for (auto each = delayed_.begin(); each != due; each = delayed_.erase(each))
    runnable_.push_back(each->second);
}

/// The actor has no other message, so all later ones wait with this one, and their order stays.
void seeded_scheduler::enqueue(caf::resumable* job) {
  if (!is_delayed_ || !is_delayed_()) return runnable_.push_back(job);
  const std::chrono::nanoseconds delay{
      static_cast<std::int64_t>((*random_)() % static_cast<std::uint64_t>(max_delay_.count()))};
  delayed_.emplace(time_point::clock::now() + delay, job);
}

void seeded_scheduler::resume(caf::resumable* job) {
  unit here(*this);
  if (actors::run_and_release(job, here, 1)) runnable_.push_back(job);
}

// Takes the place of the system's definition in the whole program: an actor that gives its own thread a lower
// priority would lower that of the simulation.
extern "C" int setpriority(__priority_which_t, id_t, int) noexcept { return 0; }

} // namespace roost::testing
