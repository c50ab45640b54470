#include "actors/runtime/runtime.hpp"

#include <caf/policy/work_sharing.hpp>
#include <caf/policy/work_stealing.hpp>
#include <caf/scheduler/coordinator.hpp>

namespace roost::actors {

namespace {

std::atomic<std::uint64_t>& pool_runs() {
  static std::atomic<std::uint64_t> runs{0};
  return runs;
}

/// One of CAF's policies, counting turns: the packaged build never calls its own profiler hooks.
template <typename Policy>
struct counted : Policy {
  using Policy::Policy;

  template <typename Worker>
  void before_resume(Worker* worker, caf::resumable* job) {
    pool_runs().fetch_add(1, std::memory_order_relaxed);
    Policy::before_resume(worker, job);
  }
};

template <typename Policy>
using pool = caf::scheduler::coordinator<counted<Policy>>;

template <typename Value>
void set_unless_default(caf::actor_system_config& config, const std::string& name, Value value) {
  if (value != Value{}) config.set(name, value);
}

void set_knobs(caf::actor_system_config& config, const scheduler_knobs& knobs) {
  // Keys of our own: set() takes only those that CAF knows.
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
    config.load<pool<caf::policy::work_stealing>>();
  else if (policy == "sharing")
    config.load<pool<caf::policy::work_sharing>>();
  else
    throw std::invalid_argument("scheduler.policy must be asio, stealing or sharing");
}

} // namespace

runtime::runtime(const scheduler_knobs& knobs, actor_failure failed) : failed_(std::move(failed)) {
  set_knobs(config_, knobs);
  load_policy(config_, knobs.policy);
  system_ = std::make_unique<caf::actor_system>(config_);
  scheduler_ = dynamic_cast<io_scheduler*>(&system_->scheduler());
  if (scheduler_) return;
  for (std::size_t i = 0; i < std::max<std::size_t>(knobs.io_threads, 1); ++i)
    own_units_.push_back(std::make_unique<io_unit>(*system_, i, limits_of(knobs)));
  for (auto& unit : own_units_) unit->open_port();
  for (auto& unit : own_units_) unit->run_thread();
}

runtime::~runtime() {
  close_ports();
  for (auto& unit : own_units_) unit->join();
  discard(own_units_);
  system_.reset(); // waits for the actors; under the asio policy it ends the units, too
}

std::vector<std::reference_wrapper<asio::io_context>> runtime::io_contexts() {
  std::vector<std::reference_wrapper<asio::io_context>> contexts;
  for (auto& unit : units()) contexts.emplace_back(unit->io());
  return contexts;
}

std::uint64_t runtime::actor_runs() const {
  if (!scheduler_) return pool_runs().load(std::memory_order_relaxed);
  std::uint64_t runs = 0;
  for (const auto& unit : units()) runs += unit->actor_runs();
  return runs;
}

void runtime::close_ports() {
  for (auto& unit : units()) unit->close_port();
}

} // namespace roost::actors
