#include "figures.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <map>

namespace roost::contention {

namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

constexpr std::size_t shown_operations = 120;       ///< of the busiest unit
constexpr std::int64_t timeline_step = 100'000'000; ///< ns

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

std::int64_t count_of(clock::duration time) {
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

void write(writer& to, const char* key, double value) {
  to.Key(key);
  to.Double(value);
}

void write(writer& to, const char* key, std::uint64_t value) {
  to.Key(key);
  to.Uint64(value);
}

void write(writer& to, const char* key, const std::string& value) {
  to.Key(key);
  to.String(value.c_str());
}

void write(writer& to, const char* key, bool value) {
  to.Key(key);
  to.Bool(value);
}

/// The decisions that came in the measured time, and how long those took that were asked for in it, whenever
/// they came: a strategy that stands still loses in both.
class measured {
public:
  measured(const load_result& load, const load_options& options)
      : from_(count_of(options.warm_up)), until_(from_ + count_of(options.duration)) {
    for (const auto& each : load.operations) take(each);
    seconds_ = static_cast<double>((load.cut_short ? last_ : until_) - from_) / 1e9;
  }

  std::uint64_t decisions() const { return decisions_; }
  std::uint64_t decisions_for_processor() const { return after_warm_up_; }
  double per_second() const { return seconds_ > 0 ? static_cast<double>(decisions()) / seconds_ : 0; }

  void write_times(writer& to) const {
    write_percentiles(to, "latency_ms", total_);
    write_percentiles(to, "waiting_ms", waiting_);
    write_percentiles(to, "deciding_ms", deciding_);
    write_percentiles(to, "committing_ms", committing_);
    to.Key("curve");
    to.StartArray();
    std::uint64_t seen = 0;
    for (const auto& [value, count] : total_.filled()) {
      seen += count;
      to.StartArray();
      to.Double(100.0 * static_cast<double>(seen) / static_cast<double>(total_.total()));
      to.Double(milliseconds(value));
      to.EndArray();
    }
    to.EndArray();
  }

private:
  void take(const operation& each) {
    after_warm_up_ += each.returned >= from_;
    if (each.result == outcome::failed || each.result == outcome::unknown) return;
    if (each.returned >= from_ && each.returned <= until_) {
      ++decisions_;
      last_ = std::max(last_, each.returned);
    }
    if (each.intended < from_) return;
    total_.record(each.returned - each.intended);
    waiting_.record(count_of(each.time.waiting));
    deciding_.record(count_of(each.time.deciding));
    committing_.record(count_of(each.time.committing));
  }

  static void write_percentiles(writer& to, const char* key, const histogram& of) {
    to.Key(key);
    to.StartObject();
    for (const auto& [name, percent] :
         {std::pair{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p99_9", 99.9}})
      write(to, name, milliseconds(of.percentile(percent)));
    write(to, "max", milliseconds(of.highest()));
    to.EndObject();
  }

  const std::int64_t from_, until_;
  std::int64_t last_ = 0;
  double seconds_ = 0;
  std::uint64_t decisions_ = 0, after_warm_up_ = 0;
  histogram total_, waiting_, deciding_, committing_;
};

void write_operation(writer& to, const operation& each) {
  to.StartObject();
  write(to, "number", each.wanted.number);
  write(to, "client", std::uint64_t{each.client});
  write(to, "check_in", domain::to_string(each.wanted.check_in));
  write(to, "check_out", domain::to_string(each.wanted.check_out));
  write(to, "intended_ms", milliseconds(each.intended));
  write(to, "invoked_ms", milliseconds(each.invoked));
  write(to, "returned_ms", milliseconds(each.returned));
  write(to, "result", std::string(to_string(each.result)));
  to.EndObject();
}

/// Around the one of the busiest unit's operations that took longest: there something has happened.
void write_hot_unit(writer& to, const history& all) {
  std::map<std::uint32_t, std::vector<const operation*>> units;
  for (const auto& each : all) units[each.wanted.unit].push_back(&each);
  to.Key("hot_unit");
  if (units.empty()) {
    to.Null();
    return;
  }
  auto& [unit, of_it] =
      *std::ranges::max_element(units, {}, [](const auto& each) { return each.second.size(); });
  std::ranges::sort(of_it, {}, &operation::invoked);
  const auto longest = std::ranges::max_element(
      of_it, {}, [](const operation* each) { return each->returned - each->invoked; });
  const auto place = static_cast<std::size_t>(longest - of_it.begin());
  const auto end = std::min(of_it.size(), std::max(place + shown_operations / 2, shown_operations));
  const auto begin = end > shown_operations ? end - shown_operations : 0;
  to.StartObject();
  write(to, "unit", std::uint64_t{unit});
  write(to, "operations", std::uint64_t{of_it.size()});
  to.Key("history");
  to.StartArray();
  for (auto i = begin; i < end; ++i) write_operation(to, *of_it[i]);
  to.EndArray();
  to.EndObject();
}

/// Decisions in each tenth of a second.
void write_timeline(writer& to, const history& all) {
  std::vector<std::uint64_t> steps;
  for (const auto& each : all) {
    if (each.result == outcome::failed || each.result == outcome::unknown) continue;
    const auto step = static_cast<std::size_t>(each.returned / timeline_step);
    if (steps.size() <= step) steps.resize(step + 1);
    ++steps[step];
  }
  to.Key("timeline");
  to.StartArray();
  for (const auto step : steps) to.Uint64(step);
  to.EndArray();
}

void write_verdict(writer& to, const verdict& of) {
  to.Key("verdict");
  to.StartObject();
  write(to, "right", of.is_right());
  write(to, "operations", of.operations);
  write(to, "booked", of.booked);
  write(to, "refused", of.refused);
  write(to, "failed", of.failed);
  write(to, "unknown", of.unknown);
  write(to, "unknown_booked", of.unknown_booked);
  write(to, "double_bookings", of.double_bookings);
  write(to, "lost", of.lost);
  write(to, "not_asked_for", of.not_asked_for);
  write(to, "groundless_refusals", of.groundless_refusals);
  if (of.shortest) {
    write(to, "fault", std::string(to_string(of.shortest->kind)));
    write(to, "history", to_text(*of.shortest));
  }
  to.EndObject();
}

void write_processor(writer& to, const processor_time& used, std::uint64_t decisions) {
  const auto each = [&](const char* key, double seconds) {
    write(to, key, decisions > 0 ? std::max(0.0, seconds) * 1e6 / static_cast<double>(decisions) : 0.0);
  };
  to.Key("cpu_us");
  to.StartObject();
  each("client", used.clients);
  each("server", used.server);
  each("database", used.database);
  to.EndObject();
}

} // namespace

std::string to_json(const load_result& load, const load_options& options, const verdict& judged) {
  const measured of(load, options);
  rapidjson::StringBuffer buffer;
  writer to(buffer);
  to.SetMaxDecimalPlaces(4);
  to.StartObject();
  write(to, "decisions", of.decisions());
  write(to, "decisions_per_s", of.per_second());
  write(to, "cut_short", load.cut_short);
  of.write_times(to);
  write(to, "conflicts", load.all.conflicts);
  write(to, "deadlocks", load.all.deadlocks);
  write(to, "retries", load.all.retries);
  write(to, "errors", load.all.errors);
  write_processor(to, load.used, of.decisions_for_processor());
  write_verdict(to, judged);
  write(to, "started_ns", static_cast<std::uint64_t>(count_of(load.started.time_since_epoch())));
  write_timeline(to, load.operations);
  write_hot_unit(to, load.operations);
  to.EndObject();
  return buffer.GetString();
}

std::string to_text(const offence& shown) {
  std::string text = std::string(to_string(shown.kind)) + " of unit " + std::to_string(shown.unit);
  for (const auto& each : shown.shown) {
    char line[160];
    std::snprintf(line, sizeof line, "\n  client %3u  %10.3f ms to %10.3f ms  nights %s to %s  %s",
                  each.client, milliseconds(each.invoked), milliseconds(each.returned),
                  domain::to_string(each.wanted.check_in).c_str(),
                  domain::to_string(each.wanted.check_out).c_str(), to_string(each.result));
    text += line;
  }
  return text;
}

} // namespace roost::contention
