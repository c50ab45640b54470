#include "actors/runtime/run_meter.hpp"

#include "actors/runtime/slow_run_log.hpp"

#include <ctime>
#include <deque>
#include <mutex>

namespace roost::actors {

namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

/// Nothing in it is ever destroyed, so that it can be used until the last thread has ended.
struct known_runs {
  std::mutex mutex;
  std::deque<run_thread> threads;
  std::deque<actor_type> types;
};

known_runs& known() {
  static auto& all = *new known_runs;
  return all;
}

std::atomic<bool> measuring{false};
std::atomic<std::int64_t> slow_from{0};

constinit thread_local run_thread* current = nullptr;

/// Leaves the slot to the next thread of the same name.
struct leaving {
  leaving() = default;
  ~leaving() {
    const std::lock_guard lock{known().mutex};
    add_alone(current->earlier_processor_ns, read_clock(CLOCK_THREAD_CPUTIME_ID).count());
    current->alive = false;
    current = nullptr;
  }
  leaving(const leaving&) = delete;
  leaving& operator=(const leaving&) = delete;
};

run_thread& slot_of(const std::string& name) {
  for (auto& each : known().threads)
    if (!each.alive && each.name == name) return each;
  auto& added = known().threads.emplace_back();
  added.name = name;
  return added;
}

run_thread& thread_for(const actor_type& type) {
  if (!current) meter::enter_thread(type.name, false);
  return *current;
}

void raise_to(std::atomic<std::uint32_t>& highest, std::uint32_t value) {
  if (value > highest.load(std::memory_order_relaxed)) highest.store(value, std::memory_order_relaxed);
}

/// Where the run watch has told of it, with the stack, this only says how long it took in the end.
void tell_of_slow_end(run_thread& thread, const actor_type& type, std::chrono::nanoseconds took) {
  const slow_run seen{type.name, thread.name, thread.message.load(std::memory_order_relaxed), took};
  if (thread.told.load() == thread.run.load(std::memory_order_relaxed)) return tell_of_end(seen);
  tell_of_slow_run(seen, {});
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
  auto& types = known().types;
  const std::lock_guard lock{known().mutex};
  for (auto& each : types)
    if (each.name == name) return each;
  if (types.size() == max_actor_types) return types.back();
  auto& added = types.emplace_back();
  added.slot = types.size() - 1;
  added.name = types.size() == max_actor_types ? "others" : name;
  return added;
}

void set_measuring(bool wanted) { measuring.store(wanted, std::memory_order_relaxed); }
bool is_measuring() { return measuring.load(std::memory_order_relaxed); }

void set_slow_run_limit(std::chrono::nanoseconds from) {
  slow_from.store(from.count(), std::memory_order_relaxed);
}
std::chrono::nanoseconds slow_run_limit() {
  return std::chrono::nanoseconds{slow_from.load(std::memory_order_relaxed)};
}

bool is_on() { return is_measuring() || slow_from.load(std::memory_order_relaxed) > 0; }

void enter_thread(std::string name, bool must_not_block) {
  if (current) return;
  {
    const std::lock_guard lock{known().mutex};
    auto& slot = slot_of(name);
    slot.must_not_block = must_not_block;
    slot.handle = pthread_self();
    slot.alive = true;
    current = &slot;
  }
  thread_local leaving at_the_end;
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
  if (slow.count() > 0 && took >= slow && thread_.must_not_block) tell_of_slow_end(thread_, type_, took);
  thread_.run.store(thread_.run.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  if (!is_measuring()) return;
  auto& tally = thread_.tallies[type_.slot];
  tally.runs.add(took);
  add_alone(tally.messages, thread_.messages);
  raise_to(tally.deepest, thread_.depth);
}

bool is_sampled() {
  constexpr unsigned one_of = 64;
  constinit thread_local unsigned sent = 0;
  return sent++ % one_of == 0;
}

void count_wait(const actor_type& type, std::chrono::nanoseconds waited) {
  if (current) current->tallies[type.slot].waits.add(waited);
}

void for_each_thread(const std::function<void(run_thread&)>& read) {
  const std::lock_guard lock{known().mutex};
  for (auto& each : known().threads) read(each);
}

void for_each_type(const std::function<void(const actor_type&)>& read) {
  const std::lock_guard lock{known().mutex};
  for (const auto& each : known().types) read(each);
}

} // namespace meter
} // namespace roost::actors
