#include "strategy.hpp"

#include "cpu_time.hpp"

namespace roost::contention {

namespace {

constexpr std::chrono::seconds last_request_timeout{20};

void run_client(request_schedule& schedule, client_record& record, blocking_client& client,
                std::uint32_t number) {
  while (const auto scheduled = schedule.next()) {
    std::this_thread::sleep_until(scheduled->due);
    const auto invoked = clock::now();
    const auto decided = client.decide(scheduled->request, schedule.deadline());
    record.add(schedule, *scheduled, invoked, number, decided);
    record.cpu_seconds.store(thread_cpu_seconds(), std::memory_order_relaxed);
  }
}

} // namespace

request_schedule::request_schedule(workload& requests, const load_options& options,
                                   const std::atomic<bool>& stop)
    : requests_(requests), options_(options), stop_(stop), start_(clock::now()),
      end_(start_ + options.warm_up + options.duration) {}

clock::time_point request_schedule::deadline() const { return end_ + last_request_timeout; }

std::optional<scheduled_request> request_schedule::next() {
  std::lock_guard lock{mutex_};
  const auto now = clock::now();
  auto due = now;
  if (options_.rate > 0)
    due = start_ + std::chrono::duration_cast<clock::duration>(
                       std::chrono::duration<double>(static_cast<double>(taken_) / options_.rate));
  if (due >= end_ || now >= deadline()) return std::nullopt;
  if (stop_ || has_failed_ || (options_.max_requests > 0 && taken_ >= options_.max_requests))
    return cut_short();
  ++taken_;
  try {
    return scheduled_request{requests_.next(), due};
  } catch (const calendar_exhausted&) {
    return cut_short();
  }
}

void request_schedule::fail(std::exception_ptr error) {
  std::lock_guard lock{mutex_};
  if (!error_) error_ = error;
  has_failed_ = true;
}

void request_schedule::rethrow_error() const {
  if (error_) std::rethrow_exception(error_);
}

std::optional<scheduled_request> request_schedule::cut_short() {
  is_cut_short_ = true;
  return std::nullopt;
}

void client_record::add(const request_schedule& schedule, const scheduled_request& scheduled,
                        clock::time_point invoked, std::uint32_t client, const decision& decided) {
  operation done;
  done.request = scheduled.request;
  done.client = client;
  done.intended = schedule.since_start(scheduled.due);
  done.invoked = schedule.since_start(invoked);
  done.returned = schedule.since_start(clock::now());
  done.result = decided.result;
  done.time = decided.time;
  done.time.waiting += invoked - scheduled.due;
  operations.push_back(done);
  totals.conflicts += decided.conflicts;
  totals.deadlocks += decided.deadlocks;
  totals.retries += decided.retries;
  totals.errors += decided.errors;
}

void threaded_strategy::start(request_schedule& schedule,
                              std::vector<std::unique_ptr<client_record>>& clients) {
  for (std::uint32_t i = 0; i < clients.size(); ++i)
    threads_.emplace_back([this, &schedule, &record = *clients[i], i] {
      try {
        run_client(schedule, record, *connect(), i);
      } catch (...) {
        schedule.fail(std::current_exception());
      }
    });
}

void threaded_strategy::join() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

} // namespace roost::contention
