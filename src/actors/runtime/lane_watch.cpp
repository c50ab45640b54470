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
    self_->send(self_, look_at_lanes{});
  }

  void look() {
    for (const auto& lane : settings_.lanes)
      if (is_due(*lane.health) && asked_.insert(lane.health.get()).second) probe(lane);
    self_->delayed_send(self_, settings_.interval, look_at_lanes{});
  }

private:
  bool is_due(const lane_health& lane) const {
    if (lane.is_in_doubt()) return true;
    return lane_health::clock::now() - lane.heard() >= settings_.idle && settings_.may_connect();
  }

  /// The lane itself notes how it went.
  void probe(const storage_pool::watched_lane& lane) {
    const auto answered = [this, which = lane.health.get()] { asked_.erase(which); };
    self_->request(lane.worker, caf::infinite, probing_job())
        .then([answered](storage_result&) { answered(); }, [answered](caf::error&) { answered(); });
  }

  self_pointer self_ = nullptr;
  lane_watch_settings settings_;
  std::set<const lane_health*> asked_; ///< their probes are under way
};

lane_watch::behavior_type lane_watch_behavior(lane_watch::stateful_pointer<lane_watch_state> self,
                                              lane_watch_settings settings) {
  auto& state = self->state;
  state.open(self, std::move(settings));
  return {[&state](const look_at_lanes&) { state.look(); }};
}

} // namespace

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings) {
  return rt.spawn_at(0, lane_watch_behavior, std::move(settings));
}

} // namespace roost::actors
