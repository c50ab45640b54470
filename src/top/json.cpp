#include "json/writer.hpp"
#include "top/view.hpp"

namespace roost::top {

namespace {

using writer = json::writer;

/// In milliseconds; a member is left out where nothing happened.
template <std::size_t Size>
void member(writer& json, const char (&name)[Size], const spread& times) {
  json.key(name);
  json.begin_object();
  if (times.p50) json.field("p50_ms", *times.p50 * 1000);
  if (times.p99) json.field("p99_ms", *times.p99 * 1000);
  json.end_object();
}

template <typename Row, typename Write>
void rows(writer& json, const std::vector<Row>& all, Write write) {
  json.begin_array();
  for (const auto& each : all) {
    json.begin_object();
    write(each);
    json.end_object();
  }
  json.end_array();
}

void busy(writer& json, const std::vector<busy_row>& all) {
  rows(json, all, [&](const busy_row& each) {
    json.field("id", each.id);
    json.field("name", each.name);
    json.field("reads_per_s", each.reads);
    json.field("reserved_per_s", each.reserved);
    json.field("refused_per_s", each.refused);
  });
}

void write_totals(writer& json, const view& shown) {
  json.field("server", shown.server);
  json.field("seconds", shown.seconds);
  json.field("ready", shown.ready);
  json.key("not_ready");
  json.begin_array();
  for (const auto& why : shown.not_ready) json.value(why);
  json.end_array();
  json.field("writer", shown.is_writer);
  json.field("units", shown.units);
  json.field("requests_per_s", shown.requests);
  json.field("in_flight", shown.in_flight);
  json.field("connections", shown.connections);
  json.field("answers_503_per_s", shown.busy_responses);
  json.field("answers_500_per_s", shown.failures);
  json.key("queue");
  json.begin_object();
  json.field("waiting", shown.queue_waiting);
  json.field("moved_s_ago", shown.queue_age);
  json.field("decided_per_s", shown.decided);
  json.field("refused_per_s", shown.refused);
  json.end_object();
  json.field("mails_waiting", shown.mails_waiting);
  json.key("asks");
  json.begin_object();
  json.field("per_s", shown.asks);
  json.field("in_flight", shown.asks_in_flight);
  json.field("timed_out", shown.asks_timed_out);
  json.field("refused", shown.asks_refused);
  json.end_object();
}

void write_scheduler(writer& json, const view& shown) {
  json.key("threads");
  rows(json, shown.threads, [&](const thread_row& each) {
    json.field("name", each.name);
    json.field("cpu", each.processor);
    json.field("in_actors", each.busy);
    json.field("turns_per_s", each.runs);
    json.field("steals_per_s", each.steals);
    json.field("queue", each.queue);
    json.field("stalls", each.stalls);
  });
  json.key("actors");
  rows(json, shown.actors, [&](const actor_row& each) {
    json.field("type", each.type);
    json.field("alive", each.alive);
    json.field("runs_per_s", each.runs);
    json.field("messages_per_s", each.messages);
    json.field("deepest_mailbox", each.deepest);
    member(json, "run", each.run);
    member(json, "wait", each.wait);
  });
  json.key("lanes");
  rows(json, shown.lanes, [&](const lane_row& each) {
    json.field("name", each.name);
    json.field("busy", each.busy);
    json.field("jobs_per_s", each.jobs);
    json.field("waiting", each.waiting);
    member(json, "wait", each.wait);
  });
}

void write_traffic(writer& json, const view& shown) {
  json.key("platforms");
  rows(json, shown.platforms, [&](const platform_row& each) {
    json.field("name", each.name);
    json.field("reads_per_s", each.reads);
    json.field("writes_per_s", each.writes);
    json.field("refused_per_s", each.refused);
    member(json, "latency", each.latency);
  });
  json.key("latencies");
  rows(json, shown.stages, [&](const stage_row& each) {
    json.field("of", each.of);
    json.field("per_s", each.rate);
    member(json, "waiting", each.waiting);
    member(json, "deciding", each.deciding);
    member(json, "committing", each.committing);
  });
  json.field("busiest_seconds", shown.busiest_seconds);
  json.key("busiest_units");
  busy(json, shown.hot_units);
  json.key("busiest_accounts");
  busy(json, shown.busy_accounts);
}

} // namespace

std::string to_json(const view& shown) {
  writer json;
  json.begin_object();
  write_totals(json, shown);
  write_traffic(json, shown);
  write_scheduler(json, shown);
  json.key("turn");
  json.begin_array();
  for (const auto& each : shown.advice) json.value(each);
  json.end_array();
  json.end_object();
  return std::string{json.text()};
}

} // namespace roost::top
