#pragma once

#include "domain/date.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

namespace roost::contention {

/// What a calendar does while the load goes on.
enum class calendar_kind {
  rolling, ///< each unit's stays move on with its requests: how many are refused depends on no one's speed
  fixed,   ///< one window of nights for all, which fills up
};

struct workload_options {
  std::uint32_t units = 10'000;
  double zipf = 1.0;               ///< exponent over the units; 0: all alike
  std::optional<double> hot_share; ///< in Zipf's place: the share of requests (0 to 1) for the hot units
  std::uint32_t hot_units = 1;
  int shortest = 1, longest = 7; ///< nights of a stay
  calendar_kind calendar = calendar_kind::rolling;
  int window = 365;       ///< nights of the fixed calendar
  double conflicts = 0.2; ///< rolling: the share of requests for nights that another one wants, too
  std::uint64_t seed = 1;
};

/// One request: these nights of this unit. Units are numbered from 0, requests in the order of their making.
struct stay {
  std::uint64_t number = 0;
  std::uint32_t unit = 0;
  domain::date check_in{}, check_out{};
};

/// A rolling calendar has come to the last year that a date can have.
class calendar_over : public std::runtime_error {
public:
  calendar_over() : std::runtime_error("a rolling calendar reached the year 9999") {}
};

/// Makes the same requests in the same order from the same options.
class workload {
public:
  /// Throws std::invalid_argument with one line.
  explicit workload(const workload_options& options);

  /// Any thread. Throws calendar_over.
  stay next();

private:
  /// Of a rolling calendar: the nights after `next` are free, and `latest` is the last stay that took some.
  struct progress {
    domain::date next{};
    domain::date latest_in{}, latest_out{};
  };

  std::uint32_t pick_unit();
  int pick(int lowest, int highest);
  double share();
  void roll(stay& made);
  void place_in_window(stay& made);

  const workload_options options_;
  std::mutex mutex_;
  std::mt19937_64 chance_;
  std::vector<double> cumulated_; // Zipf's weights
  std::vector<progress> progress_;
  std::uint64_t made_ = 0;
};

} // namespace roost::contention
