#include "actors/runtime/lane_watch.hpp"

#include <set>
#include <utility>

namespace roost::actors {

namespace {

class lane_watch_state : public actor_state<lane_watch> {
public:
  static constexpr const char* name = "lane_watch";

  behavior open(lane_watch_settings settings) {
    settings_ = std::move(settings);
    self_->send(self_, check_lanes{});
    return {[this](const check_lanes&) { check(); }};
  }

  void check() {
    for (const auto& lane : settings_.lanes)
      if (is_due(*lane.health) && probed_.insert(lane.health.get()).second) probe(lane);
    self_->delayed_send(self_, settings_.interval, check_lanes{});
  }

private:
  bool is_due(const lane_health& lane) const {
    if (lane.is_in_doubt()) return true;
    return lane_health::clock::now() - lane.last_response() >= settings_.idle && settings_.may_connect();
  }

  /// The lane itself records the outcome.
  void probe(const storage_pool::watched_lane& lane) {
    const auto finish = [this, health = lane.health.get()] { probed_.erase(health); };
    self_->request(lane.worker, caf::infinite, probing_job())
        .then([finish](storage_result&) { finish(); }, [finish](caf::error&) { finish(); });
  }

  lane_watch_settings settings_;
  std::set<const lane_health*> probed_; ///< lanes with a probe in progress
};

} // namespace

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings) {
  return rt.spawn_at<lane_watch_state>(0, std::move(settings));
}

} // namespace roost::actors
