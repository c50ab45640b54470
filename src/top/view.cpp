#include "top/view.hpp"

#include "json/writer.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <functional>
#include <map>

namespace roost::top {

namespace {

quantiles quantiles_of(const change& delta, const std::string& histogram, const label_set& labels = {}) {
  return {delta.quantile(0.5, histogram, labels), delta.quantile(0.99, histogram, labels)};
}

/// Sums up the routes of each platform; its latency is that of its slowest route.
void add_platforms(view& figures, const change& delta) {
  const std::string requests = "roost_http_requests_total";
  std::map<std::string, platform_row> rows;
  for (const auto& each : delta.now().all(requests)) {
    const auto& route = each.labels.at("route");
    if (each.labels.at("listener") != "public" || route.size() < 2 || route.front() != '/') continue;
    const auto rate = delta.rate(requests, each.labels);
    auto& row = rows[route.substr(1, route.find('/', 1) - 1)];
    const bool reads = each.labels.at("method") == "GET";
    (reads ? row.reads : row.writes) += rate;
    if (each.labels.at("status") >= "400") row.refused += rate;
    if (rate == 0) continue;
    const auto latency = quantiles_of(delta, "roost_http_request_duration_seconds", {{"route", route}});
    row.latency.p50 = std::max(row.latency.p50, latency.p50);
    row.latency.p99 = std::max(row.latency.p99, latency.p99);
  }
  for (auto& [name, row] : rows) {
    row.name = name;
    figures.platforms.push_back(row);
  }
  std::ranges::stable_sort(figures.platforms, std::greater{},
                           [](const auto& each) { return each.reads + each.writes; });
}

void add_stages(view& figures, const change& delta) {
  const auto stage = [&](const std::string& histogram, const char* name) {
    return quantiles_of(delta, histogram, {{"stage", name}});
  };
  const label_set calendar{{"actor", "unit_calendar"}};
  figures.stages.push_back({"calendars",
                            delta.rate("roost_actor_messages_total", calendar),
                            quantiles_of(delta, "roost_actor_mailbox_wait_seconds", calendar),
                            quantiles_of(delta, "roost_actor_run_seconds", calendar),
                            {}});
  const std::string intake = "roost_intake_stage_seconds", decision = "roost_decision_stage_seconds";
  figures.stages.push_back({"submissions",
                            delta.rate(intake + "_count", {{"stage", "committing"}}),
                            stage(intake, "waiting"),
                            {},
                            stage(intake, "committing")});
  figures.stages.push_back({"decisions", delta.rate(decision + "_count", {{"stage", "committing"}}),
                            stage(decision, "waiting"), stage(decision, "deciding"),
                            stage(decision, "committing")});
}

void add_threads(view& figures, const change& delta) {
  for (const auto& name : delta.now().values("roost_thread_cpu_seconds_total", "thread")) {
    const label_set thread{{"thread", name}};
    const auto rate = [&](const char* metric) { return delta.rate(metric, thread); };
    figures.threads.push_back({name, rate("roost_thread_cpu_seconds_total"),
                               rate("roost_thread_busy_seconds_total"), rate("roost_scheduler_runs_total"),
                               rate("roost_scheduler_steals_total"),
                               delta.now().sum("roost_scheduler_queue_depth", thread),
                               delta.growth("roost_scheduler_stalls_total", thread)});
  }
  std::ranges::stable_sort(figures.threads, std::greater{}, &thread_row::cpu);
}

void add_actors(view& figures, const change& delta) {
  for (const auto& name : delta.now().values("roost_actors", "actor")) {
    const label_set actor{{"actor", name}};
    figures.actors.push_back({name, delta.now().sum("roost_actors", actor),
                              delta.rate("roost_actor_run_seconds_count", actor),
                              delta.rate("roost_actor_messages_total", actor),
                              delta.now().sum("roost_actor_mailbox_depth_max", actor),
                              quantiles_of(delta, "roost_actor_run_seconds", actor),
                              quantiles_of(delta, "roost_actor_mailbox_wait_seconds", actor)});
  }
  std::ranges::stable_sort(figures.actors, std::greater{}, &actor_row::messages);
}

void add_lanes(view& figures, const change& delta) {
  for (const auto& name : delta.now().values("roost_store_lane_jobs_total", "lane")) {
    const label_set lane{{"lane", name}};
    figures.lanes.push_back({name, delta.rate("roost_store_lane_busy_seconds_total", lane),
                             delta.rate("roost_store_lane_jobs_total", lane),
                             delta.now().sum("roost_store_lane_waiting", lane),
                             quantiles_of(delta, "roost_store_lane_wait_seconds", lane)});
  }
}

double number_at(const rapidjson::Value& object, const char* name) {
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsNumber() ? member->value.GetDouble() : 0;
}

std::string text_at(const rapidjson::Value& object, const char* name) {
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsString() ? member->value.GetString() : "";
}

std::vector<hot_row> hot_rows(const rapidjson::Document& report, const char* name, double seconds) {
  std::vector<hot_row> rows;
  const auto member = report.FindMember(name);
  if (member == report.MemberEnd() || !member->value.IsArray() || seconds <= 0) return rows;
  for (const auto& each : member->value.GetArray())
    rows.push_back({text_at(each, "id"), text_at(each, "name"), number_at(each, "reads") / seconds,
                    number_at(each, "reserved") / seconds, number_at(each, "refused") / seconds});
  return rows;
}

/// Parses a JSON object; returns an empty one for any other text.
rapidjson::Document object_in(const std::string& json) {
  rapidjson::Document object;
  object.Parse(json.c_str());
  if (object.HasParseError() || !object.IsObject()) object.SetObject();
  return object;
}

void add_busiest(view& figures, const std::string& json) {
  const auto report = object_in(json);
  figures.busiest_seconds = number_at(report, "seconds");
  figures.hot_units = hot_rows(report, "units", figures.busiest_seconds);
  figures.hot_accounts = hot_rows(report, "accounts", figures.busiest_seconds);
}

void add_readiness(view& figures, const std::string& json) {
  const auto report = object_in(json);
  figures.ready = text_at(report, "status") == "ready";
  const auto checks = report.FindMember("checks");
  if (checks == report.MemberEnd() || !checks->value.IsObject()) return;
  for (const auto& each : checks->value.GetObject())
    if (const std::string state = each.value.IsString() ? each.value.GetString() : ""; state != "ok")
      figures.not_ready.push_back(std::string{each.name.GetString()} + ": " + state);
}

void add_totals(view& figures, const change& delta) {
  const label_set is_public{{"listener", "public"}};
  const std::string requests = "roost_http_requests_total", failed = "roost_ask_failures_total";
  const auto& now = delta.now();
  figures.units = now.sum("roost_units");
  figures.is_writer = now.sum("roost_lease_held") > 0;
  figures.requests = delta.rate(requests, is_public);
  figures.busy_responses = delta.rate(requests, {{"listener", "public"}, {"status", "503"}});
  figures.failures = delta.rate(requests, {{"listener", "public"}, {"status", "500"}});
  figures.in_flight = now.sum("roost_http_requests_in_flight", is_public);
  figures.connections = now.sum("roost_http_open_connections", is_public);
  figures.queue_waiting = now.sum("roost_queue_requests", {{"state", "New"}});
  figures.queue_age = now.sum("roost_queue_run_age_seconds");
  figures.decided = delta.rate("roost_decisions_total");
  figures.refused = delta.rate("roost_decisions_total", {{"outcome", "Failed"}});
  figures.mails_waiting = now.sum("roost_outbox_pending");
  figures.asks = delta.rate("roost_asks_total");
  figures.asks_in_flight = now.sum("roost_asks_in_flight");
  figures.asks_timed_out = delta.growth(failed, {{"reason", "timed_out"}});
  figures.asks_refused = delta.growth(failed, {{"reason", "too_many"}});
}

using writer = json::writer;

template <std::size_t Size>
void write_texts(writer& json, const char (&name)[Size], const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array();
  for (const auto& each : texts) json.value(each);
  json.end_array();
}

/// Writes the quantiles in milliseconds, without those that are nullopt.
template <std::size_t Size>
void write_quantiles(writer& json, const char (&name)[Size], const quantiles& times) {
  json.key(name);
  json.begin_object();
  if (times.p50) json.field("p50_ms", *times.p50 * 1000);
  if (times.p99) json.field("p99_ms", *times.p99 * 1000);
  json.end_object();
}

template <std::size_t Size, typename Row, typename Write>
void write_rows(writer& json, const char (&name)[Size], const std::vector<Row>& rows, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& each : rows) {
    json.begin_object();
    write(each);
    json.end_object();
  }
  json.end_array();
}

template <std::size_t Size>
void write_hot_rows(writer& json, const char (&name)[Size], const std::vector<hot_row>& rows) {
  write_rows(json, name, rows, [&](const hot_row& each) {
    json.field("id", each.id);
    json.field("name", each.name);
    json.field("reads_per_s", each.reads);
    json.field("reserved_per_s", each.reserved);
    json.field("refused_per_s", each.refused);
  });
}

void write_totals(writer& json, const view& figures) {
  json.field("server", figures.server);
  json.field("seconds", figures.seconds);
  json.field("ready", figures.ready);
  write_texts(json, "not_ready", figures.not_ready);
  json.field("writer", figures.is_writer);
  json.field("units", figures.units);
  json.field("requests_per_s", figures.requests);
  json.field("in_flight", figures.in_flight);
  json.field("connections", figures.connections);
  json.field("answers_503_per_s", figures.busy_responses);
  json.field("answers_500_per_s", figures.failures);
  json.key("queue");
  json.begin_object();
  json.field("waiting", figures.queue_waiting);
  json.field("moved_s_ago", figures.queue_age);
  json.field("decided_per_s", figures.decided);
  json.field("refused_per_s", figures.refused);
  json.end_object();
  json.field("mails_waiting", figures.mails_waiting);
  json.key("asks");
  json.begin_object();
  json.field("per_s", figures.asks);
  json.field("in_flight", figures.asks_in_flight);
  json.field("timed_out", figures.asks_timed_out);
  json.field("refused", figures.asks_refused);
  json.end_object();
}

void write_scheduler(writer& json, const view& figures) {
  write_rows(json, "threads", figures.threads, [&](const thread_row& each) {
    json.field("name", each.name);
    json.field("cpu", each.cpu);
    json.field("in_actors", each.busy);
    json.field("turns_per_s", each.runs);
    json.field("steals_per_s", each.steals);
    json.field("queue", each.queue);
    json.field("stalls", each.stalls);
  });
  write_rows(json, "actors", figures.actors, [&](const actor_row& each) {
    json.field("type", each.type);
    json.field("alive", each.alive);
    json.field("runs_per_s", each.runs);
    json.field("messages_per_s", each.messages);
    json.field("deepest_mailbox", each.max_depth);
    write_quantiles(json, "run", each.run);
    write_quantiles(json, "wait", each.wait);
  });
  write_rows(json, "lanes", figures.lanes, [&](const lane_row& each) {
    json.field("name", each.name);
    json.field("busy", each.busy);
    json.field("jobs_per_s", each.jobs);
    json.field("waiting", each.waiting);
    write_quantiles(json, "wait", each.wait);
  });
}

void write_traffic(writer& json, const view& figures) {
  write_rows(json, "platforms", figures.platforms, [&](const platform_row& each) {
    json.field("name", each.name);
    json.field("reads_per_s", each.reads);
    json.field("writes_per_s", each.writes);
    json.field("refused_per_s", each.refused);
    write_quantiles(json, "latency", each.latency);
  });
  write_rows(json, "latencies", figures.stages, [&](const stage_row& each) {
    json.field("of", each.name);
    json.field("per_s", each.rate);
    write_quantiles(json, "waiting", each.waiting);
    write_quantiles(json, "deciding", each.deciding);
    write_quantiles(json, "committing", each.committing);
  });
  json.field("busiest_seconds", figures.busiest_seconds);
  write_hot_rows(json, "busiest_units", figures.hot_units);
  write_hot_rows(json, "busiest_accounts", figures.hot_accounts);
}

} // namespace

view view_of(const std::string& server, const reading& before, const reading& now, double seconds) {
  const change delta{before.metrics, now.metrics, seconds};
  view figures;
  figures.server = server;
  figures.seconds = seconds;
  add_readiness(figures, now.readiness);
  add_totals(figures, delta);
  add_platforms(figures, delta);
  add_stages(figures, delta);
  add_threads(figures, delta);
  add_actors(figures, delta);
  add_lanes(figures, delta);
  add_busiest(figures, now.busiest);
  figures.advice = advice_on(figures, delta);
  return figures;
}

std::string to_json(const view& figures) {
  writer json;
  json.begin_object();
  write_totals(json, figures);
  write_traffic(json, figures);
  write_scheduler(json, figures);
  write_texts(json, "turn", figures.advice);
  json.end_object();
  return std::string{json.text()};
}

} // namespace roost::top
