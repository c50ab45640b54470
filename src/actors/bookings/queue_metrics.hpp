#pragma once

#include "metrics/registry.hpp"
#include "store/bookings/requests.hpp"

#include <array>
#include <chrono>
#include <vector>

namespace roost::actors {

/// What operators see of the booking queue.
class queue_metrics {
public:
  explicit queue_metrics(metrics::registry& registry)
      : latency_(registry.histogram("roost_decision_seconds",
                                    "From a request's acknowledgement to its decision", {},
                                    {0.1, 0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 300, 900})),
        depth_(registry.gauge("roost_mailbox_depth", "Messages waiting for an actor",
                              {{"actor", "booking_queue"}})) {
    for (const auto state : {domain::request_state::pending, domain::request_state::success,
                             domain::request_state::failed, domain::request_state::dropped}) {
      const std::string name{to_string(state)};
      requests_.push_back(
          registry.gauge("roost_queue_requests", "Booking requests by state", {{"state", name}}));
      decisions_.push_back(registry.counter("roost_decisions_total", "Booking requests decided, by outcome",
                                            {{"outcome", name}}));
    }
  }

  void set(const store::request_counts& counts) const {
    requests_[0].set(static_cast<double>(counts.pending));
    requests_[1].set(static_cast<double>(counts.success));
    requests_[2].set(static_cast<double>(counts.failed));
    requests_[3].set(static_cast<double>(counts.dropped));
  }

  void decided(domain::request_state outcome, std::chrono::milliseconds after) const {
    decisions_[static_cast<std::size_t>(outcome)].increment();
    latency_.observe(std::chrono::duration<double>(after).count());
  }

  void set_mailbox_depth(std::size_t messages) const { depth_.set(static_cast<double>(messages)); }

private:
  std::vector<metrics::gauge> requests_;    // in the order of request_state
  std::vector<metrics::counter> decisions_; // likewise
  metrics::histogram latency_;
  metrics::gauge depth_;
};

} // namespace roost::actors
