#include "simulation/clients/simulated_command.hpp"

#include "simulation/store_faults.hpp"

#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

namespace roost::testing {

namespace {

using std::chrono::nanoseconds;

/// An exception that ends a command like kill -9, except that destructors run. The command does not catch it.
struct command_killed {};

/// The command that is running.
struct running_command {
  history& in;
  unsigned kill_percent;
  std::uint64_t generation;
  bool is_killed = false;
  std::exception_ptr failure = {}; ///< that a client has thrown in the meantime
};

/// Null while the history runs, because servers also commit and wait.
running_command* running = nullptr;

/// Runs the history for this time. Returns false if the command must end.
bool pause(nanoseconds time) {
  auto* const command = std::exchange(running, nullptr);
  try {
    command->in.run_for(time);
  } catch (...) {
    command->failure = std::current_exception();
  }
  running = command;
  if (command->in.may_kill() && command->in.random() % 100 < command->kill_percent) command->is_killed = true;
  if (command->in.generation() != command->generation)
    command->is_killed = true; // its store may be another one
  return !command->is_killed && !command->failure;
}

/// Pauses a command whose commit is durable, and whose connection holds no lock.
bool pause_after_commit() {
  if (running == nullptr) return true;
  constexpr std::uint64_t max_pause = 30'000'000;
  return pause(nanoseconds{static_cast<std::int64_t>(running->in.random() % max_pause)});
}

/// Pauses a command that waits until its change is applied.
bool pause_asleep(nanoseconds time) {
  if (running == nullptr) return false;
  if (!pause(time)) throw command_killed{};
  return true;
}

} // namespace

command_outcome run_command(history& in, unsigned kill_percent, const std::function<void()>& command) {
  running_command state{in, kill_percent, in.generation()};
  store_faults::observe_commits(pause_after_commit);
  store_faults::observe_sleeps(pause_asleep);
  auto outcome = command_outcome::done;
  running = &state;
  try {
    command();
  } catch (const contradiction&) {
    running = nullptr;
    throw;
  } catch (const command_killed&) {
    outcome = command_outcome::killed;
  } catch (const std::exception& failure) {
    in.add_to_story(std::string("a command fails: ") + failure.what());
    outcome = command_outcome::failed;
  }
  running = nullptr;
  if (state.failure) std::rethrow_exception(state.failure);
  return state.is_killed ? command_outcome::killed : outcome;
}

bool is_command_running() { return running != nullptr; }

} // namespace roost::testing
