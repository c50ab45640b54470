#pragma once

#include "actors/runtime/threadless_scheduler.hpp"
#include "simulation/fiber.hpp"

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
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

/// Runs the actors of a simulated server, one message of one actor at a time. Random numbers choose the
/// actor, and so the order of work that threads would do concurrently.
class seeded_scheduler final : public caf::scheduler::abstract_coordinator,
                               public actors::threadless_scheduler {
public:
  using random = std::mt19937_64;
  using time_point = std::chrono::steady_clock::time_point;

  explicit seeded_scheduler(caf::actor_system& system);

  static void load(caf::actor_system_config& config);
  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>);

  /// Returns whether an actor is runnable.
  bool is_ready() const;

  /// Makes a random runnable actor handle one message.
  void run_one(random& from);

  /// Sets the source of random numbers for waits, and a function that they call if no actor is runnable.
  void use_random(random& from, std::function<void()> when_idle);

  /// Delays the next message of actors for which `is_delayed` returns true, by up to `max`; null disables
  /// delays.
  void delay_messages(std::function<bool()> is_delayed, std::chrono::nanoseconds max) {
    is_delayed_ = std::move(is_delayed);
    max_delay_ = max;
  }

  /// Allows actors with this name to wait in the middle of a message while others run; see run_until() and
  /// sleep().
  void allow_waiting(std::string actor) { waiting_actor_ = std::move(actor); }

  /// Makes the calling actor sleep while others run, if allow_waiting() permits it. Returns false if its
  /// server was killed in the meantime.
  static bool sleep(std::chrono::nanoseconds time);

  /// Returns whether run_until() is running outside such an actor.
  bool is_waiting() const { return waits_ > 0; }

  /// Ends all actors without letting them handle another message, as kill -9 does.
  void end_actors() override;

  /// Returns when the next delayed message is due or the next delayed actor becomes runnable.
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

  /// An actor that waits in the middle of a message.
  struct waiting_run {
    explicit waiting_run(std::function<void()> run) : runs(std::move(run)) {}

    fiber runs;
    std::function<bool()> is_over = {}; ///< if empty, only the time ends the wait
    time_point wakes_at = time_point::max();
    bool is_killed = false;
    bool is_ready() const { return time_point::clock::now() >= wakes_at || (is_over && is_over()); }
  };

  bool may_wait(const caf::resumable* job) const;
  void resume(caf::resumable* job);
  void handle(caf::resumable* job);
  void resume(waiting_run& run);
  std::vector<std::shared_ptr<waiting_run>> ready_runs() const;

  caf::detail::simple_actor_clock clock_;
  std::vector<caf::resumable*> runnable_;
  std::multimap<time_point, caf::resumable*> delayed_;
  std::vector<caf::weak_actor_ptr> actors_;
  random* random_ = nullptr;
  std::function<void()> when_idle_;
  std::function<bool()> is_delayed_;
  std::chrono::nanoseconds max_delay_{};
  std::string waiting_actor_;
  std::vector<std::shared_ptr<waiting_run>> waiting_;
  unsigned waits_ = 0;

  static inline waiting_run* current_ = nullptr;
};

} // namespace roost::testing
