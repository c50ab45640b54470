#include "actors/runtime/run_watch.hpp"

#include "actors/runtime/run_meter.hpp"
#include "stacks/thread_stack.hpp"

#include <algorithm>
#include <utility>

namespace roost::actors {

namespace {

using clock = meter::clock;

constexpr std::chrono::milliseconds min_interval{1}, max_interval{1000};

std::chrono::nanoseconds poll_interval(std::chrono::nanoseconds limit) {
  return std::clamp<std::chrono::nanoseconds>(limit / 2, min_interval, max_interval);
}

struct finding {
  run_thread* thread;
  slow_run run;
  std::vector<void*> stack;
};
using findings = std::vector<finding>;

template <typename SeenRun>
void check_run(run_thread& thread, SeenRun& last, findings& found) {
  const auto run = thread.run.load(std::memory_order_acquire);
  const auto now = clock::now();
  if (run != last.run) last = {run, now};
  const bool is_running = run % 2 == 1;
  if (!is_running || now - last.since < meter::slow_run_limit() || thread.logged_run.load() == run) return;
  auto stack = stacks::stack_of(thread.handle);
  const auto* type = thread.type.load(std::memory_order_relaxed);
  const auto* message = thread.message.load(std::memory_order_relaxed);
  if (thread.run.load(std::memory_order_acquire) != run) return; // logged at its end
  thread.logged_run.store(run);
  found.push_back({&thread, {type->name, thread.name, message, now - last.since}, std::move(stack)});
}

/// Does not probe, and so wake, a thread that has been mostly idle since the last poll.
template <typename Probe>
void check_loop(run_thread& thread, const run_watch::loop& loop, const std::shared_ptr<Probe>& probe,
                findings& found) {
  const auto now = clock::now();
  const auto processor_time = thread.processor_time();
  const auto worked = processor_time - std::exchange(probe->processor_time, processor_time);
  if (probe->done.load(std::memory_order_acquire)) {
    if (worked < poll_interval(meter::slow_run_limit()) / 4) return;
    probe->done.store(false, std::memory_order_relaxed);
    probe->started_at = now;
    probe->logged = false;
    loop.probe([probe] { probe->done.store(true, std::memory_order_release); });
    return;
  }
  if (probe->logged || now - probe->started_at < meter::slow_run_limit()) return;
  probe->logged = true;
  const auto run = thread.run.load(std::memory_order_acquire);
  if (run % 2 == 1 && thread.logged_run.load() == run) return; // an actor's run, logged already
  found.push_back(
      {&thread, {{}, thread.name, nullptr, now - probe->started_at}, stacks::stack_of(thread.handle)});
}

} // namespace

struct run_watch::seen_run {
  std::uint64_t run = 0;
  clock::time_point since;
};

struct run_watch::loop_probe {
  std::atomic<bool> done{true};
  clock::time_point started_at;
  bool logged = false;
  std::chrono::nanoseconds processor_time{}; ///< the thread's, at the last poll
};

run_watch::run_watch(std::vector<loop> loops) : loops_(std::move(loops)), thread_([this] { watch(); }) {}

run_watch::~run_watch() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void run_watch::limit_changed() {
  { const std::lock_guard lock{mutex_}; } // not between reading the limit and going to sleep
  wake_.notify_one();
}

void run_watch::watch() {
  stacks::prepare();
  std::unique_lock lock{mutex_};
  while (!stopped_) {
    const auto limit = meter::slow_run_limit();
    if (limit.count() == 0) {
      wake_.wait(lock);
      continue;
    }
    wake_.wait_for(lock, poll_interval(limit));
    if (stopped_ || meter::slow_run_limit().count() == 0) continue;
    lock.unlock();
    poll();
    lock.lock();
  }
}

void run_watch::poll() {
  findings found;
  meter::for_each_thread([&](run_thread& thread) {
    if (!thread.alive || !thread.must_not_block) return;
    check_run(thread, runs_[&thread], found);
    for (const auto& loop : loops_) {
      if (loop.thread != thread.name) continue;
      auto& probe = probes_[loop.thread];
      if (!probe) probe = std::make_shared<loop_probe>();
      check_loop(thread, loop, probe, found);
    }
  });
  for (const auto& each : found) { // after the lock was released, because resolving names takes long
    log_slow_run(each.run, each.stack);
    each.thread->stalls.fetch_add(1, std::memory_order_relaxed);
  }
}

} // namespace roost::actors
