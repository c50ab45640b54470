#pragma once

#include "actors/runtime/published.hpp"
#include "log/log.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace roost::actors {

/// Whether a storage lane reaches the store. Written by the lane's thread, readable by any thread.
class lane_health {
public:
  using clock = std::chrono::steady_clock;

  explicit lane_health(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  /// The store responded to a job, possibly with an error.
  void record_response() {
    last_response_ = clock::now();
    in_doubt_ = false;
    if (!error_.get()) return;
    error_.set(nullptr);
    log::info("store_lane_back", {{"lane", name_}});
  }
  /// The store did not respond to a job. A probe will find out whether it is reachable.
  void invalidate() { in_doubt_ = true; }
  /// A probe did not reach the store.
  void record_failure(const std::string& error) {
    in_doubt_ = true;
    if (!error_.get()) log::warn("store_lane_lost", {{"lane", name_}, {"what", error}});
    error_.set(std::make_shared<const std::string>(error));
  }

  /// Whether the store has not responded since a job or a probe failed.
  bool is_in_doubt() const { return in_doubt_; }
  /// Returns clock::time_point{} before the first response.
  clock::time_point last_response() const { return last_response_; }
  /// Returns why probes fail, or nullopt if the last one succeeded.
  std::optional<std::string> error() const {
    const auto error = error_.get();
    return error ? std::optional{*error} : std::nullopt;
  }

private:
  const std::string name_;
  std::atomic<bool> in_doubt_ = false;
  std::atomic<clock::time_point> last_response_{};
  published<std::string> error_;
};

} // namespace roost::actors
