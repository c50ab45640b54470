#include "actors/runtime/runtime_metrics.hpp"

#include <algorithm>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds deepest_lasts{60};

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::vector<double> bounds_in_seconds() {
  std::vector<double> bounds;
  bounds.reserve(duration_tally::bounds.size());
  for (const auto bound : duration_tally::bounds)
    bounds.push_back(seconds_of(std::chrono::nanoseconds{bound}));
  return bounds;
}

} // namespace

void runtime_metrics::histogram::follow(const durations_read& now) {
  std::vector<double> more;
  more.reserve(now.counts.size());
  for (std::size_t i = 0; i < now.counts.size(); ++i)
    more.push_back(static_cast<double>(now.counts[i] - seen.counts[i]));
  shown.observe_many(more, seconds_of(now.sum - seen.sum));
  seen = now;
}

runtime_metrics::runtime_metrics(runtime& rt, metrics::registry& registry)
    : runtime_(rt), registry_(registry),
      turns_(registry.counter("roost_actor_runs_total", "How often an actor got its turn")),
      asks_(registry.counter("roost_asks_total", "Asks of actors by coroutines")),
      asks_in_flight_(registry.gauge("roost_asks_in_flight", "Asks that wait for their answer")) {
  for (std::size_t i = 0; i < ask_failures; ++i)
    failed_asks_.emplace_back(registry.counter("roost_ask_failures_total",
                                               "Asks that got no answer, by the reason",
                                               {{"reason", to_string(static_cast<ask_failure>(i))}}));
}

void runtime_metrics::collect() {
  collect_types();
  collect_threads();
  for (const auto& queue : runtime_.run_queues())
    registry_
        .gauge("roost_scheduler_queue_depth", "Actors that wait for their turn", {{"thread", queue.thread}})
        .set(static_cast<double>(queue.length));
  collect_asks();
}

runtime_metrics::of_type& runtime_metrics::shown_type(const std::string& name) {
  if (const auto known = types_.find(name); known != types_.end()) return known->second;
  const metrics::labels labels{{"actor", name}};
  const auto durations = [&](const char* metric, const char* help) {
    return histogram{registry_.histogram(metric, help, labels, bounds_in_seconds()), {}};
  };
  of_type made{
      registry_.gauge("roost_actors", "Actors in memory, by type", labels),
      registry_.gauge(
          "roost_actor_mailbox_depth_max",
          "Most messages found in one mailbox, with the one being taken, in the last one to two minutes",
          labels),
      following{registry_.counter("roost_actor_messages_total", "Messages that actors took", labels)},
      durations("roost_actor_run_seconds", "Time of one turn of an actor"),
      durations("roost_actor_mailbox_wait_seconds",
                "How long messages waited in their mailbox; one of 64 is measured")};
  return types_.emplace(name, std::move(made)).first->second;
}

void runtime_metrics::collect_types() {
  age_deepest();
  for (const auto& [name, read] : read_types()) {
    auto& shown = shown_type(name);
    shown.alive.set(static_cast<double>(read.alive));
    shown.messages.follow(static_cast<double>(read.messages));
    shown.runs.follow(read.runs);
    shown.waits.follow(read.waits);
    shown.deepest_now = std::max(shown.deepest_now, read.deepest);
    shown.deepest.set(std::max(shown.deepest_now, shown.deepest_before));
  }
}

void runtime_metrics::age_deepest() {
  const auto now = std::chrono::steady_clock::now();
  if (now - deepest_since_ < deepest_lasts) return;
  deepest_since_ = now;
  for (auto& [name, shown] : types_) shown.deepest_before = std::exchange(shown.deepest_now, 0);
}

runtime_metrics::of_thread& runtime_metrics::shown_thread(const std::string& name, bool is_scheduled) {
  if (const auto known = threads_.find(name); known != threads_.end()) return known->second;
  const auto counter = [&](const char* metric, const char* help) {
    return following{registry_.counter(metric, help, {{"thread", name}})};
  };
  of_thread made{counter("roost_thread_cpu_seconds_total", "Processor time of a thread that runs actors"),
                 counter("roost_thread_busy_seconds_total", "Time of a thread in the runs of actors"),
                 {},
                 {},
                 {}};
  if (is_scheduled) { // steals are none but with the policy `stealing`
    made.turns = counter("roost_scheduler_runs_total", "Turns that actors got on a thread");
    made.steals = counter("roost_scheduler_steals_total", "Actors taken from another thread's queue");
    made.stalls =
        counter("roost_scheduler_stalls_total", "Times that a thread was held up for scheduler.slow_run");
  }
  return threads_.emplace(name, std::move(made)).first->second;
}

void runtime_metrics::collect_threads() {
  std::uint64_t turns = 0;
  for (const auto& [name, read] : read_threads()) {
    auto& shown = shown_thread(name, read.is_scheduled);
    shown.processor_time.follow(seconds_of(read.processor_time));
    shown.busy.follow(seconds_of(read.busy));
    if (shown.turns) shown.turns->follow(static_cast<double>(read.turns));
    if (shown.stalls) shown.stalls->follow(static_cast<double>(read.stalls));
    if (shown.steals) shown.steals->follow(static_cast<double>(read.steals));
    turns += read.turns;
  }
  turns_.follow(static_cast<double>(turns));
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
