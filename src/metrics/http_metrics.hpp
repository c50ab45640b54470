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
  /// `successes`: the statuses of the route's successful responses; their counters exist from the start.
  route_meter(registry& registry, std::string listener, std::string method, std::string route,
              std::span<const unsigned> successes = {});

  void record(unsigned status, double seconds);

private:
  counter counter_of(unsigned status);

  registry& registry_;
  labels labels_;
  histogram latency_;
  std::array<std::atomic<counter>, 500> by_status_{}; ///< status 100 to 599
};

/// The metrics of an HTTP listener, apart from those of its routes.
struct listener_meter {
  listener_meter(registry& registry, const std::string& listener);

  gauge in_flight;
  gauge awaited_bodies;
  gauge open_connections;
  counter accepted_connections;
  counter refused_connections; ///< above max_connections
  // Requests refused because a limit was reached.
  counter refused_in_flight;
  counter refused_bodies_of_prefix;
  counter refused_bodies_of_address;
  counter received_bytes;
  counter sent_bytes;
};

} // namespace roost::metrics
