#include "top/advice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace roost::top {

namespace {

constexpr double saturated = 0.85;        ///< of a core
constexpr double long_wait = 0.010;       ///< seconds in a mailbox
constexpr double long_lane_wait = 0.050;  ///< seconds before a lane
constexpr double wasted_when_idle = 0.05; ///< of a core, by a worker without work
constexpr double hardly_any_runs = 50;    ///< a second

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", seconds * 1000);
  return text;
}

bool is_io(const thread_row& thread) { return thread.name.starts_with("io-"); }
bool is_worker(const thread_row& thread) { return thread.name.starts_with("worker-"); }

bool any_saturated(const view& shown, bool (*which)(const thread_row&)) {
  return std::ranges::any_of(shown.threads,
                             [&](const auto& each) { return which(each) && each.processor >= saturated; });
}

void on_threads(const view& shown, std::vector<std::string>& lines) {
  if (any_saturated(shown, is_io))
    lines.push_back("server.io_threads: an I/O thread takes a whole core; raise it if a core is free");
  if (any_saturated(shown, is_worker))
    lines.push_back("scheduler.max_threads: a worker takes a whole core; raise it if a core is free");
  double stalls = 0;
  for (const auto& each : shown.threads) stalls += each.stalls;
  if (stalls > 0)
    lines.push_back("scheduler.slow_run: " + std::to_string(std::lround(stalls)) +
                    " stalls; the log's actor_run_slow and thread_stalled tell where");
}

void on_mailboxes(const view& shown, std::vector<std::string>& lines) {
  const auto slowest =
      std::ranges::max_element(shown.actors, {}, [](const auto& each) { return each.wait.p99.value_or(0); });
  if (slowest == shown.actors.end() || slowest->wait.p99.value_or(0) < long_wait) return;
  const auto what = slowest->type + " messages wait " + milliseconds(*slowest->wait.p99) + " (p99)";
  if (any_saturated(shown, is_io) || any_saturated(shown, is_worker)) return; // more threads, as said above
  const bool pool = std::ranges::any_of(shown.threads, is_worker);
  if (pool && slowest->runs < hardly_any_runs)
    lines.push_back("scheduler.relaxed_sleep_duration: " + what + "; lower it: idle workers wake too late");
  else
    lines.push_back("scheduler.max_throughput: " + what + "; lower it: others' turns are too long");
}

void on_idle_workers(const view& shown, std::vector<std::string>& lines) {
  const auto wasting = std::ranges::find_if(shown.threads, [](const auto& each) {
    return is_worker(each) && each.runs < hardly_any_runs && each.processor > wasted_when_idle;
  });
  if (wasting == shown.threads.end()) return;
  lines.push_back("scheduler.relaxed_sleep_duration: " + wasting->name + " has no work and takes " +
                  percent(wasting->processor) + " of a core; raise it, or lower moderate_poll_attempts");
}

void on_lanes(const view& shown, const change& seen, std::vector<std::string>& lines) {
  const auto lane =
      std::ranges::max_element(shown.lanes, {}, [](const auto& each) { return each.wait.p99.value_or(0); });
  if (lane == shown.lanes.end() || lane->wait.p99.value_or(0) < long_lane_wait) return;
  const auto what = "jobs wait " + milliseconds(*lane->wait.p99) + " (p99) for the lane " + lane->name;
  const bool has_all =
      !seen.now().all("roost_store_lane_jobs_total").empty() &&
      std::ranges::any_of(shown.lanes, [](const auto& each) { return each.name == "reads_and_mail"; });
  lines.push_back(has_all ? "the store's disk or server: " + what + ", which is busy " + percent(lane->busy)
                          : "store.sessions: " + what + "; raise it to 4");
}

void on_limits(const view& shown, const change& seen, std::vector<std::string>& lines) {
  const auto grew = [&](const char* metric, const labels& with) { return seen.growth(metric, with) > 0; };
  if (grew("roost_http_refused_requests_total", {{"listener", "public"}, {"limit", "in_flight"}}))
    lines.push_back("server.max_in_flight: requests are turned away at this limit");
  if (grew("roost_http_refused_connections_total", {{"listener", "public"}}))
    lines.push_back("server.max_connections: connections are turned away at this limit");
  if (grew("roost_password_hashing_refused_total", {}))
    lines.push_back("sessions.hashing_threads: passwords are turned away because too many wait");
  if (shown.asks_timed_out > 0 || shown.asks_refused > 0)
    lines.push_back("server.max_in_flight: asks of actors end without an answer; lower it, the machine has "
                    "too much to do");
}

} // namespace

std::vector<std::string> advice_on(const view& shown, const change& seen) {
  std::vector<std::string> lines;
  on_threads(shown, lines);
  on_mailboxes(shown, lines);
  on_idle_workers(shown, lines);
  on_lanes(shown, seen, lines);
  on_limits(shown, seen, lines);
  return lines;
}

} // namespace roost::top
