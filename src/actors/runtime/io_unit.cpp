#include "actors/runtime/io_unit.hpp"

#include "actors/runtime/run_meter.hpp"
#include "log/log.hpp"

#include <boost/asio/use_future.hpp>
#include <caf/actor_system.hpp>
#include <caf/logger.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

namespace roost::actors {

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

void io_unit::close_port() {
  if (!thread_.joinable()) return;
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
  io_.reset(); // runs destructors of coroutines, which may make actors runnable again
  port_handle_ = nullptr;
}

bool io_unit::discard_runnable() {
  take_inbox();
  answers_.clear();
  const auto jobs = std::exchange(runnable_, {});
  for (auto* job : jobs) caf::scheduler::abstract_coordinator::cleanup_and_release(job);
  return !jobs.empty();
}

void io_unit::set_max_throughput(std::size_t wanted) {
  const auto most = io_unit_limits{}.max_throughput;
  max_throughput_.store(wanted == 0 ? most : std::min(wanted, most), std::memory_order_relaxed);
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

void io_unit::take_response(caf::mailbox_element_ptr answer) {
  if (current_ == this) {
    answers_.push_back(std::move(answer));
    return schedule_drain();
  }
  std::lock_guard lock{inbox_mutex_};
  inbox_answers_.push_back(std::move(answer));
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
  std::ranges::move(inbox_answers_, std::back_inserter(answers_));
  inbox_answers_.clear();
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
    ~turn() { // also when a coroutine throws through an answer
      unit.draining_ = false;
      if (!unit.runnable_.empty() || !unit.answers_.empty()) unit.schedule_drain();
    }
  } turn{*this};
  for (int n = 0; n < turns_before_io; ++n) {
    if (!answers_.empty()) { // first: somebody is waiting for it
      const auto answer = std::move(answers_.front());
      answers_.pop_front();
      port_->on_response(*answer);
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
  add_alone(meter::this_thread()->turns, std::uint64_t{1});
  switch (job->resume(this, max_throughput_.load(std::memory_order_relaxed))) {
  case caf::resumable::resume_later:
    runnable_.push_back(job);
    break;
  case caf::resumable::done:
  case caf::resumable::awaiting_message:
    caf::intrusive_ptr_release(job);
    break;
  case caf::resumable::shutdown_execution_unit:
    break;
  }
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
    } catch (const std::exception& escaped) { // a defect; the thread's other connections go on
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

} // namespace roost::actors
