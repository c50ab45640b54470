#include "actors/runtime/run_meter.hpp"

#include "log/log.hpp"
#include "stacks/thread_stack.hpp"

#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

/// Allows a few warnings per interval, and counts the others.
class warning_limit {
public:
  /// Returns how many warnings were left out before this one, or nullopt to leave this one out, too.
  std::optional<std::uint64_t> take() {
    const auto now = std::chrono::steady_clock::now();
    if (now - started_at_ > interval) {
      started_at_ = now;
      logged_ = 0;
    }
    if (logged_ == max_per_interval) {
      ++left_out_;
      return std::nullopt;
    }
    ++logged_;
    return std::exchange(left_out_, 0);
  }

private:
  static constexpr std::chrono::seconds interval{10};
  static constexpr unsigned max_per_interval = 10;

  std::chrono::steady_clock::time_point started_at_{};
  unsigned logged_ = 0;
  std::uint64_t left_out_ = 0;
};

/// Applies a separate limit to each actor type, so that a noisy one does not hide the others.
std::optional<std::uint64_t> take_for(std::string_view actor) {
  static std::mutex mutex;
  static std::map<std::string, warning_limit, std::less<>> limits;
  const std::lock_guard lock{mutex};
  auto limit = limits.find(actor);
  if (limit == limits.end()) limit = limits.emplace(std::string{actor}, warning_limit{}).first;
  return limit->second.take();
}

double milliseconds_of(std::chrono::nanoseconds took) {
  return std::chrono::duration<double, std::milli>(took).count();
}

std::string text_of(const std::vector<void*>& stack) {
  if (stack.empty()) return "not taken";
  std::string text;
  for (const auto& name : stacks::names_of(stack)) text.append(text.empty() ? "" : " < ").append(name);
  return text;
}

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

/// Never destroyed, so that it can be used until the last thread has ended.
struct all_runs {
  std::mutex mutex;
  std::deque<run_thread> threads;
  std::deque<actor_type> types;
};

all_runs& runs_of_process() {
  static auto& all = *new all_runs;
  return all;
}

std::atomic<bool> measuring{false};
std::atomic<std::int64_t> slow_limit_ns{0};

constinit thread_local run_thread* current = nullptr;

/// Releases the slot to the next thread of the same name when this thread ends.
struct slot_release {
  slot_release() = default;
  ~slot_release() {
    const std::lock_guard lock{runs_of_process().mutex};
    add_alone(current->earlier_processor_ns, read_clock(CLOCK_THREAD_CPUTIME_ID).count());
    current->alive = false;
    current = nullptr;
  }
  slot_release(const slot_release&) = delete;
  slot_release& operator=(const slot_release&) = delete;
};

run_thread& slot_of(const std::string& name) {
  for (auto& thread : runs_of_process().threads)
    if (!thread.alive && thread.name == name) return thread;
  auto& added = runs_of_process().threads.emplace_back();
  added.name = name;
  return added;
}

run_thread& thread_for(const actor_type& type) {
  if (!current) meter::enter_thread(type.name, false);
  return *current;
}

/// If the run watch has already logged the run with its stack, only logs the total duration.
void log_slow_end(run_thread& thread, const actor_type& type, std::chrono::nanoseconds took) {
  if (thread.logged_run.load() == thread.run.load(std::memory_order_relaxed))
    return log::info("actor_run_over",
                     {{"actor", type.name}, {"thread", thread.name}, {"ms", milliseconds_of(took)}});
  log_slow_run({type.name, thread.name, thread.message.load(std::memory_order_relaxed), took}, {});
  thread.stalls.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

std::chrono::nanoseconds run_thread::processor_time() const {
  const std::chrono::nanoseconds earlier{earlier_processor_ns.load(std::memory_order_relaxed)};
  clockid_t clock{};
  if (!alive || pthread_getcpuclockid(handle, &clock) != 0) return earlier;
  return earlier + read_clock(clock);
}

namespace meter {

actor_type& type_named(std::string_view name) {
  auto& types = runs_of_process().types;
  const std::lock_guard lock{runs_of_process().mutex};
  for (auto& type : types)
    if (type.name == name) return type;
  if (types.size() == max_actor_types) return types.back();
  auto& added = types.emplace_back();
  added.slot = types.size() - 1;
  added.name = types.size() == max_actor_types ? "others" : name;
  return added;
}

void set_measuring(bool enabled) { measuring.store(enabled, std::memory_order_relaxed); }
bool is_measuring() { return measuring.load(std::memory_order_relaxed); }

void set_slow_run_limit(std::chrono::nanoseconds limit) {
  slow_limit_ns.store(limit.count(), std::memory_order_relaxed);
}
std::chrono::nanoseconds slow_run_limit() {
  return std::chrono::nanoseconds{slow_limit_ns.load(std::memory_order_relaxed)};
}

bool is_on() { return is_measuring() || slow_limit_ns.load(std::memory_order_relaxed) > 0; }

void enter_thread(std::string name, bool must_not_block) {
  if (current) return;
  {
    const std::lock_guard lock{runs_of_process().mutex};
    auto& slot = slot_of(name);
    slot.must_not_block = must_not_block;
    slot.handle = pthread_self();
    slot.alive = true;
    current = &slot;
  }
  thread_local slot_release at_thread_end;
}

run_thread* this_thread() { return current; }

run::run(const actor_type& type) : thread_(thread_for(type)), type_(type) {
  thread_.messages = 0;
  thread_.depth = 0;
  thread_.message.store(nullptr, std::memory_order_relaxed);
  thread_.type.store(&type, std::memory_order_relaxed);
  thread_.run.store(thread_.run.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  started_ = clock::now();
}

run::~run() {
  const auto took = clock::now() - started_;
  const auto slow = slow_run_limit();
  if (slow.count() > 0 && took >= slow && thread_.must_not_block) log_slow_end(thread_, type_, took);
  thread_.run.store(thread_.run.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  if (!is_measuring()) return;
  auto& tally = thread_.tallies[type_.slot];
  tally.runs.add(took);
  add_alone(tally.messages, thread_.messages);
  if (thread_.depth > tally.deepest.load(std::memory_order_relaxed))
    tally.deepest.store(thread_.depth, std::memory_order_relaxed);
}

bool is_sampled() {
  constexpr unsigned interval = 64;
  constinit thread_local unsigned sent = 0;
  return sent++ % interval == 0;
}

void count_wait(const actor_type& type, std::chrono::nanoseconds waited) {
  if (current) current->tallies[type.slot].waits.add(waited);
}

void for_each_thread(const std::function<void(run_thread&)>& read) {
  const std::lock_guard lock{runs_of_process().mutex};
  for (auto& thread : runs_of_process().threads) read(thread);
}

void for_each_type(const std::function<void(const actor_type&)>& read) {
  const std::lock_guard lock{runs_of_process().mutex};
  for (const auto& type : runs_of_process().types) read(type);
}

} // namespace meter

void log_slow_run(const slow_run& run, const std::vector<void*>& stack) {
  const auto left_out = take_for(run.actor);
  if (!left_out) return;
  const auto ms = milliseconds_of(run.took);
  if (run.actor.empty())
    log::warn("thread_stalled",
              {{"thread", run.thread}, {"ms", ms}, {"stack", text_of(stack)}, {"left_out", *left_out}});
  else
    log::warn("actor_run_slow",
              {{"actor", run.actor},
               {"message", run.message ? stacks::readable_name(run.message->name()) : "another"},
               {"thread", run.thread},
               {"ms", ms},
               {"stack", text_of(stack)},
               {"left_out", *left_out}});
}

} // namespace roost::actors
