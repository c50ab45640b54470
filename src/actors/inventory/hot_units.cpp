#include "actors/inventory/hot_units.hpp"

#include "json/writer.hpp"

#include <utility>

namespace roost::actors {

namespace {

void write(json::writer& json, const std::vector<hot_entry>& entries) {
  json.begin_array();
  for (const auto& each : entries) {
    json.begin_object();
    json.field("id", domain::to_string(each.id));
    json.field("name", each.name);
    json.field("reads", static_cast<std::int64_t>(each.reads));
    json.field("reserved", static_cast<std::int64_t>(each.reserved));
    json.field("refused", static_cast<std::int64_t>(each.refused));
    json.end_object();
  }
  json.end_array();
}

} // namespace

void hot_units::record_read(const domain::uuid& unit, const std::string& name, const domain::account& owner) {
  constinit thread_local unsigned reads = 0;
  if (reads++ % read_sampling == 0) record(unit, name, owner, &hot_entry::reads, read_sampling);
}

void hot_units::record_stay(const domain::uuid& unit, const std::string& name, const domain::account& owner,
                            bool reserved) {
  record(unit, name, owner, reserved ? &hot_entry::reserved : &hot_entry::refused, 1);
}

void hot_units::record(const domain::uuid& unit, const std::string& name, const domain::account& owner,
                       std::uint64_t hot_entry::*counter, std::uint64_t by) {
  const std::lock_guard lock{mutex_};
  rotate(clock::now());
  current_.units.add(unit, name, counter, by);
  current_.accounts.add(owner.id, owner.company_name, counter, by);
}

void hot_units::rotate(clock::time_point now) {
  if (now - current_.since < window) return;
  previous_ = now - current_.since < 2 * window ? std::move(current_) : counts{now - window, {}, {}};
  current_ = {now, {}, {}};
}

hot_units::report hot_units::busiest(std::size_t max) {
  const std::lock_guard lock{mutex_};
  const auto now = clock::now();
  rotate(now);
  counts both = previous_;
  const auto merge = [](hot_list& into, const hot_list& from) {
    for (const auto& each : from.hottest(hot_list::capacity))
      for (const auto counter : {&hot_entry::reads, &hot_entry::reserved, &hot_entry::refused})
        if (each.*counter > 0) into.add(each.id, each.name, counter, each.*counter);
  };
  merge(both.units, current_.units);
  merge(both.accounts, current_.accounts);
  return {now - both.since, both.units.hottest(max), both.accounts.hottest(max)};
}

std::string to_json(const hot_units::report& report) {
  json::writer json;
  json.begin_object();
  json.field("seconds", report.period.count());
  json.key("units");
  write(json, report.units);
  json.key("accounts");
  write(json, report.accounts);
  json.end_object();
  return std::string{json.text()};
}

} // namespace roost::actors
