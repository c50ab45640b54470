#include "actors/runtime/io_scheduler.hpp"

#include <caf/logger.hpp>
#include <caf/scheduled_actor.hpp>

namespace roost::actors {

void discard(std::vector<std::unique_ptr<io_unit>>& units) {
  for (auto& unit : units) unit->destroy_io();
  for (bool more = true; std::exchange(more, false);)
    for (auto& unit : units) more |= unit->discard_runnable();
}

namespace {

/// abstract_actor::flags() is protected; a derived class may name it.
struct flag_reader : caf::abstract_actor {
  static int of(const caf::abstract_actor& actor) {
    constexpr auto flags = static_cast<int (caf::abstract_actor::*)() const>(&flag_reader::flags);
    return (actor.*flags)();
  }
};

} // namespace

std::optional<std::size_t> home::of(const caf::abstract_actor& actor) {
  const int unit = (flag_reader::of(actor) & mask) >> shift;
  if (unit == 0) return std::nullopt;
  return static_cast<std::size_t>(unit - 1);
}

void io_scheduler::enqueue(caf::resumable* job) {
  std::optional<std::size_t> unit;
  if (job->subtype() == caf::resumable::scheduled_actor)
    unit = home::of(*static_cast<caf::scheduled_actor*>(job));
  if (!unit) {
    auto* here = io_unit::current();
    unit = here ? here->index() : next_worker_++;
  }
  units_[*unit % units_.size()]->make_runnable(job);
}

void io_scheduler::start() {
  io_unit_limits limits;
  limits.ask_time_limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      caf::get_or(config(), "io-units.ask-time-limit", caf::timespan{limits.ask_time_limit}));
  limits.asks_in_flight = caf::get_or(config(), "io-units.asks-in-flight", limits.asks_in_flight);
  limits.max_throughput = std::clamp<std::size_t>(max_throughput(), 1, limits.max_throughput);
  const auto count = std::clamp<std::size_t>(num_workers(), 1, home::max_units);
  for (std::size_t i = 0; i < count; ++i) units_.push_back(std::make_unique<io_unit>(system(), i, limits));
  for (auto& unit : units_) unit->open_port();
  for (auto& unit : units_) unit->run_thread();
  clock_thread_ = std::thread([this] {
    CAF_SET_LOGGER_SYS(&system());
    system().thread_started();
    clock_.run_dispatch_loop();
    system().thread_terminates();
  });
  abstract_coordinator::start();
}

void io_scheduler::stop() { // ~actor_system calls it when no actor is left
  stop_actors();
  for (auto& unit : units_) unit->close_port();
  for (auto& unit : units_) unit->join();
  clock_.cancel_dispatch_loop();
  clock_thread_.join();
  discard(units_);
}

} // namespace roost::actors
