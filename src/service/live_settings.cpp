#include "service/live_settings.hpp"

#include "log/log.hpp"
#include "service/conversions.hpp"
#include "service/service_context.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roost {

namespace {

using policy = config::scheduler_policy;

constexpr std::array<std::string_view, 4> always_live{"log.level", "log.format", "metrics.actors",
                                                      "scheduler.slow_run"};
constexpr std::array<std::string_view, 2> live_with_tls{"server.tls_certificate", "server.tls_key"};
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

bool is_live(const std::string& key, const config::settings& started, const config::settings& reloaded) {
  const auto is_in = [&](const auto& names) { return std::ranges::find(names, key) != names.end(); };
  const auto has_tls = [](const config::settings& settings) {
    return !settings.server.tls_certificate.empty();
  };
  return is_in(always_live) || (started.scheduler.policy == policy::asio && is_in(live_with_asio)) ||
         (started.scheduler.policy == policy::stealing && is_in(live_with_stealing)) ||
         (has_tls(started) && has_tls(reloaded) && is_in(live_with_tls));
}

void apply_log(const config::settings& settings) {
  log::set_level(to_level(settings.log.level));
  log::set_format(settings.log.format == config::log_format::json ? log::format::json : log::format::text);
}

void apply_live(service_context& base, const config::settings& settings) {
  apply_log(settings);
  actors::meter::set_measuring(settings.metrics.actors);
  base.runtime->watch_runs(settings.scheduler.slow_run);
  base.runtime->retune(to_knobs(settings));
}

} // namespace roost
