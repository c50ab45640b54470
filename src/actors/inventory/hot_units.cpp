#include "actors/inventory/hot_units.hpp"

#include "json/writer.hpp"

#include <utility>

namespace roost::actors {

namespace {

void write(json::writer& json, const std::vector<busy_entry>& entries) {
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

void hot_units::note_read(const domain::uuid& unit, const std::string& name, const domain::account& owner) {
  constinit thread_local unsigned reads = 0;
  if (reads++ % one_read_of == 0) note(unit, name, owner, &busy_entry::reads, one_read_of);
}

void hot_units::note_stay(const domain::uuid& unit, const std::string& name, const domain::account& owner,
                          bool given) {
  note(unit, name, owner, given ? &busy_entry::reserved : &busy_entry::refused, 1);
}

void hot_units::note(const domain::uuid& unit, const std::string& name, const domain::account& owner,
                     std::uint64_t busy_entry::*what, std::uint64_t by) {
  const std::lock_guard lock{mutex_};
  turn_page(clock::now());
  now_.units.add(unit, name, what, by);
  now_.accounts.add(owner.id, owner.company_name, what, by);
}

void hot_units::turn_page(clock::time_point now) {
  if (now - now_.since < window) return;
  before_ = now - now_.since < 2 * window ? std::move(now_) : counts{now - window, {}, {}};
  now_ = {now, {}, {}};
}

hot_units::report hot_units::busiest(std::size_t most) {
  const std::lock_guard lock{mutex_};
  const auto now = clock::now();
  turn_page(now);
  counts both = before_;
  const auto merge = [](hot_list& into, const hot_list& from) {
    for (const auto& each : from.busiest(hot_list::room))
      for (const auto what : {&busy_entry::reads, &busy_entry::reserved, &busy_entry::refused})
        if (each.*what > 0) into.add(each.id, each.name, what, each.*what);
  };
  merge(both.units, now_.units);
  merge(both.accounts, now_.accounts);
  return {now - both.since, both.units.busiest(most), both.accounts.busiest(most)};
}

std::string to_json(const hot_units::report& report) {
  json::writer json;
  json.begin_object();
  json.field("seconds", report.during.count());
  json.key("units");
  write(json, report.units);
  json.key("accounts");
  write(json, report.accounts);
  json.end_object();
  return std::string{json.text()};
}

} // namespace roost::actors
