#pragma once

#include "history.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>

namespace roost::contention {

struct load_options {
  unsigned clients = 64;
  /// Arrivals a second in an open loop; 0: a closed loop, in which each client asks again at once.
  double rate = 0;
  std::chrono::milliseconds warm_up{1000}; ///< judged, but in no figure
  std::chrono::milliseconds duration{5000};
  std::uint64_t most = 0; ///< requests in all; 0: no bound
};

/// A request and when it should be made.
struct order {
  stay wanted;
  clock::time_point due;
};

/// The requests of one load, which its clients share.
class orders {
public:
  /// The load starts now. It ends early when `stop` says so.
  orders(workload& requests, const load_options& options, const std::atomic<bool>& stop);

  clock::time_point start() const { return start_; }
  clock::time_point end() const { return end_; }
  /// Until when a client tries to get the decision of its last request.
  clock::time_point patience() const;
  std::int64_t since_start(clock::time_point moment) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(moment - start_).count();
  }

  /// The next one, which in an open loop may be due later or overdue; nothing when the load is over. Any
  /// thread.
  std::optional<order> next();

  /// Ends the load: a client has met what is no part of it.
  void fail(std::exception_ptr why);
  void rethrow() const;

  /// The requests or a calendar ran out, or somebody stopped it.
  bool is_cut() const { return cut_; }

private:
  std::optional<order> cut();

  workload& requests_;
  const load_options& options_;
  const std::atomic<bool>& stop_;
  const clock::time_point start_, end_;
  std::mutex mutex_; // an order's number is its request's
  std::uint64_t taken_ = 0;
  std::atomic<bool> failed_ = false, cut_ = false;
  std::exception_ptr why_;
};

} // namespace roost::contention
