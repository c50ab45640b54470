#include "service/live_settings.hpp"

#include "log/log.hpp"
#include "service/conversions.hpp"
#include "service/foundation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roost {

namespace {

using policy = config::scheduler_policy;

constexpr std::array<std::string_view, 3> always_live{"log.level", "metrics.actors", "scheduler.slow_run"};
constexpr std::array<std::string_view, 1> live_with_asio{"scheduler.max_throughput"};
constexpr std::array<std::string_view, 7> live_with_stealing{
    "scheduler.aggressive_poll_attempts", "scheduler.aggressive_steal_interval",
    "scheduler.moderate_poll_attempts",   "scheduler.moderate_steal_interval",
    "scheduler.moderate_sleep_duration",  "scheduler.relaxed_steal_interval",
    "scheduler.relaxed_sleep_duration"};

log::level to_level(config::log_level from) {
  switch (from) {
  case config::log_level::debug:
    return log::level::debug;
  case config::log_level::info:
    return log::level::info;
  case config::log_level::warn:
    return log::level::warn;
  case config::log_level::error:
    return log::level::error;
  }
  return log::level::info;
}

} // namespace

bool is_live(const std::string& key, const config::settings& settings) {
  const auto is_in = [&](const auto& names) { return std::ranges::find(names, key) != names.end(); };
  return is_in(always_live) || (settings.scheduler.policy == policy::asio && is_in(live_with_asio)) ||
         (settings.scheduler.policy == policy::stealing && is_in(live_with_stealing));
}

void apply_live(foundation& base, const config::settings& settings) {
  log::set_level(to_level(settings.log.level));
  actors::meter::set_measuring(settings.metrics.actors);
  base.runtime->watch_runs(settings.scheduler.slow_run);
  base.runtime->retune(to_knobs(settings));
}

} // namespace roost
