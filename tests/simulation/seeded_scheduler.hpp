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
  bool is_ready() const;

  /// Lets a runnable actor handle one message.
  void run_one(random& from);

  /// Lets waits run actors chosen by these numbers; `otherwise` is called if none is runnable.
  void choose_by(random& from, std::function<void()> otherwise);

  /// Lets some actors wait for up to `max` until they handle their next message; null: none any more.
  void delay_messages(std::function<bool()> is_delayed, std::chrono::nanoseconds max) {
    is_delayed_ = std::move(is_delayed);
    max_delay_ = max;
  }

  /// Lets the actors with this name wait in the middle of a message while others run; see run_until() and
  /// sleep().
  void let_wait(std::string actor) { waiting_actor_ = std::move(actor); }

  /// Lets the calling actor sleep, and others run, if let_wait() allows it. Returns false if its server was
  /// killed in the meantime.
  static bool sleep(std::chrono::nanoseconds time);

  /// Whether run_until() runs outside such an actor.
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

  /// An actor that waits in the middle of a message.
  struct waiting_run {
    explicit waiting_run(std::function<void()> run) : runs(std::move(run)) {}

    fiber runs;
    std::function<bool()> is_over = {}; ///< empty: never
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
  std::function<void()> otherwise_;
  std::function<bool()> is_delayed_;
  std::chrono::nanoseconds max_delay_{};
  std::string waiting_actor_;
  std::vector<std::shared_ptr<waiting_run>> waiting_;
  unsigned waits_ = 0;

  static inline waiting_run* current_ = nullptr;
};

} // namespace roost::testing
