#include "ical/time_zones.hpp"

#include "domain/text.hpp"
#include "ical/recurrence.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::ical {

namespace {

using std::chrono::seconds;

/// Whether a name can be one of the system's time zones, whose names are names of files.
bool is_zone_name(std::string_view name) {
  constexpr std::size_t max_length = 64;
  const auto is_letter = [](char c) { return domain::lower_case(c) >= 'a' && domain::lower_case(c) <= 'z'; };
  return !name.empty() && name.size() <= max_length && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '-' || c == '+';
         });
}

/// Returns the offset of an observance; nullopt if it has none.
std::optional<seconds> offset_of(icalcomponent* observance, icalproperty_kind kind) {
  const auto all = properties_of(observance, kind);
  const auto* const value = all.empty() ? nullptr : icalproperty_get_value(all.front());
  if (value == nullptr || icalvalue_isa(value) != ICAL_UTCOFFSET_VALUE) return std::nullopt;
  return seconds{icalvalue_get_utcoffset(value)};
}

std::chrono::sys_seconds in_utc(local_time time, seconds offset) {
  return std::chrono::sys_seconds{time.time_since_epoch() - offset};
}

} // namespace

time_zones::time_zones(const std::vector<component>& definitions, domain::date end, work_limit& work)
    : end_(end), work_(work) {
  for (const auto& definition : definitions) add(definition);
}

void time_zones::add(const component& definition) {
  try {
    auto parsed = parse(definition, "time zone");
    const auto* const name = property_of(parsed, ICAL_TZID_PROPERTY, "TZID");
    const char* const tzid = name == nullptr ? nullptr : icalproperty_get_tzid(name);
    if (tzid != nullptr) definitions_.try_emplace(tzid, std::move(parsed));
  } catch (const broken_calendar&) { // it is an error only where the zone is needed
  }
}

local_time time_zones::in_zone_of(const moment& place, const moment& value) {
  const auto is_floating = [](const moment& each) { return !each.is_utc && each.tzid.empty(); };
  if (place.is_date || value.is_date || is_floating(place) || is_floating(value)) return value.at;
  if (place.is_utc == value.is_utc && place.tzid == value.tzid) return value.at;
  const auto offset_at = [](const zone& onsets, utc_time time) {
    const auto next = std::ranges::upper_bound(onsets, time, {}, &onset::at);
    return next == onsets.begin() ? next->offset : std::prev(next)->offset;
  };
  utc_time utc = in_utc(value.at, seconds{0});
  if (!value.is_utc) {
    const auto& from = zone_named(value.tzid);
    const auto close = offset_at(from, utc - offset_at(from, utc));
    utc -= close;
  }
  if (place.is_utc) return local_time{utc.time_since_epoch()};
  return local_time{utc.time_since_epoch() + offset_at(zone_named(place.tzid), utc)};
}

const time_zones::zone& time_zones::zone_named(const std::string& tzid) {
  const auto [known, is_new] = zones_.try_emplace(tzid);
  if (!is_new) return known->second;
  const auto defined = definitions_.find(tzid);
  known->second =
      defined == definitions_.end() ? built_in_zone(tzid) : read(defined->second, defined->second.root.get());
  return known->second;
}

time_zones::zone time_zones::built_in_zone(const std::string& tzid) {
  static std::mutex system_zones; // libical loads them when they are first used, into memory of the process
  const std::lock_guard lock(system_zones);
  auto* const system = is_zone_name(tzid) ? icaltimezone_get_builtin_timezone(tzid.c_str()) : nullptr;
  auto* const definition = system == nullptr ? nullptr : icaltimezone_get_component(system);
  if (definition == nullptr)
    throw broken_calendar("The calendar does not define one of the time zones that its events name");
  return read({nullptr, "A time zone of the system"}, definition);
}

time_zones::zone time_zones::read(const parsed_component& parsed, icalcomponent* definition) {
  zone onsets;
  for (auto* each = icalcomponent_get_first_component(definition, ICAL_ANY_COMPONENT); each != nullptr;
       each = icalcomponent_get_next_component(definition, ICAL_ANY_COMPONENT))
    if (icalcomponent_isa(each) == ICAL_XSTANDARD_COMPONENT ||
        icalcomponent_isa(each) == ICAL_XDAYLIGHT_COMPONENT)
      read_observance(parsed, each, onsets);
  if (onsets.empty()) parsed.refuse("defines no offset from UTC");
  std::ranges::stable_sort(onsets, {}, &onset::at);
  return onsets;
}

void time_zones::read_observance(const parsed_component& parsed, icalcomponent* observance, zone& onsets) {
  const auto to = offset_of(observance, ICAL_TZOFFSETTO_PROPERTY);
  const auto from = offset_of(observance, ICAL_TZOFFSETFROM_PROPERTY).value_or(to.value_or(seconds{0}));
  const auto starts = properties_of(observance, ICAL_DTSTART_PROPERTY);
  const auto start = starts.empty() ? std::nullopt : moment_of(starts.front());
  if (!to || !start) parsed.refuse("defines no offset from UTC");
  std::vector<local_time> times{start->at};
  for (const auto* property : properties_of(observance, ICAL_RRULE_PROPERTY)) {
    const auto rule = rule_of(property, *start, parsed);
    auto until = rule.until ? std::optional(rule.until->at) : std::nullopt;
    if (until && rule.until->is_utc) *until += from;
    if (until && rule.until->is_date) *until += std::chrono::days{1} - seconds{1};
    const auto more = occurrences(rule, start->at, until, {day_of(start->at), end_}, work_);
    times.insert(times.end(), more.begin(), more.end());
  }
  for (const auto* property : properties_of(observance, ICAL_RDATE_PROPERTY))
    if (const auto date = moment_of(property)) times.push_back(date->is_utc ? date->at + from : date->at);
  for (const auto time : times) onsets.push_back({in_utc(time, from), *to});
}

} // namespace roost::ical
