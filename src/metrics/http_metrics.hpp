#pragma once

#include "metrics/registry.hpp"

#include <array>
#include <atomic>
#include <span>
#include <string>

namespace roost::metrics {

/// The metrics of a route: requests by status, and their duration. Created when the route is mounted, so that
/// only the first request of each status costs a look-up. record() is thread-safe.
class route_meter {
public:
  /// `watched`: the statuses whose counters exist from the start, because a counter that first appears with a
  /// value of 1 shows no increase.
  route_meter(registry& registry, std::string listener, std::string method, std::string route,
              std::span<const unsigned> watched = {});

  void record(unsigned status, double seconds);

private:
  counter counter_of(unsigned status);

  registry& registry_;
  labels labels_; ///< of the counters
  histogram latency_;
  std::array<std::atomic<counter>, 500> by_status_{}; ///< status 100 to 599
};

/// The metrics of an HTTP listener, apart from those of its routes.
struct listener_meter {
  listener_meter(registry& registry, const std::string& listener);

  /// Counts a response. Thread-safe.
  void record(unsigned status) const;

  gauge in_flight;
  gauge waiting;
  gauge awaited_bodies;
  gauge open_connections;
  counter accepted_connections;
  counter refused_connections; ///< above max_connections
  // Requests refused because a limit was reached.
  counter refused_in_flight;
  counter refused_waiting;
  counter refused_bodies_of_prefix;
  counter refused_bodies_of_address;
  counter received_bytes;
  counter sent_bytes;
  // Responses of all routes by status. They exist from the start, unlike the counters of most routes.
  counter responses_500;
  counter responses_503;
  counter other_responses;
};

} // namespace roost::metrics
