#include "actors/runtime/io_unit.hpp"

#include "actors/runtime/run_meter.hpp"
#include "log/log.hpp"

#include <boost/asio/use_future.hpp>
#include <caf/logger.hpp>
#include <caf/scheduled_actor.hpp>

#include <algorithm>
#include <utility>

namespace roost::actors {

namespace {

/// Gives access to abstract_actor::flags(), which is protected.
struct flag_reader : caf::abstract_actor {
  static int of(const caf::abstract_actor& actor) {
    constexpr auto flags = static_cast<int (caf::abstract_actor::*)() const>(&flag_reader::flags);
    return (actor.*flags)();
  }
};

} // namespace

bool run_and_release(caf::resumable* job, caf::execution_unit& unit, std::size_t max_messages) {
  switch (job->resume(&unit, max_messages)) {
  case caf::resumable::resume_later:
    return true;
  case caf::resumable::done:
  case caf::resumable::awaiting_message:
    caf::intrusive_ptr_release(job);
    return false;
  case caf::resumable::shutdown_execution_unit:
    return false;
  }
  return false;
}

io_unit::io_unit(caf::actor_system& system, std::size_t index, io_unit_limits limits)
    : caf::execution_unit(&system), index_(index), limits_(limits) {}

io_unit::~io_unit() { join(); }

void io_unit::open_port() {
  port_handle_ = system().spawn<ask_port, caf::hidden>();
  port_ = static_cast<ask_port*>(caf::actor_cast<caf::abstract_actor*>(port_handle_));
  port_->open(*this, *io_, *this, limits_.ask_time_limit, limits_.asks_in_flight);
}

void io_unit::run_thread() {
  thread_ = std::thread([this] { thread_main(); });
}

std::size_t io_unit::poll() {
  current_ = this;
  io_->restart(); // it stops when it has nothing to do
  const auto handlers = io_->poll_one();
  current_ = nullptr;
  return handlers;
}

void io_unit::close_port() {
  if (!thread_.joinable()) {
    if (port_ != nullptr) port_->close();
    return;
  }
  asio::post(*io_, asio::use_future([this] { port_->close(); })).get();
}

void io_unit::join() {
  if (!thread_.joinable()) return;
  io_->stop();
  thread_.join();
}

void io_unit::destroy_io() {
  {
    std::lock_guard lock{inbox_mutex_};
    accepts_wakes_ = false;
  }
  io_.reset(); // destroys coroutines, which may make actors runnable again
  port_handle_ = nullptr;
  port_ = nullptr;
}

bool io_unit::discard_runnable() {
  take_inbox();
  responses_.clear();
  const auto jobs = std::exchange(runnable_, {});
  for (auto* job : jobs) caf::scheduler::abstract_coordinator::cleanup_and_release(job);
  return !jobs.empty();
}

void io_unit::set_max_throughput(std::size_t messages) {
  const auto max = io_unit_limits{}.max_throughput;
  max_throughput_.store(messages == 0 ? max : std::min(messages, max), std::memory_order_relaxed);
}

std::size_t io_unit::queue_length() {
  const std::lock_guard lock{inbox_mutex_};
  return runnable_count_.load(std::memory_order_relaxed) + inbox_runnable_.size();
}

void io_unit::make_runnable(caf::resumable* job) {
  if (current_ == this) {
    runnable_.push_back(job);
    return schedule_drain();
  }
  std::lock_guard lock{inbox_mutex_};
  inbox_runnable_.push_back(job);
  wake();
}

void io_unit::exec_later(caf::resumable* job) { system().scheduler().enqueue(job); }

void io_unit::take_response(caf::mailbox_element_ptr response) {
  if (current_ == this) {
    responses_.push_back(std::move(response));
    return schedule_drain();
  }
  std::lock_guard lock{inbox_mutex_};
  inbox_responses_.push_back(std::move(response));
  wake();
}

void io_unit::wake() {
  if (!accepts_wakes_ || std::exchange(wake_posted_, true)) return;
  asio::post(*io_, [this] {
    take_inbox();
    schedule_drain();
  });
}

void io_unit::take_inbox() {
  std::lock_guard lock{inbox_mutex_};
  wake_posted_ = false;
  runnable_.insert(runnable_.end(), inbox_runnable_.begin(), inbox_runnable_.end());
  inbox_runnable_.clear();
  std::ranges::move(inbox_responses_, std::back_inserter(responses_));
  inbox_responses_.clear();
}

void io_unit::schedule_drain() {
  if (draining_ || std::exchange(drain_scheduled_, true)) return;
  asio::post(*io_, [this] { drain(); });
}

void io_unit::drain() {
  struct turn {
    io_unit& unit;
    explicit turn(io_unit& u) : unit(u) {
      unit.drain_scheduled_ = false;
      unit.draining_ = true;
    }
    ~turn() { // also if a coroutine throws
      unit.draining_ = false;
      if (!unit.runnable_.empty() || !unit.responses_.empty()) unit.schedule_drain();
    }
  } turn{*this};
  for (int n = 0; n < max_runs_before_io; ++n) {
    if (!responses_.empty()) { // before actors: a coroutine is waiting
      const auto response = std::move(responses_.front());
      responses_.pop_front();
      port_->on_response(*response);
    } else if (!runnable_.empty()) {
      auto* job = runnable_.front();
      runnable_.pop_front();
      resume(job);
    } else {
      return;
    }
  }
}

void io_unit::resume(caf::resumable* job) {
  runnable_count_.store(runnable_.size(), std::memory_order_relaxed);
  add_alone(meter::this_thread()->runs, std::uint64_t{1});
  if (run_and_release(job, *this, max_throughput_.load(std::memory_order_relaxed))) runnable_.push_back(job);
}

void io_unit::thread_main() {
  current_ = this;
  meter::enter_thread(thread_name(), true);
  CAF_SET_LOGGER_SYS(&system());
  system().thread_started();
  const auto guard = asio::make_work_guard(*io_);
  while (!io_->stopped()) {
    try {
      io_->run();
    } catch (const std::exception& escaped) { // a defect; the thread's other connections continue
      log::error("io_thread_exception", {{"unit", index_}, {"what", escaped.what()}});
    }
  }
  system().thread_terminates();
  current_ = nullptr;
}

ask_port& current_port() {
  auto* unit = io_unit::current();
  if (!unit) throw std::logic_error("ask: not on an I/O thread");
  return unit->port();
}

void discard(std::vector<std::unique_ptr<io_unit>>& units) {
  for (auto& unit : units) unit->destroy_io();
  for (bool more = true; std::exchange(more, false);)
    for (auto& unit : units) more |= unit->discard_runnable();
}

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
    auto* current = io_unit::current();
    unit = current ? current->index() : next_worker_++;
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

void io_scheduler::stop() { // called by ~actor_system when no actor is left
  stop_actors();
  for (auto& unit : units_) unit->close_port();
  for (auto& unit : units_) unit->join();
  clock_.cancel_dispatch_loop();
  clock_thread_.join();
  discard(units_);
}

} // namespace roost::actors
