#include "actors/runtime/runtime_metrics.hpp"

#include <algorithm>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds deepest_window{60};

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// Each bound is a line of every scrape, for every actor type.
constexpr exported_bounds run_bounds{1, 5};  ///< 100 µs to 100 ms
constexpr exported_bounds wait_bounds{1, 7}; ///< 100 µs to 10 s; RoostMessagesWait requires 1 s and 10 s

std::vector<double> in_seconds(exported_bounds bounds) {
  std::vector<double> seconds;
  for (auto at = bounds.first; at < bounds.end; ++at)
    seconds.push_back(seconds_of(std::chrono::nanoseconds{duration_tally::bounds[at]}));
  return seconds;
}

void add(duration_reading& total, const duration_tally& tally) {
  for (std::size_t i = 0; i < total.counts.size(); ++i) total.counts[i] += tally.in_bucket(i);
  total.sum += tally.sum();
}

} // namespace

std::map<std::string, type_reading> read_types() {
  std::vector<const actor_type*> types; // they are never destroyed
  meter::for_each_type([&](const actor_type& type) { types.push_back(&type); });
  std::map<std::string, type_reading> all;
  for (const auto* type : types) all[type->name].alive = type->alive.load(std::memory_order_relaxed);
  meter::for_each_thread([&](run_thread& thread) {
    for (const auto* type : types) {
      auto& tally = thread.tallies[type->slot];
      auto& read = all[type->name];
      add(read.runs, tally.runs);
      add(read.waits, tally.waits);
      read.messages += tally.messages.load(std::memory_order_relaxed);
      read.deepest = std::max(read.deepest, tally.deepest.exchange(0, std::memory_order_relaxed));
    }
  });
  return all;
}

std::map<std::string, thread_reading> read_threads() {
  std::map<std::string, thread_reading> all;
  meter::for_each_thread([&](run_thread& thread) {
    auto& read = all[thread.name];
    read.is_scheduled = thread.must_not_block;
    read.processor_time += thread.processor_time();
    for (const auto& tally : thread.tallies) read.busy += tally.runs.sum();
    read.runs += thread.runs.load(std::memory_order_relaxed);
    read.steals += thread.steals.load(std::memory_order_relaxed);
    read.stalls += thread.stalls.load(std::memory_order_relaxed);
  });
  return all;
}

void runtime_metrics::following_histogram::follow(const duration_reading& reading) {
  std::vector<double> increments(bounds.end - bounds.first + 1);
  for (std::size_t i = 0; i < reading.counts.size(); ++i)
    increments[std::clamp(i, bounds.first, bounds.end) - bounds.first] +=
        static_cast<double>(reading.counts[i] - last.counts[i]);
  metric.observe_many(increments, seconds_of(reading.sum - last.sum));
  last = reading;
}

runtime_metrics::runtime_metrics(runtime& rt, metrics::registry& registry)
    : runtime_(rt), registry_(registry),
      runs_(registry.counter("roost_actor_runs_total", "Actor runs, on all threads of the scheduler")),
      asks_(registry.counter("roost_asks_total", "Requests to actors by coroutines")),
      asks_in_flight_(registry.gauge("roost_asks_in_flight", "Asks waiting for their response")) {
  for (std::size_t i = 0; i < ask_failures; ++i)
    failed_asks_.emplace_back(registry.counter("roost_ask_failures_total",
                                               "Asks without a response, by reason",
                                               {{"reason", to_string(static_cast<ask_failure>(i))}}));
}

void runtime_metrics::collect() {
  collect_types();
  collect_threads();
  for (const auto& queue : runtime_.run_queues())
    registry_.gauge("roost_scheduler_queue_depth", "Actors waiting to run", {{"thread", queue.thread}})
        .set(static_cast<double>(queue.length));
  collect_asks();
}

