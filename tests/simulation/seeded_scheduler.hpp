#pragma once

#include "actors/runtime/threadless_scheduler.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/detail/simple_actor_clock.hpp>
#include <caf/execution_unit.hpp>
#include <caf/resumable.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace roost::testing {

/// Runs the actors of a simulated server, one message of one actor at a time. A random number chooses the
/// actor, and thereby the order of everything that threads would do concurrently.
class seeded_scheduler final : public caf::scheduler::abstract_coordinator,
                               public actors::threadless_scheduler {
public:
  using random = std::mt19937_64;
  using time_point = std::chrono::steady_clock::time_point;

  explicit seeded_scheduler(caf::actor_system& system);

  static void load(caf::actor_system_config& config);
  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>);

  /// Whether an actor is runnable.
  bool is_ready() const { return !runnable_.empty(); }
  std::size_t ready() const { return runnable_.size(); }

  /// Lets a runnable actor handle one message.
  void run_one(random& from);

  /// Lets waits run actors chosen by these numbers; `otherwise` is called if none is runnable.
  void choose_by(random& from, std::function<void()> otherwise);

  /// Lets some actors wait for up to `max` until they handle their next message; null: none any more.
  void delay_messages(std::function<bool()> is_delayed, std::chrono::nanoseconds max) {
    is_delayed_ = std::move(is_delayed);
    max_delay_ = max;
  }

  /// Lets no actor with this name run until then.
  void hold(std::string actor, time_point until) {
    held_ = std::move(actor);
    held_until_ = until;
  }

  /// Whether run_until() runs.
  bool is_waiting() const { return waits_ > 0; }

  /// Ends all actors without letting them handle another message, as kill -9 does.
  void end_actors() override;

  /// Returns when the next delayed message is due, or the next delayed actor runnable.
  std::optional<time_point> next_timer() const;
  /// Sends the delayed messages that are due, and makes delayed actors runnable.
  void send_due();

  void spawned(const caf::strong_actor_ptr& actor) override { actors_.emplace_back(actor.get()); }
  void run_until(const std::function<bool()>& is_true) override;

  void enqueue(caf::resumable* job) override;
  caf::actor_clock& clock() noexcept override { return clock_; }
  bool detaches_utility_actors() const override { return false; }

protected:
  void start() override {}
  void stop() override { end_actors(); }

private:
  class unit final : public caf::execution_unit {
  public:
    explicit unit(seeded_scheduler& owner) : caf::execution_unit(&owner.system()), owner_(owner) {}
    void exec_later(caf::resumable* job) override { owner_.enqueue(job); }

  private:
    seeded_scheduler& owner_;
  };

  void resume(caf::resumable* job);
  bool is_held(const caf::resumable* job) const;

  caf::detail::simple_actor_clock clock_;
  std::vector<caf::resumable*> runnable_;
  std::multimap<time_point, caf::resumable*> delayed_;
  std::vector<caf::weak_actor_ptr> actors_;
  random* random_ = nullptr;
  std::function<void()> otherwise_;
  std::function<bool()> is_delayed_;
  std::chrono::nanoseconds max_delay_{};
  std::string held_;
  time_point held_until_{};
  unsigned waits_ = 0;
};

} // namespace roost::testing
