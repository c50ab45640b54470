#pragma once

#include "metrics/registry.hpp"
#include "store/bookings/requests.hpp"

#include <array>
#include <chrono>
#include <vector>

namespace roost::actors {

/// What the booking queue says of its decisions.
class queue_metrics {
public:
  explicit queue_metrics(metrics::registry& registry)
      : latency_(registry.histogram("roost_decision_seconds",
                                    "From a request's acknowledgement to its decision", {},
                                    {0.1, 0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 300, 900})) {
    for (const auto state : {domain::request_state::pending, domain::request_state::success,
                             domain::request_state::failed, domain::request_state::dropped}) {
      const std::string name{to_string(state)};
      decisions_.push_back(registry.counter("roost_decisions_total", "Booking requests decided, by outcome",
                                            {{"outcome", name}}));
    }
  }

  void decided(domain::request_state outcome, std::chrono::milliseconds after) const {
    decisions_[static_cast<std::size_t>(outcome)].increment();
    latency_.observe(std::chrono::duration<double>(after).count());
  }

private:
  std::vector<metrics::counter> decisions_; // in the order of request_state
  metrics::histogram latency_;
};

} // namespace roost::actors
