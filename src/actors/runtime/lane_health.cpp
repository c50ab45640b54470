#include "actors/runtime/lane_health.hpp"

#include "log/log.hpp"

namespace roost::actors {

void lane_health::answered() {
  heard_ = clock::now();
  in_doubt_ = false;
  if (!why_lost_.get()) return;
  why_lost_.set(nullptr);
  log::info("store_lane_back", {{"lane", name_}});
}

void lane_health::lost(const std::string& why) {
  in_doubt_ = true;
  if (!why_lost_.get()) log::warn("store_lane_lost", {{"lane", name_}, {"what", why}});
  why_lost_.set(std::make_shared<const std::string>(why));
}

std::optional<std::string> lane_health::why_lost() const {
  const auto why = why_lost_.get();
  if (!why) return std::nullopt;
  return *why;
}

} // namespace roost::actors
