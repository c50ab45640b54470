#include "actors/runtime/lane_watch.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <set>
#include <utility>

namespace roost::actors {

namespace {

class lane_watch_state {
public:
  static constexpr const char* name = "lane_watch";
  using self_pointer = lane_watch::stateful_pointer<lane_watch_state>;

  void open(self_pointer self, lane_watch_settings settings) {
    self_ = self;
    settings_ = std::move(settings);
    self_->send(self_, check_lanes{});
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

  self_pointer self_ = nullptr;
  lane_watch_settings settings_;
  std::set<const lane_health*> probed_; ///< lanes with a probe in progress
};

lane_watch::behavior_type lane_watch_behavior(lane_watch::stateful_pointer<lane_watch_state> self,
                                              lane_watch_settings settings) {
  auto& state = self->state;
  state.open(self, std::move(settings));
  return {[&state](const check_lanes&) { state.check(); }};
}

} // namespace

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings) {
  return rt.spawn_at(0, lane_watch_behavior, std::move(settings));
}

} // namespace roost::actors
