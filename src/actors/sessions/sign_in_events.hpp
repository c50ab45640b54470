#pragma once

#include "metrics/registry.hpp"

#include <map>
#include <string>
#include <string_view>

namespace roost::actors {

/// Counts the steps of signing in, and of changing passwords, by what came of them.
class sign_in_events {
public:
  explicit sign_in_events(metrics::registry& registry) : registry_(registry) {
    for (const auto* event : {"signed_in", "code_sent", "wrong_password"}) counter_of(event);
  }

  void count(std::string_view event) { counter_of(event).increment(); }

private:
  metrics::counter& counter_of(std::string_view event) {
    auto& counter = counters_[std::string(event)];
    if (!counter)
      counter = registry_.counter("roost_sign_in_events_total", "Steps of signing in, by what came of them",
                                  {{"event", std::string(event)}});
    return counter;
  }

  metrics::registry& registry_;
  std::map<std::string, metrics::counter> counters_;
};

} // namespace roost::actors
