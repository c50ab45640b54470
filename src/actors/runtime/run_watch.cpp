#include "actors/runtime/run_watch.hpp"

#include "actors/runtime/run_meter.hpp"
#include "actors/runtime/slow_run_log.hpp"
#include "stacks/thread_stack.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

using clock = meter::clock;

constexpr std::chrono::milliseconds shortest_look{1}, longest_look{1000};

std::chrono::nanoseconds between_looks(std::chrono::nanoseconds slow) {
  return std::clamp<std::chrono::nanoseconds>(slow / 2, shortest_look, longest_look);
}

/// Something slow, and where.
struct finding {
  run_thread* thread;
  slow_run what;
  std::vector<void*> stack;
};
using findings = std::vector<finding>;

template <typename SeenRun>
void look_at_run(run_thread& thread, SeenRun& last, findings& found) {
  const auto run = thread.run.load(std::memory_order_acquire);
  const auto now = clock::now();
  if (run != last.run) last = {run, now};
  const bool under_way = run % 2 == 1;
  if (!under_way || now - last.since < meter::slow_run_limit() || thread.told.load() == run) return;
  auto stack = stacks::stack_of(thread.handle);
  const auto* type = thread.type.load(std::memory_order_relaxed);
  const auto* message = thread.message.load(std::memory_order_relaxed);
  if (thread.run.load(std::memory_order_acquire) != run) return; // its end has told of it
  thread.told.store(run);
  found.push_back({&thread, {type->name, thread.name, message, now - last.since}, std::move(stack)});
}

/// A thread that has hardly worked since the last look needs no question, and is not woken for one.
template <typename Probe>
void look_at_loop(run_thread& thread, const run_watch::loop& asked, const std::shared_ptr<Probe>& probe,
                  findings& found) {
  const auto now = clock::now();
  const auto processor_time = thread.processor_time();
  const auto worked = processor_time - std::exchange(probe->processor_time, processor_time);
  if (probe->back.load(std::memory_order_acquire)) {
    if (worked < between_looks(meter::slow_run_limit()) / 4) return;
    probe->back.store(false, std::memory_order_relaxed);
    probe->asked = now;
    probe->told = false;
    asked.ask([probe] { probe->back.store(true, std::memory_order_release); });
    return;
  }
  if (probe->told || now - probe->asked < meter::slow_run_limit()) return;
  probe->told = true;
  const auto run = thread.run.load(std::memory_order_acquire);
  if (run % 2 == 1 && thread.told.load() == run) return; // an actor's turn, which was told of
  found.push_back({&thread, {{}, thread.name, nullptr, now - probe->asked}, stacks::stack_of(thread.handle)});
}

} // namespace

struct run_watch::seen_run {
  std::uint64_t run = 0;
  clock::time_point since;
};

struct run_watch::probe {
  std::atomic<bool> back{true};
  clock::time_point asked;
  bool told = false;
  std::chrono::nanoseconds processor_time{}; ///< the thread's, at the last look
};

run_watch::run_watch(std::vector<loop> loops) : loops_(std::move(loops)), thread_([this] { watch(); }) {}

run_watch::~run_watch() {
  {
    const std::lock_guard lock{mutex_};
    ends_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

void run_watch::changed() {
  { const std::lock_guard lock{mutex_}; } // not between its look at the setting and its sleep
  woken_.notify_one();
}

void run_watch::watch() {
  stacks::prepare();
  std::unique_lock lock{mutex_};
  while (!ends_) {
    const auto slow = meter::slow_run_limit();
    if (slow.count() == 0) {
      woken_.wait(lock);
      continue;
    }
    woken_.wait_for(lock, between_looks(slow));
    if (ends_ || meter::slow_run_limit().count() == 0) continue;
    lock.unlock();
    look();
    lock.lock();
  }
}

void run_watch::look() {
  findings found;
  meter::for_each_thread([&](run_thread& thread) {
    if (!thread.alive || !thread.must_not_block) return;
    look_at_run(thread, runs_[&thread], found);
    for (const auto& each : loops_) {
      if (each.thread != thread.name) continue;
      auto& asked = probes_[each.thread];
      if (!asked) asked = std::make_shared<probe>();
      look_at_loop(thread, each, asked, found);
    }
  });
  for (const auto& each : found) { // no scrape has to wait for the names
    tell_of_slow_run(each.what, each.stack);
    each.thread->stalls.fetch_add(1, std::memory_order_relaxed);
  }
}

} // namespace roost::actors
