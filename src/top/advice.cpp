#include "top/view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace roost::top {

namespace {

constexpr double saturated = 0.85;        ///< share of a core
constexpr double long_wait = 0.010;       ///< seconds in a mailbox
constexpr double long_lane_wait = 0.050;  ///< seconds in a lane's queue
constexpr double wasted_when_idle = 0.05; ///< share of a core used by an idle worker
constexpr double few_runs = 50;           ///< per second

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", seconds * 1000);
  return text;
}

bool is_io(const thread_row& thread) { return thread.name.starts_with("io-"); }
bool is_worker(const thread_row& thread) { return thread.name.starts_with("worker-"); }

bool any_saturated(const view& figures, bool (*is_kind)(const thread_row&)) {
  return std::ranges::any_of(figures.threads,
                             [&](const auto& each) { return is_kind(each) && each.cpu >= saturated; });
}

void advise_on_threads(const view& figures, std::vector<std::string>& lines) {
  if (any_saturated(figures, is_io))
    lines.push_back("server.io_threads: an I/O thread uses a whole core; raise it if a core is free");
  if (any_saturated(figures, is_worker))
    lines.push_back("scheduler.max_threads: a worker uses a whole core; raise it if a core is free");
  double stalls = 0;
  for (const auto& each : figures.threads) stalls += each.stalls;
  if (stalls > 0)
    lines.push_back("scheduler.slow_run: " + std::to_string(std::lround(stalls)) +
                    " stalls; see actor_run_slow and thread_stalled in the log");
}

void advise_on_mailboxes(const view& figures, std::vector<std::string>& lines) {
  const auto slowest = std::ranges::max_element(figures.actors, {},
                                                [](const auto& each) { return each.wait.p99.value_or(0); });
  if (slowest == figures.actors.end() || slowest->wait.p99.value_or(0) < long_wait) return;
  const auto finding = slowest->type + " messages wait " + milliseconds(*slowest->wait.p99) + " (p99)";
  if (any_saturated(figures, is_io) || any_saturated(figures, is_worker))
    return; // more threads, see advise_on_threads()
  const bool pool = std::ranges::any_of(figures.threads, is_worker);
  if (pool && slowest->runs < few_runs)
    lines.push_back("scheduler.relaxed_sleep_duration: " + finding +
                    "; lower it, because idle workers wake up too late");
  else
    lines.push_back("scheduler.max_throughput: " + finding +
                    "; lower it, because other actors' runs are too long");
}

void advise_on_idle_workers(const view& figures, std::vector<std::string>& lines) {
  const auto wasting = std::ranges::find_if(figures.threads, [](const auto& each) {
    return is_worker(each) && each.runs < few_runs && each.cpu > wasted_when_idle;
  });
  if (wasting == figures.threads.end()) return;
  lines.push_back("scheduler.relaxed_sleep_duration: " + wasting->name + " is idle and uses " +
                  percent(wasting->cpu) + " of a core; raise it, or lower moderate_poll_attempts");
}

void advise_on_lanes(const view& figures, const change& delta, std::vector<std::string>& lines) {
  const auto lane =
      std::ranges::max_element(figures.lanes, {}, [](const auto& each) { return each.wait.p99.value_or(0); });
  if (lane == figures.lanes.end() || lane->wait.p99.value_or(0) < long_lane_wait) return;
  const auto finding = "jobs wait " + milliseconds(*lane->wait.p99) + " (p99) for lane " + lane->name;
  const bool has_all_lanes =
      !delta.now().all("roost_store_lane_jobs_total").empty() &&
      std::ranges::any_of(figures.lanes, [](const auto& each) { return each.name == "reads_and_mail"; });
  lines.push_back(has_all_lanes
                      ? "the store's disk or server: " + finding + ", which is busy " + percent(lane->busy)
                      : "store.sessions: " + finding + "; raise it to 4");
}

void advise_on_limits(const view& figures, const change& delta, std::vector<std::string>& lines) {
  const auto grew = [&](const char* metric, const label_set& labels) {
    return delta.growth(metric, labels) > 0;
  };
  if (grew("roost_http_refused_requests_total", {{"listener", "public"}, {"limit", "in_flight"}}))
    lines.push_back("server.max_in_flight: requests are rejected at this limit");
  if (grew("roost_http_refused_requests_total", {{"listener", "public"}, {"limit", "waiting"}}))
    lines.push_back("server.max_waiting: requests that wait are rejected at this limit");
  if (grew("roost_http_refused_connections_total", {{"listener", "public"}}))
    lines.push_back("server.max_connections: connections are rejected at this limit");
  if (grew("roost_password_hashing_refused_total", {}))
    lines.push_back("sessions.hashing_threads: password checks are rejected because the queue is full");
  if (figures.asks_timed_out > 0 || figures.asks_refused > 0)
    lines.push_back(
        "server.max_in_flight: asks time out or are refused; lower it, because the machine is overloaded");
}

} // namespace

std::vector<std::string> advice_on(const view& figures, const change& delta) {
  std::vector<std::string> lines;
  advise_on_threads(figures, lines);
  advise_on_mailboxes(figures, lines);
  advise_on_idle_workers(figures, lines);
  advise_on_lanes(figures, delta, lines);
  advise_on_limits(figures, delta, lines);
  return lines;
}

} // namespace roost::top
