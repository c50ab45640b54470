#pragma once

#include "history.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace roost::contention {

/// How much a decision comprises.
enum class depth {
  bare,  ///< only the unit's nights, in the lab's own table
  whole, ///< a waiting request becomes a booking with tenant, terms, plan and notification, or is refused
};

/// The result of one request.
struct decision {
  outcome result = outcome::failed;
  phases time;
  std::uint32_t conflicts = 0; ///< attempts lost to another: version changed, or serialization failure
  std::uint32_t deadlocks = 0; ///< attempts that the database ended as the victim of a deadlock
  std::uint32_t retries = 0;
  std::uint32_t errors = 0; ///< lost connections and anything unexpected
};

struct load_options {
  unsigned clients = 64;
  /// Arrivals per second of an open loop; 0: a closed loop, in which each client sends its next request
  /// immediately.
  double rate = 0;
  std::chrono::milliseconds warm_up{1000}; ///< verified, but excluded from the figures
  std::chrono::milliseconds duration{5000};
  std::uint64_t max_requests = 0; ///< 0: unlimited
};

/// A request and the time at which it is due.
struct scheduled_request {
  stay_request request;
  clock::time_point due;
};

/// The requests of one load, shared by its clients.
class request_schedule {
public:
  /// Starts the load, which ends early once `stop` is true.
  request_schedule(workload& requests, const load_options& options, const std::atomic<bool>& stop);

  clock::time_point start() const { return start_; }
  /// The time until which clients keep trying to get the decision of their last request.
  clock::time_point deadline() const;
  std::int64_t since_start(clock::time_point time) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start_).count();
  }

  /// Returns the next request, which may be due later or overdue in an open loop; nullopt once the load has
  /// ended. Thread-safe.
  std::optional<scheduled_request> next();

  /// Ends the load because of an error outside the measured load.
  void fail(std::exception_ptr error);
  void rethrow_error() const;

  /// Whether the load ended early: no requests were left, a calendar was exhausted, or it was stopped.
  bool is_cut_short() const { return is_cut_short_; }

private:
  std::optional<scheduled_request> cut_short();

  workload& requests_;
  const load_options& options_;
  const std::atomic<bool>& stop_;
  const clock::time_point start_, end_;
  std::mutex mutex_; ///< makes the numbers of requests follow the order of next()
  std::uint64_t taken_ = 0;
  std::atomic<bool> has_failed_ = false, is_cut_short_ = false;
  std::exception_ptr error_;
};

struct counts {
  std::uint64_t conflicts = 0, deadlocks = 0, retries = 0, errors = 0;
};

/// The operations of one client. Written by one thread; others may read `cpu_seconds` at any time.
struct client_record {
  history operations;
  counts totals;
  std::atomic<double> cpu_seconds{0};

  /// Adds an operation that has just returned.
  void add(const request_schedule& schedule, const scheduled_request& scheduled, clock::time_point invoked,
           std::uint32_t client, const decision& decided);
};

/// A way to decide which requests get the nights. Created after the store has been prepared for it.
class strategy {
public:
  virtual ~strategy() = default;

  /// Starts one client per record; each sends one scheduled request at a time.
  virtual void start(request_schedule& schedule, std::vector<std::unique_ptr<client_record>>& clients) = 0;

  /// Waits until the schedule has ended and every client has the result of its last request.
  virtual void join() = 0;
};

/// A client that blocks until its request is decided.
class blocking_client {
public:
  virtual ~blocking_client() = default;

  /// Retries until `deadline`.
  virtual decision decide(const stay_request& request, clock::time_point deadline) = 0;
};

/// A strategy with one thread per client, like the clients of a database.
class threaded_strategy : public strategy {
public:
  void start(request_schedule& schedule, std::vector<std::unique_ptr<client_record>>& clients) final;
  void join() final;

protected:
  virtual std::unique_ptr<blocking_client> connect() = 0;

private:
  std::vector<std::thread> threads_;
};

} // namespace roost::contention
