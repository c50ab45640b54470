#include "actors/runtime/runtime.hpp"

#include "actors/runtime/counted_policy.hpp"

#include <caf/scheduler/coordinator.hpp>

namespace roost::actors {

namespace {

template <typename Value>
void set_unless_default(caf::actor_system_config& config, const std::string& name, Value value) {
  if (value != Value{}) config.set(name, value);
}

void set_knobs(caf::actor_system_config& config, const scheduler_knobs& knobs) {
  // Our own keys: set() only accepts CAF's.
  caf::put(config.content, "io-units.ask-time-limit", caf::timespan{knobs.ask_time_limit});
  caf::put(config.content, "io-units.asks-in-flight", knobs.asks_in_flight);
  const bool on_io_threads = knobs.policy == "asio";
  set_unless_default(config, "scheduler.max-threads", on_io_threads ? knobs.io_threads : knobs.max_threads);
  set_unless_default(config, "scheduler.max-throughput", knobs.max_throughput);
  set_unless_default(config, "work-stealing.aggressive-poll-attempts", knobs.aggressive_poll_attempts);
  set_unless_default(config, "work-stealing.aggressive-steal-interval", knobs.aggressive_steal_interval);
  set_unless_default(config, "work-stealing.moderate-poll-attempts", knobs.moderate_poll_attempts);
  set_unless_default(config, "work-stealing.moderate-steal-interval", knobs.moderate_steal_interval);
  set_unless_default(config, "work-stealing.moderate-sleep-duration",
                     caf::timespan{knobs.moderate_sleep_duration});
  set_unless_default(config, "work-stealing.relaxed-steal-interval", knobs.relaxed_steal_interval);
  set_unless_default(config, "work-stealing.relaxed-sleep-duration",
                     caf::timespan{knobs.relaxed_sleep_duration});
}

io_unit_limits limits_of(const scheduler_knobs& knobs) {
  io_unit_limits limits;
  limits.ask_time_limit = knobs.ask_time_limit;
  limits.asks_in_flight = knobs.asks_in_flight;
  return limits;
}

void load_policy(caf::actor_system_config& config, const std::string& policy) {
  if (policy == "asio")
    config.load<io_scheduler>();
  else if (policy == "stealing")
    config.load<caf::scheduler::coordinator<counted_stealing>>();
  else if (policy == "sharing")
    config.load<caf::scheduler::coordinator<counted_sharing>>();
  else
    throw std::invalid_argument("scheduler.policy must be asio, stealing or sharing");
}

/// Never negative: a worker may take an actor before its queue has counted it.
std::size_t length_of(const std::atomic<std::int64_t>& waiting) {
  return static_cast<std::size_t>(std::max<std::int64_t>(waiting.load(std::memory_order_relaxed), 0));
}

} // namespace

runtime::runtime(const scheduler_knobs& knobs, actor_failure on_failure,
                 const scheduler_loader& load_scheduler)
    : on_failure_(std::move(on_failure)) {
  set_knobs(config_, knobs);
  if (load_scheduler)
    load_scheduler(config_);
  else
    load_policy(config_, knobs.policy);
  system_ = std::make_unique<caf::actor_system>(config_);
  auto* loaded = &system_->scheduler();
  threadless_ = dynamic_cast<threadless_scheduler*>(loaded);
  steals_ = !load_scheduler && knobs.policy == "stealing";
  scheduler_ = dynamic_cast<io_scheduler*>(loaded);
  if (!scheduler_) start_own_units(knobs);
  if (!threadless_) watch_ = std::make_unique<run_watch>(watched_loops());
}

void runtime::start_own_units(const scheduler_knobs& knobs) {
  for (std::size_t i = 0; i < std::max<std::size_t>(knobs.io_threads, 1); ++i)
    own_units_.push_back(std::make_unique<io_unit>(*system_, i, limits_of(knobs)));
  for (auto& unit : own_units_) unit->open_port();
  if (threadless_) return;
  for (auto& unit : own_units_) unit->run_thread();
}

std::vector<run_watch::loop> runtime::watched_loops() {
  std::vector<run_watch::loop> loops;
  for (auto& unit : units())
    loops.push_back({unit->thread_name(),
                     [&io = unit->io()](std::function<void()> done) { asio::post(io, std::move(done)); }});
  return loops;
}

runtime::~runtime() {
  watch_.reset(); // it reads the units
  close_ports();
  for (auto& unit : own_units_) unit->join();
  discard(own_units_);
  if (threadless_) threadless_->end_actors();
  system_.reset(); // waits for the actors; with the policy asio, also ends the units
}

std::vector<std::reference_wrapper<asio::io_context>> runtime::io_contexts() {
  std::vector<std::reference_wrapper<asio::io_context>> contexts;
  for (auto& unit : units()) contexts.emplace_back(unit->io());
  return contexts;
}

std::size_t runtime::poll_io() {
  std::size_t handlers = 0;
  for (auto& unit : own_units_) handlers += unit->poll();
  return handlers;
}

std::vector<runtime::run_queue> runtime::run_queues() {
  std::vector<run_queue> queues;
  if (threadless_) return queues;
  if (scheduler_) {
    for (auto& unit : units()) queues.push_back({unit->thread_name(), unit->queue_length()});
  } else if (steals_) {
    for (std::size_t i = 0; i < system_->scheduler().num_workers(); ++i)
      queues.push_back({"worker-" + std::to_string(i), length_of(queues_of_pool.of_worker(i))});
  } else {
    queues.push_back({"shared", length_of(queues_of_pool.shared())});
  }
  return queues;
}

std::vector<std::reference_wrapper<const ask_counts>> runtime::asks() {
  std::vector<std::reference_wrapper<const ask_counts>> counts;
  for (auto& unit : units()) counts.emplace_back(unit->port().counts());
  return counts;
}

void runtime::retune(const scheduler_knobs& knobs) {
  if (scheduler_)
    for (auto& unit : units()) unit->set_max_throughput(knobs.max_throughput);
  if (!steals_) return;
  tuning_of_pool.set({{{knobs.aggressive_poll_attempts, 1, knobs.aggressive_steal_interval, caf::timespan{0}},
                       {knobs.moderate_poll_attempts, 1, knobs.moderate_steal_interval,
                        caf::timespan{knobs.moderate_sleep_duration}},
                       {1, 0, knobs.relaxed_steal_interval, caf::timespan{knobs.relaxed_sleep_duration}}}});
}

void runtime::watch_runs(std::chrono::nanoseconds limit) {
  meter::set_slow_run_limit(limit);
  if (watch_) watch_->limit_changed();
}

void runtime::close_ports() {
  for (auto& unit : units()) unit->close_port();
}

} // namespace roost::actors
