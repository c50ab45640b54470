#pragma once

#include "domain/booking.hpp"
#include "domain/date.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace roost::contention {

/// How a calendar behaves during the load.
enum class calendar_kind {
  rolling, ///< the stays of a unit advance with its requests: the share of refusals is independent of speed
  fixed,   ///< one window of nights for all units, which fills up
};

struct workload_options {
  std::uint32_t units = 10'000;
  double zipf = 1.0;               ///< exponent over the units; 0: uniform
  std::optional<double> hot_share; ///< instead of Zipf: the share of requests (0 to 1) for the hot units
  std::uint32_t hot_units = 1;
  int shortest = 1, longest = 7; ///< nights of a stay
  calendar_kind calendar = calendar_kind::rolling;
  int window = 365;       ///< nights of the fixed calendar
  double conflicts = 0.2; ///< rolling: the share of requests for nights of an earlier request
  std::uint64_t seed = 1;
};

/// A request for nights of a unit. Units are numbered from 0, requests in the order of their generation.
struct stay_request {
  std::uint64_t number = 0;
  std::uint32_t unit = 0;
  domain::date check_in{}, check_out{};
};

/// A rolling calendar has reached the last year that a date can have.
class calendar_exhausted : public std::runtime_error {
public:
  calendar_exhausted() : std::runtime_error("a rolling calendar reached the year 9999") {}
};

/// A generator of requests: the same options yield the same requests in the same order.
class workload {
public:
  /// Throws std::invalid_argument with a one-line message.
  explicit workload(const workload_options& options);

  /// Throws calendar_exhausted. Thread-safe.
  stay_request next();

private:
  /// The state of a rolling calendar: nights from `next` on are free, and `latest` is the last stay on new
  /// nights.
  struct progress {
    domain::date next{};
    domain::date latest_in{}, latest_out{};
  };

  std::uint32_t pick_unit();
  int pick(int min, int max);
  double pick_fraction();
  void place_on_rolling_calendar(stay_request& request);
  void place_in_window(stay_request& request);

  const workload_options options_;
  std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<double> cumulated_; ///< Zipf's weights
  std::vector<progress> progress_;
  std::uint64_t generated_ = 0;
};

// Ids and bookings derived from numbers, shared by the setup of stores, the strategies and the verifier.

inline constexpr const char* platform_name = "marketplace-a";
inline constexpr std::uint32_t units_per_account = 100;

enum class id_kind : std::uint8_t { account = 1, property, unit, user, request, reference, booking };

/// Returns the same id for the same number, in the form of a version 4 UUID.
domain::uuid numbered_id(id_kind kind, std::uint64_t number);
std::uint64_t number_of(const domain::uuid& id);

/// Returns the unit's ID on the platform, as in the portfolios of all benches.
std::string external_id(std::uint32_t unit);

/// Returns the booking request for a stay, each by a different guest.
domain::booking_request booking_request_for(const stay_request& stay, domain::timestamp now);

} // namespace roost::contention
