#include "service/conversions.hpp"

#include "log/log.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>

namespace roost {

namespace {

/// Defaults to half of the cores: the database and the clients need the others. Measured on two cores, one
/// I/O thread is as fast as two.
std::size_t io_thread_count(unsigned configured) {
  if (configured > 0) return configured;
  return std::max(1U, std::thread::hardware_concurrency() / 2);
}

/// By config::scheduler_policy.
constexpr std::array<const char*, 3> policy_names{"asio", "stealing", "sharing"};

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

} // namespace

actors::scheduler_knobs to_knobs(const config::settings& from) {
  const auto& knobs = from.scheduler;
  return {.policy = policy_names[static_cast<std::size_t>(knobs.policy)],
          .io_threads = io_thread_count(from.server.io_threads),
          .max_threads = knobs.max_threads,
          .max_throughput = knobs.max_throughput,
          .aggressive_poll_attempts = knobs.aggressive_poll_attempts,
          .aggressive_steal_interval = knobs.aggressive_steal_interval,
          .moderate_poll_attempts = knobs.moderate_poll_attempts,
          .moderate_steal_interval = knobs.moderate_steal_interval,
          .moderate_sleep_duration = knobs.moderate_sleep_duration,
          .relaxed_steal_interval = knobs.relaxed_steal_interval,
          .relaxed_sleep_duration = knobs.relaxed_sleep_duration};
}

http::settings to_public_listener(const config::settings& from) {
  http::settings to;
  to.listen = config::to_string(from.server.listen);
  to.tls_certificate = from.server.tls_certificate.string();
  to.tls_key = from.server.tls_key.string();
  to.https_only = from.server.base_url.starts_with("https:");
  to.trusted_proxies = from.server.trusted_proxies;
  to.max_in_flight = from.server.max_in_flight;
  to.max_waiting = from.server.max_waiting;
  to.max_bodies_per_prefix = from.server.max_bodies_per_platform;
  to.max_bodies_per_address = from.server.max_bodies_per_address;
  to.max_connections = from.server.max_connections;
  to.header_timeout = from.server.header_timeout;
  to.body_timeout = from.server.body_timeout;
  to.idle_timeout = from.server.idle_timeout;
  return to;
}

http::settings to_ops_listener(const config::settings& from) {
  http::settings to;
  to.name = "ops";
  to.listen = config::to_string(from.ops.listen);
  return to;
}

std::unique_ptr<mail::transport> to_transport(const config::mail_settings& from) {
  const auto& transport = from.transport;
  if (transport.kind == config::mail_transport::protocol::file)
    return mail::file_transport(transport.folder, from.from);
  mail::smtp_server server;
  server.host = transport.host;
  server.port = transport.port;
  server.implicit_tls = transport.kind == config::mail_transport::protocol::smtps;
  server.opportunistic_tls = from.opportunistic_tls;
  server.user = transport.user;
  server.password = transport.password;
  return mail::smtp_transport(std::move(server), from.from);
}

security::password_cost to_password_cost(const config::sessions_settings& from) {
  return {from.password_memory, from.password_passes, from.password_lanes};
}

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
  log::set_level(settings.log.level);
  log::set_format(settings.log.format);
}

} // namespace roost
