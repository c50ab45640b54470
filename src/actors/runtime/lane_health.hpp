#pragma once

#include "actors/runtime/published.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace roost::actors {

/// Whether a storage lane reaches the store. Its own thread writes, any may read.
class lane_health {
public:
  using clock = std::chrono::steady_clock;

  explicit lane_health(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  /// The store answered a job, were it with a refusal.
  void answered();
  /// A job found no store; a probe will tell whether it can be reached at all.
  void invalidate() { in_doubt_ = true; }
  /// A probe did not reach the store.
  void lost(const std::string& why);

  /// Whether nothing was heard of the store since a job or a probe failed.
  bool is_in_doubt() const { return in_doubt_; }
  /// When the store answered last; clock::time_point{} before it ever did.
  clock::time_point heard() const { return heard_; }
  /// Why probes do not reach the store; nothing when the last one did.
  std::optional<std::string> why_lost() const;

private:
  const std::string name_;
  std::atomic<bool> in_doubt_ = false;
  std::atomic<clock::time_point> heard_{};
  published<std::string> why_lost_;
};

} // namespace roost::actors
