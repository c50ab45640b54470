#pragma once

#include "actors/bookings/decision_times.hpp"
#include "metrics/registry.hpp"
#include "store/bookings/requests.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace roost::actors {

/// What the booking queue says of its decisions.
class queue_metrics {
public:
  explicit queue_metrics(metrics::registry& registry)
      : latency_(registry.histogram("roost_decision_seconds",
                                    "From a request's acknowledgement to its decision", {},
                                    {0.1, 0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 300, 900})),
        waiting_(stage(registry, "waiting")), deciding_(stage(registry, "deciding")),
        committing_(stage(registry, "committing")) {
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

  /// A written decision's parts: waiting for its turn, asking calendar and account, and from then to the
  /// commit.
  void took(const decision_times& times, std::chrono::steady_clock::time_point committed) const {
    using seconds = std::chrono::duration<double>;
    waiting_.observe(std::max(seconds(times.waited).count(), 0.0));
    deciding_.observe(seconds(times.made - times.begun).count());
    committing_.observe(seconds(committed - times.made).count());
  }

private:
  static metrics::histogram stage(metrics::registry& registry, const char* name) {
    return registry.histogram("roost_decision_stage_seconds",
                              "Parts of the time from an acknowledgement to a decision", {{"stage", name}},
                              {0.00001, 0.0001, 0.001, 0.01, 0.1, 1, 5, 10, 20, 30, 60, 120, 300, 900});
  }

  std::vector<metrics::counter> decisions_; // in the order of request_state
  metrics::histogram latency_, waiting_, deciding_, committing_;
};

} // namespace roost::actors
