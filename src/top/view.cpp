#include "top/view.hpp"

#include "top/advice.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <map>

namespace roost::top {

namespace {

spread spread_of(const change& seen, const std::string& histogram, const labels& with = {}) {
  return {seen.quantile(0.5, histogram, with), seen.quantile(0.99, histogram, with)};
}

/// Merges the requests of all routes below one prefix.
void add_platforms(view& shown, const change& seen) {
  const std::string requests = "roost_http_requests_total";
  std::map<std::string, platform_row> rows;
  for (const auto& each : seen.now().all(requests)) {
    const auto& route = each.of.at("route");
    if (each.of.at("listener") != "public" || route.size() < 2 || route.front() != '/') continue;
    const auto rate = seen.rate(requests, each.of);
    auto& row = rows[route.substr(1, route.find('/', 1) - 1)];
    const bool reads = each.of.at("method") == "GET";
    (reads ? row.reads : row.writes) += rate;
    if (each.of.at("status") >= "400") row.refused += rate;
    if (rate == 0) continue;
    const auto latency =
        spread_of(seen, "roost_http_request_duration_seconds", {{"listener", "public"}, {"route", route}});
    row.latency.p50 = std::max(row.latency.p50, latency.p50);
    row.latency.p99 = std::max(row.latency.p99, latency.p99);
  }
  for (auto& [name, row] : rows) {
    row.name = name;
    shown.platforms.push_back(row);
  }
  std::ranges::stable_sort(
      shown.platforms, [](const auto& a, const auto& b) { return a.reads + a.writes > b.reads + b.writes; });
}

void add_stages(view& shown, const change& seen) {
  const auto stage = [&](const std::string& histogram, const char* name) {
    return spread_of(seen, histogram, {{"stage", name}});
  };
  const labels calendar{{"actor", "unit_calendar"}};
  shown.stages.push_back({"calendars",
                          seen.rate("roost_actor_messages_total", calendar),
                          spread_of(seen, "roost_actor_mailbox_wait_seconds", calendar),
                          spread_of(seen, "roost_actor_run_seconds", calendar),
                          {}});
  const std::string intake = "roost_intake_stage_seconds", decision = "roost_decision_stage_seconds";
  shown.stages.push_back({"submissions",
                          seen.rate(intake + "_count", {{"stage", "committing"}}),
                          stage(intake, "waiting"),
                          {},
                          stage(intake, "committing")});
  shown.stages.push_back({"decisions", seen.rate(decision + "_count", {{"stage", "committing"}}),
                          stage(decision, "waiting"), stage(decision, "deciding"),
                          stage(decision, "committing")});
}

void add_threads(view& shown, const change& seen) {
  for (const auto& name : seen.now().values("roost_thread_cpu_seconds_total", "thread")) {
    const labels thread{{"thread", name}};
    const auto rate = [&](const char* metric) { return seen.rate(metric, thread); };
    shown.threads.push_back({name, rate("roost_thread_cpu_seconds_total"),
                             rate("roost_thread_busy_seconds_total"), rate("roost_scheduler_runs_total"),
                             rate("roost_scheduler_steals_total"),
                             seen.now().sum("roost_scheduler_queue_depth", thread),
                             seen.growth("roost_scheduler_stalls_total", thread)});
  }
  std::ranges::stable_sort(shown.threads,
                           [](const auto& a, const auto& b) { return a.processor > b.processor; });
}

void add_actors(view& shown, const change& seen) {
  for (const auto& name : seen.now().values("roost_actors", "actor")) {
    const labels actor{{"actor", name}};
    shown.actors.push_back({name, seen.now().sum("roost_actors", actor),
                            seen.rate("roost_actor_run_seconds_count", actor),
                            seen.rate("roost_actor_messages_total", actor),
                            seen.now().sum("roost_actor_mailbox_depth_max", actor),
                            spread_of(seen, "roost_actor_run_seconds", actor),
                            spread_of(seen, "roost_actor_mailbox_wait_seconds", actor)});
  }
  std::ranges::stable_sort(shown.actors,
                           [](const auto& a, const auto& b) { return a.messages > b.messages; });
}

void add_lanes(view& shown, const change& seen) {
  for (const auto& name : seen.now().values("roost_store_lane_jobs_total", "lane")) {
    const labels lane{{"lane", name}};
    shown.lanes.push_back({name, seen.rate("roost_store_lane_busy_seconds_total", lane),
                           seen.rate("roost_store_lane_jobs_total", lane),
                           seen.now().sum("roost_store_lane_waiting", lane),
                           spread_of(seen, "roost_store_lane_wait_seconds", lane)});
  }
}

double number_at(const rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found != object.MemberEnd() && found->value.IsNumber() ? found->value.GetDouble() : 0;
}

std::string text_at(const rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found != object.MemberEnd() && found->value.IsString() ? found->value.GetString() : "";
}

std::vector<busy_row> busy_rows(const rapidjson::Document& report, const char* name, double seconds) {
  std::vector<busy_row> rows;
  const auto found = report.FindMember(name);
  if (found == report.MemberEnd() || !found->value.IsArray() || seconds <= 0) return rows;
  for (const auto& each : found->value.GetArray())
    rows.push_back({text_at(each, "id"), text_at(each, "name"), number_at(each, "reads") / seconds,
                    number_at(each, "reserved") / seconds, number_at(each, "refused") / seconds});
  return rows;
}

void add_busiest(view& shown, const std::string& json) {
  rapidjson::Document report;
  report.Parse(json.c_str());
  if (report.HasParseError() || !report.IsObject()) return;
  shown.busiest_seconds = number_at(report, "seconds");
  shown.hot_units = busy_rows(report, "units", shown.busiest_seconds);
  shown.busy_accounts = busy_rows(report, "accounts", shown.busiest_seconds);
}

void add_readiness(view& shown, const std::string& json) {
  rapidjson::Document report;
  report.Parse(json.c_str());
  if (report.HasParseError() || !report.IsObject()) return;
  shown.ready = text_at(report, "status") == "ready";
  const auto checks = report.FindMember("checks");
  if (checks == report.MemberEnd() || !checks->value.IsObject()) return;
  for (const auto& each : checks->value.GetObject())
    if (const std::string why = each.value.IsString() ? each.value.GetString() : ""; why != "ok")
      shown.not_ready.push_back(std::string{each.name.GetString()} + ": " + why);
}

void add_totals(view& shown, const change& seen) {
  const labels open{{"listener", "public"}};
  const std::string requests = "roost_http_requests_total", failed = "roost_ask_failures_total";
  const auto& now = seen.now();
  shown.units = now.sum("roost_units");
  shown.is_writer = now.sum("roost_lease_held") > 0;
  shown.requests = seen.rate(requests, open);
  shown.busy_responses = seen.rate(requests, {{"listener", "public"}, {"status", "503"}});
  shown.failures = seen.rate(requests, {{"listener", "public"}, {"status", "500"}});
  shown.in_flight = now.sum("roost_http_requests_in_flight", open);
  shown.connections = now.sum("roost_http_open_connections", open);
  shown.queue_waiting = now.sum("roost_queue_requests", {{"state", "New"}});
  shown.queue_age = now.sum("roost_queue_run_age_seconds");
  shown.decided = seen.rate("roost_decisions_total");
  shown.refused = seen.rate("roost_decisions_total", {{"outcome", "Failed"}});
  shown.mails_waiting = now.sum("roost_outbox_pending");
  shown.asks = seen.rate("roost_asks_total");
  shown.asks_in_flight = now.sum("roost_asks_in_flight");
  shown.asks_timed_out = seen.growth(failed, {{"reason", "timed_out"}});
  shown.asks_refused = seen.growth(failed, {{"reason", "too_many"}});
}

} // namespace

view view_of(const std::string& server, const reading& before, const reading& now, double seconds) {
  const change seen{before.metrics, now.metrics, seconds};
  view shown;
  shown.server = server;
  shown.seconds = seconds;
  add_readiness(shown, now.readiness);
  add_totals(shown, seen);
  add_platforms(shown, seen);
  add_stages(shown, seen);
  add_threads(shown, seen);
  add_actors(shown, seen);
  add_lanes(shown, seen);
  add_busiest(shown, now.busiest);
  shown.advice = advice_on(shown, seen);
  return shown;
}

} // namespace roost::top
