#include "figures.hpp"

#include "histogram.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <map>

namespace roost::contention {

namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

constexpr std::size_t max_shown_operations = 120;   ///< of the busiest unit
constexpr std::int64_t timeline_step = 100'000'000; ///< ns

double milliseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::int64_t to_nanoseconds(clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

const char* to_string(outcome result) {
  switch (result) {
  case outcome::booked:
    return "booked";
  case outcome::refused:
    return "refused";
  case outcome::failed:
    return "failed";
  case outcome::unknown:
    return "unknown";
  }
  return "";
}

void write(writer& json, const char* key, double value) {
  json.Key(key);
  json.Double(value);
}

void write(writer& json, const char* key, std::uint64_t value) {
  json.Key(key);
  json.Uint64(value);
}

void write(writer& json, const char* key, const std::string& value) {
  json.Key(key);
  json.String(value.c_str());
}

void write(writer& json, const char* key, bool value) {
  json.Key(key);
  json.Bool(value);
}

/// The decisions returned within the measured time, and the latency of requests due in it, whenever they
/// returned: a stalled strategy loses in both.
class measurement {
public:
  measurement(const load_result& load, const load_options& options)
      : from_(to_nanoseconds(options.warm_up)), until_(from_ + to_nanoseconds(options.duration)) {
    for (const auto& each : load.operations) add(each);
    seconds_ = static_cast<double>((load.cut_short ? last_ : until_) - from_) / 1e9;
  }

  std::uint64_t decisions() const { return decisions_; }
  std::uint64_t decisions_after_warm_up() const { return after_warm_up_; }
  double per_second() const { return seconds_ > 0 ? static_cast<double>(decisions()) / seconds_ : 0; }

  void write_times(writer& json) const {
    write_percentiles(json, "latency_ms", total_);
    write_percentiles(json, "waiting_ms", waiting_);
    write_percentiles(json, "deciding_ms", deciding_);
    write_percentiles(json, "committing_ms", committing_);
    json.Key("curve");
    json.StartArray();
    std::uint64_t seen = 0;
    for (const auto& [value, count] : total_.filled()) {
      seen += count;
      json.StartArray();
      json.Double(100.0 * static_cast<double>(seen) / static_cast<double>(total_.total()));
      json.Double(milliseconds(value));
      json.EndArray();
    }
    json.EndArray();
  }

private:
  void add(const operation& each) {
    after_warm_up_ += each.returned >= from_;
    if (each.result == outcome::failed || each.result == outcome::unknown) return;
    if (each.returned >= from_ && each.returned <= until_) {
      ++decisions_;
      last_ = std::max(last_, each.returned);
    }
    if (each.intended < from_) return;
    total_.record(each.returned - each.intended);
    waiting_.record(to_nanoseconds(each.time.waiting));
    deciding_.record(to_nanoseconds(each.time.deciding));
    committing_.record(to_nanoseconds(each.time.committing));
  }

  static void write_percentiles(writer& json, const char* key, const histogram& values) {
    json.Key(key);
    json.StartObject();
    for (const auto& [name, percent] :
         {std::pair{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p99_9", 99.9}})
      write(json, name, milliseconds(values.percentile(percent)));
    write(json, "max", milliseconds(values.max()));
    json.EndObject();
  }

  const std::int64_t from_, until_;
  std::int64_t last_ = 0;
  double seconds_ = 0;
  std::uint64_t decisions_ = 0, after_warm_up_ = 0;
  histogram total_, waiting_, deciding_, committing_;
};

void write_operation(writer& json, const operation& each) {
  json.StartObject();
  write(json, "number", each.request.number);
  write(json, "client", std::uint64_t{each.client});
  write(json, "check_in", domain::to_string(each.request.check_in));
  write(json, "check_out", domain::to_string(each.request.check_out));
  write(json, "intended_ms", milliseconds(each.intended));
  write(json, "invoked_ms", milliseconds(each.invoked));
  write(json, "returned_ms", milliseconds(each.returned));
  write(json, "result", std::string(to_string(each.result)));
  json.EndObject();
}

/// Writes operations of the busiest unit, around the one that took longest.
void write_hot_unit(writer& json, const history& operations) {
  std::map<std::uint32_t, std::vector<const operation*>> units;
  for (const auto& each : operations) units[each.request.unit].push_back(&each);
  json.Key("hot_unit");
  if (units.empty()) {
    json.Null();
    return;
  }
  auto& [unit, of_unit] =
      *std::ranges::max_element(units, {}, [](const auto& each) { return each.second.size(); });
  std::ranges::sort(of_unit, {}, &operation::invoked);
  const auto longest = std::ranges::max_element(
      of_unit, {}, [](const operation* each) { return each->returned - each->invoked; });
  const auto index = static_cast<std::size_t>(longest - of_unit.begin());
  const auto end = std::min(of_unit.size(), std::max(index + max_shown_operations / 2, max_shown_operations));
  const auto begin = end > max_shown_operations ? end - max_shown_operations : 0;
  json.StartObject();
  write(json, "unit", std::uint64_t{unit});
  write(json, "operations", std::uint64_t{of_unit.size()});
  json.Key("history");
  json.StartArray();
  for (auto i = begin; i < end; ++i) write_operation(json, *of_unit[i]);
  json.EndArray();
  json.EndObject();
}

/// Writes the number of decisions in each tenth of a second.
void write_timeline(writer& json, const history& operations) {
  std::vector<std::uint64_t> steps;
  for (const auto& each : operations) {
    if (each.result == outcome::failed || each.result == outcome::unknown) continue;
    const auto step = static_cast<std::size_t>(each.returned / timeline_step);
    if (steps.size() <= step) steps.resize(step + 1);
    ++steps[step];
  }
  json.Key("timeline");
  json.StartArray();
  for (const auto step : steps) json.Uint64(step);
  json.EndArray();
}

void write_verdict(writer& json, const verdict& verdict) {
  json.Key("verdict");
  json.StartObject();
  write(json, "correct", verdict.is_correct());
  write(json, "operations", verdict.operations);
  write(json, "booked", verdict.booked);
  write(json, "refused", verdict.refused);
  write(json, "failed", verdict.failed);
  write(json, "unknown", verdict.unknown);
  write(json, "unknown_booked", verdict.unknown_booked);
  write(json, "double_bookings", verdict.double_bookings);
  write(json, "lost", verdict.lost);
  write(json, "unexpected", verdict.unexpected);
  write(json, "groundless_refusals", verdict.groundless_refusals);
  if (verdict.shortest) {
    write(json, "fault", std::string(to_string(verdict.shortest->kind)));
    write(json, "history", to_text(*verdict.shortest));
  }
  json.EndObject();
}

void write_processor(writer& json, const processor_time& used, std::uint64_t decisions) {
  const auto write_per_decision = [&](const char* key, double seconds) {
    write(json, key, decisions > 0 ? std::max(0.0, seconds) * 1e6 / static_cast<double>(decisions) : 0.0);
  };
  json.Key("cpu_us");
  json.StartObject();
  write_per_decision("client", used.clients);
  write_per_decision("server", used.server);
  write_per_decision("database", used.database);
  json.EndObject();
}

} // namespace

std::string to_json(const load_result& load, const load_options& options, const verdict& verdict) {
  const measurement measured(load, options);
  rapidjson::StringBuffer buffer;
  writer json(buffer);
  json.SetMaxDecimalPlaces(4);
  json.StartObject();
  write(json, "decisions", measured.decisions());
  write(json, "decisions_per_s", measured.per_second());
  write(json, "cut_short", load.cut_short);
  measured.write_times(json);
  write(json, "conflicts", load.totals.conflicts);
  write(json, "deadlocks", load.totals.deadlocks);
  write(json, "retries", load.totals.retries);
  write(json, "errors", load.totals.errors);
  write_processor(json, load.used, measured.decisions_after_warm_up());
  write_verdict(json, verdict);
  write(json, "started_ns", static_cast<std::uint64_t>(to_nanoseconds(load.started.time_since_epoch())));
  write_timeline(json, load.operations);
  write_hot_unit(json, load.operations);
  json.EndObject();
  return buffer.GetString();
}

std::string to_text(const violation& violation) {
  std::string text = std::string(to_string(violation.kind)) + " of unit " + std::to_string(violation.unit);
  for (const auto& each : violation.operations) {
    char line[160];
    std::snprintf(line, sizeof line, "\n  client %3u  %10.3f ms to %10.3f ms  nights %s to %s  %s",
                  each.client, milliseconds(each.invoked), milliseconds(each.returned),
                  domain::to_string(each.request.check_in).c_str(),
                  domain::to_string(each.request.check_out).c_str(), to_string(each.result));
    text += line;
  }
  return text;
}

} // namespace roost::contention