runtime_metrics::type_metrics& runtime_metrics::metrics_of_type(const std::string& name) {
  if (const auto known = types_.find(name); known != types_.end()) return known->second;
  const metrics::labels labels{{"actor", name}};
  const auto durations = [&](const char* metric, const char* help, exported_bounds bounds) {
    return following_histogram{registry_.histogram(metric, help, labels, in_seconds(bounds)), bounds, {}};
  };
  type_metrics metrics{
      registry_.gauge("roost_actors", "Actors in memory, by type", labels),
      registry_.gauge("roost_actor_mailbox_depth_max",
                      "Maximum number of messages in a mailbox when one was taken, including that one, in "
                      "the last one to two minutes",
                      labels),
      following_counter{
          registry_.counter("roost_actor_messages_total", "Messages taken from mailboxes", labels)},
      durations("roost_actor_run_seconds", "Duration of one actor run", run_bounds),
      durations("roost_actor_mailbox_wait_seconds", "Wait of messages in mailboxes; one in 64 is measured",
                wait_bounds)};
  return types_.emplace(name, std::move(metrics)).first->second;
}

void runtime_metrics::collect_types() {
  start_window_if_due();
  for (const auto& [name, read] : read_types()) {
    auto& metrics = metrics_of_type(name);
    metrics.alive.set(static_cast<double>(read.alive));
    metrics.messages.follow(static_cast<double>(read.messages));
    if (read.messages > 0) metrics.runs.follow(read.runs); // the start of an idle actor would enlarge scrapes
    metrics.waits.follow(read.waits);
    metrics.current_deepest = std::max(metrics.current_deepest, read.deepest);
    metrics.deepest.set(std::max(metrics.current_deepest, metrics.previous_deepest));
  }
}

void runtime_metrics::start_window_if_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - window_start_ < deepest_window) return;
  window_start_ = now;
  for (auto& [name, metrics] : types_) metrics.previous_deepest = std::exchange(metrics.current_deepest, 0);
}

runtime_metrics::thread_metrics& runtime_metrics::metrics_of_thread(const std::string& name,
                                                                    bool is_scheduled) {
  if (const auto known = threads_.find(name); known != threads_.end()) return known->second;
  const auto counter = [&](const char* metric, const char* help) {
    return following_counter{registry_.counter(metric, help, {{"thread", name}})};
  };
  thread_metrics metrics{
      counter("roost_thread_cpu_seconds_total", "Processor time of a thread that runs actors"),
      counter("roost_thread_busy_seconds_total", "Time of a thread in actor runs"),
      {},
      {},
      {}};
  if (is_scheduled) { // steals are always 0 except with the policy `stealing`
    metrics.runs = counter("roost_scheduler_runs_total", "Actor runs on a thread");
    metrics.steals = counter("roost_scheduler_steals_total", "Actors taken from another thread's queue");
    metrics.stalls =
        counter("roost_scheduler_stalls_total", "How often a thread was blocked for scheduler.slow_run");
  }
  return threads_.emplace(name, std::move(metrics)).first->second;
}

void runtime_metrics::collect_threads() {
  std::uint64_t runs = 0;
  for (const auto& [name, read] : read_threads()) {
    auto& metrics = metrics_of_thread(name, read.is_scheduled);
    metrics.processor_time.follow(seconds_of(read.processor_time));
    metrics.busy.follow(seconds_of(read.busy));
    if (metrics.runs) metrics.runs->follow(static_cast<double>(read.runs));
    if (metrics.stalls) metrics.stalls->follow(static_cast<double>(read.stalls));
    if (metrics.steals) metrics.steals->follow(static_cast<double>(read.steals));
    runs += read.runs;
  }
  runs_.follow(static_cast<double>(runs));
}

void runtime_metrics::collect_asks() {
  std::uint64_t started = 0;
  std::size_t in_flight = 0;
  std::array<std::uint64_t, ask_failures> failed{};
  for (const ask_counts& each : runtime_.asks()) {
    started += each.started.load(std::memory_order_relaxed);
    in_flight += each.in_flight.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < failed.size(); ++i)
      failed[i] += each.failed[i].load(std::memory_order_relaxed);
  }
  asks_.follow(static_cast<double>(started));
  asks_in_flight_.set(static_cast<double>(in_flight));
  for (std::size_t i = 0; i < failed.size(); ++i) failed_asks_[i].follow(static_cast<double>(failed[i]));
}

} // namespace roost::actors
