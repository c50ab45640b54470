#include "load.hpp"

#include "processor.hpp"

#include <exception>
#include <mutex>
#include <thread>

namespace roost::contention {

namespace {

constexpr std::chrono::seconds patience{20}; ///< after the end, for decisions that are under way

std::int64_t between(clock::time_point from, clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count();
}

/// What the clients of one load share.
class shared_load {
public:
  shared_load(workload& requests, const load_options& options, const std::atomic<bool>& stop)
      : requests_(requests), options_(options), stop_(stop), start_(clock::now()),
        end_(start_ + options.warm_up + options.duration) {}

  clock::time_point start() const { return start_; }
  clock::time_point end() const { return end_; }

  struct order {
    stay wanted;
    clock::time_point intended;
  };

  /// Nothing: the load is over. In an open loop this waits until the request is due.
  std::optional<order> next() {
    const auto number = taken_.fetch_add(1);
    if (options_.most > 0 && number >= options_.most) return cut();
    auto due = clock::now();
    if (options_.rate > 0) {
      due = start_ + std::chrono::duration_cast<clock::duration>(
                         std::chrono::duration<double>(static_cast<double>(number) / options_.rate));
      if (due < end_) std::this_thread::sleep_until(due);
    }
    if (due >= end_ || clock::now() >= end_ + patience) return std::nullopt;
    if (stop_ || failed_) return cut();
    try {
      return order{requests_.next(), due};
    } catch (const calendar_over&) {
      return cut();
    }
  }

  void fail(std::exception_ptr why) {
    std::lock_guard lock{mutex_};
    if (!why_) why_ = why;
    failed_ = true;
  }

  void rethrow() const {
    if (why_) std::rethrow_exception(why_);
  }

  bool is_cut() const { return cut_; }

private:
  std::optional<order> cut() {
    cut_ = true;
    return std::nullopt;
  }

  workload& requests_;
  const load_options& options_;
  const std::atomic<bool>& stop_;
  const clock::time_point start_, end_;
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<bool> failed_ = false, cut_ = false;
  std::mutex mutex_;
  std::exception_ptr why_;
};

/// One client's thread.
struct worker {
  history operations;
  counts all;
  std::atomic<double> used{0}; ///< processor time so far
  std::thread thread;

  void run(shared_load& load, client& by, std::uint32_t number) {
    try {
      while (const auto asked = load.next()) {
        record(load, by, *asked, number);
        used.store(time_of_thread(), std::memory_order_relaxed);
      }
    } catch (...) {
      load.fail(std::current_exception());
    }
    used = time_of_thread();
  }

  void record(const shared_load& load, client& by, const shared_load::order& asked, std::uint32_t number) {
    operation done;
    done.wanted = asked.wanted;
    done.client = number;
    done.intended = between(load.start(), asked.intended);
    done.invoked = between(load.start(), clock::now());
    const auto made = by.decide(asked.wanted, load.end() + patience);
    done.returned = between(load.start(), clock::now());
    done.result = made.result;
    done.time = made.time;
    done.time.waiting += std::chrono::nanoseconds{done.invoked - done.intended};
    operations.push_back(done);
    all.conflicts += made.conflicts;
    all.deadlocks += made.deadlocks;
    all.retries += made.retries;
    all.errors += made.errors;
  }
};

processor_time used_so_far(const std::vector<std::unique_ptr<worker>>& workers, pid_t database) {
  processor_time used;
  for (const auto& each : workers) used.clients += each->used;
  used.server = time_of_process() - used.clients;
  if (database > 0) used.database = time_of_tree(database);
  return used;
}

} // namespace

load_result run_load(strategy& by, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const std::function<void()>& started) {
  std::vector<std::unique_ptr<client>> clients;
  for (unsigned i = 0; i < options.clients; ++i) clients.push_back(by.connect());
  shared_load load(requests, options, stop);
  std::vector<std::unique_ptr<worker>> workers;
  for (unsigned i = 0; i < options.clients; ++i) {
    auto& each = *workers.emplace_back(std::make_unique<worker>());
    each.thread = std::thread([&each, &load, &by = *clients[i], i] { each.run(load, by, i); });
  }
  std::this_thread::sleep_until(load.start() + options.warm_up);
  const auto before = used_so_far(workers, options.database);
  const auto measured_from = clock::now();
  started();
  for (auto& each : workers) each->thread.join();
  const auto after = used_so_far(workers, options.database);
  load.rethrow();

  load_result result;
  result.started = load.start();
  result.cut_short = load.is_cut();
  result.measured = std::chrono::duration<double>(clock::now() - measured_from).count();
  result.used = {after.clients - before.clients, after.server - before.server,
                 after.database - before.database};
  for (auto& each : workers) {
    result.operations.insert(result.operations.end(), each->operations.begin(), each->operations.end());
    result.all.conflicts += each->all.conflicts;
    result.all.deadlocks += each->all.deadlocks;
    result.all.retries += each->all.retries;
    result.all.errors += each->all.errors;
  }
  return result;
}

} // namespace roost::contention
