#pragma once

#include "actors/bookings/decision_group.hpp"
#include "domain/booking.hpp"
#include "domain/platform.hpp"
#include "metrics/registry.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace roost::actors {

/// The booking queue's metrics.
class queue_metrics {
public:
  queue_metrics(metrics::registry& registry, const std::vector<domain::platform>& platforms)
      : registry_(registry),
        latency_(registry.histogram(
            "roost_decision_seconds", "From a request's acknowledgement to its decision", {},
            {0.1, 0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 300, 900}, metrics::when_empty::shown)),
        waiting_(stage(registry, "waiting")), deciding_(stage(registry, "deciding")),
        committing_(stage(registry, "committing")) {
    for (const auto& platform : platforms) outcomes_of(platform.name);
  }

  /// Records and logs the decisions of a group that has just been committed. Returns whether they send mail.
  bool report(const decision_group& written, domain::timestamp now) {
    const auto committed = std::chrono::steady_clock::now();
    bool mail = false;
    for (const auto& member : written.members) {
      const auto& request = member.request->request;
      decided(request.platform, member.decision, now - request.received_at);
      took(member.times, committed);
      mail |= !member.decision.mails.empty();
      log_decision(request, member.decision);
    }
    return mail;
  }

private:
  void decided(const std::string& platform, const domain::decision& decision,
               std::chrono::milliseconds after) {
    auto& counter = outcomes_of(platform).at(index_of(decision));
    if (!counter) counter = counter_of(platform, decision.state, to_string(*decision.reason));
    counter.increment();
    latency_.observe(std::chrono::duration<double>(after).count());
  }

  /// Records a written decision's stages: waiting for its turn, asking calendar and account, committing.
  void took(const decision_times& times, std::chrono::steady_clock::time_point committed) const {
    using seconds = std::chrono::duration<double>;
    waiting_.observe(std::max(seconds(times.waited).count(), 0.0));
    deciding_.observe(seconds(times.decided_at - times.started_at).count());
    committing_.observe(seconds(committed - times.decided_at).count());
  }

  static metrics::histogram stage(metrics::registry& registry, const char* name) {
    return registry.histogram("roost_decision_stage_seconds",
                              "Parts of the time from an acknowledgement to a decision", {{"stage", name}},
                              {0.0001, 0.001, 0.01, 0.1, 1, 10, 30, 60, 120, 300});
  }

  /// Counters: booked, dropped, then one for each refusal.
  using outcomes = std::array<metrics::counter, 2 + domain::refusals.size()>;

  static std::size_t index_of(const domain::decision& decision) {
    if (decision.state == domain::request_state::success) return 0;
    return decision.reason ? 2 + static_cast<std::size_t>(*decision.reason) : 1;
  }

  metrics::counter counter_of(const std::string& platform, domain::request_state outcome,
                              std::string_view reason) {
    return registry_.counter("roost_decisions_total", "Booking requests decided, by platform and outcome",
                             {{"platform", platform},
                              {"outcome", std::string{to_string(outcome)}},
                              {"reason", std::string{reason}}});
  }

  /// Returns the platform's counters, and creates them if needed; but that of held nights with the first such
  /// refusal: few platforms have any, and each counter is part of every scrape.
  outcomes& outcomes_of(const std::string& platform) {
    const auto [entry, is_new] = decisions_.try_emplace(platform);
    if (!is_new) return entry->second;
    auto& counters = entry->second;
    counters[0] = counter_of(platform, domain::request_state::success, "booked");
    counters[1] = counter_of(platform, domain::request_state::dropped, "repeated");
    for (const auto reason : domain::refusals)
      if (reason != domain::refusal::held_nights)
        counters[2 + static_cast<std::size_t>(reason)] =
            counter_of(platform, domain::request_state::failed, to_string(reason));
    return counters;
  }

  metrics::registry& registry_;
  std::map<std::string, outcomes> decisions_; ///< by platform
  metrics::histogram latency_, waiting_, deciding_, committing_;
};

} // namespace roost::actors
