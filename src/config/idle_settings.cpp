#include "config/idle_settings.hpp"

#include <string_view>

namespace roost::config {

std::vector<idle_setting> idle_settings(const scheduler_settings& chosen,
                                        const scheduler_settings& defaults) {
  using part = scheduler_settings;
  std::vector<idle_setting> found;
  const auto look = [&](std::string_view key, auto part::*member, std::string_view reason) {
    if (chosen.*member != defaults.*member)
      found.push_back({"scheduler." + std::string(key), std::string(reason)});
  };
  if (chosen.policy == scheduler_policy::stealing) return found;
  if (chosen.policy == scheduler_policy::asio)
    look("max_threads", &part::max_threads, "policy asio runs actors on server.io_threads");
  const std::string_view why = "only policy stealing uses it";
  look("aggressive_poll_attempts", &part::aggressive_poll_attempts, why);
  look("aggressive_steal_interval", &part::aggressive_steal_interval, why);
  look("moderate_poll_attempts", &part::moderate_poll_attempts, why);
  look("moderate_steal_interval", &part::moderate_steal_interval, why);
  look("moderate_sleep_duration", &part::moderate_sleep_duration, why);
  look("relaxed_steal_interval", &part::relaxed_steal_interval, why);
  look("relaxed_sleep_duration", &part::relaxed_sleep_duration, why);
  return found;
}

} // namespace roost::config
