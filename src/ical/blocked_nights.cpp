#include "ical/blocked_nights.hpp"

#include "ical/components.hpp"
#include "ical/event.hpp"
#include "ical/properties.hpp"
#include "ical/time_zones.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace roost::ical {

namespace {

using domain::date;
using domain::days;
using std::chrono::seconds;

/// The ranges of nights in a window of time.
class collected_nights {
public:
  explicit collected_nights(date today)
      : window_{domain::add_months(today, -12), domain::add_months(today, 5 * 12)} {}

  /// The first and last day of the window.
  const domain::nights& window() const { return window_; }

  void add(const std::optional<domain::nights>& blocked) {
    constexpr std::size_t max_ranges = 10'000;
    if (!blocked || blocked->last + days{1} < window_.first || blocked->first > window_.last) return;
    ranges_.emplace(blocked->first, blocked->last);
    if (ranges_.size() > max_ranges) throw broken_calendar("The calendar blocks more than 10,000 stays");
  }

  std::vector<domain::nights> take() const {
    std::vector<domain::nights> all;
    all.reserve(ranges_.size());
    for (const auto& [first, last] : ranges_) all.push_back({first, last});
    return all;
  }

private:
  domain::nights window_;
  std::set<std::pair<date, date>> ranges_;
};

/// The events of one UID. Several without a RECURRENCE-ID are separate events.
struct series {
  std::vector<event> events;
  std::vector<event> changes; ///< those with a RECURRENCE-ID
};

/// An occurrence of an event before changes apply.
struct occurrence {
  local_time start;
  seconds length;
};

/// Starts of occurrences that do not take place as the event says.
struct excluded_starts {
  std::set<local_time> times;
  std::set<date> dates;

  bool contains(local_time start) const { return times.contains(start) || dates.contains(day_of(start)); }
};

constexpr std::size_t steps_per_entry = 10; ///< the work of inserting into a set

/// Determines the nights of an event and its changes.
class expansion {
public:
  expansion(const event& expanded, const std::vector<event>& changes, time_zones& zones, work_limit& work,
            collected_nights& blocked)
      : event_(expanded), zones_(zones), work_(work), blocked_(blocked) {
    work_.spend(steps_per_entry * (event_.exceptions.size() + changes.size()));
    for (const auto& exception : event_.exceptions) exclude(exception);
    for (const auto& change : changes) {
      if (change.replaces_following)
        following_.emplace(start_of(*change.replaces), &change);
      else
        exclude(*change.replaces);
    }
  }

  void run() {
    if (!can_block()) return;
    for (const auto& each : all_occurrences()) {
      work_.spend(steps_per_entry);
      if (excluded_.contains(each.start)) continue;
      const auto next = following_.upper_bound(each.start);
      if (next != following_.begin())
        add_changed(each, *std::prev(next));
      else if (event_.blocks)
        blocked_.add(nights_of(each.start, each.length, event_.start.is_date));
    }
  }

private:
  bool can_block() const {
    return event_.blocks ||
           std::ranges::any_of(following_, [](const auto& each) { return each.second->blocks; });
  }

  /// Returns the start of an occurrence by a value of another property.
  local_time start_of(const moment& value) { return zones_.in_zone_of(event_.start, value); }

  /// Some programs write the date only, or the time of an event without one.
  void exclude(const moment& value) {
    if (value.is_date || event_.start.is_date)
      excluded_.dates.insert(day_of(value.at));
    else
      excluded_.times.insert(start_of(value));
  }

  void add_changed(const occurrence& old, const std::pair<const local_time, const event*>& following) {
    const auto& [from, change] = following;
    if (change->blocks)
      blocked_.add(nights_of(old.start + (change->start.at - from), change->length, change->start.is_date));
  }

  std::vector<occurrence> all_occurrences() {
    std::vector<occurrence> all{{event_.start.at, event_.length}};
    const auto range = expanded_range();
    for (const auto& rule : event_.rules)
      for (const auto start : occurrences(rule, event_.start.at, until_of(rule), range, work_))
        all.push_back({start, event_.length});
    for (const auto& addition : event_.additions)
      all.push_back({start_of_addition(addition.start), addition.length.value_or(event_.length)});
    return all;
  }

  /// Returns when occurrences start that can block nights in the window, by their lengths and their changes.
  domain::nights expanded_range() const {
    seconds before{std::max(seconds{0}, event_.length)}, after{0};
    for (const auto& [from, change] : following_) {
      const auto shift = std::chrono::abs(change->start.at - from) + std::chrono::abs(change->length);
      before = std::max(before, shift);
      after = std::max(after, shift);
    }
    const auto margin = [](seconds time) { return std::chrono::ceil<days>(time) + days{2}; };
    return {blocked_.window().first - margin(before), blocked_.window().last + margin(after)};
  }

  /// Returns the last moment of a rule. Where a program names a date only, or writes UTC although the event
  /// has no time zone, that whole day counts.
  std::optional<local_time> until_of(const recurrence_rule& rule) {
    if (!rule.until) return std::nullopt;
    const auto& until = *rule.until;
    const bool is_floating = !event_.start.is_utc && event_.start.tzid.empty();
    if (until.is_date || is_floating) return midnight_of(day_of(until.at) + days{1}) - seconds{1};
    return start_of(until);
  }

  local_time start_of_addition(const moment& value) {
    const auto start = start_of(value);
    if (event_.start.is_date) return midnight_of(day_of(start));
    if (value.is_date) return start + (event_.start.at - midnight_of(day_of(event_.start.at)));
    return start;
  }

  const event& event_;
  time_zones& zones_;
  work_limit& work_;
  collected_nights& blocked_;
  excluded_starts excluded_;
  std::map<local_time, const event*> following_; ///< changes of all later occurrences, by their first
};

/// Returns the events by UID; those without one are separate.
std::vector<series> series_of(const std::vector<component>& events) {
  std::vector<series> all;
  std::map<std::string, std::size_t> by_uid;
  for (const auto& source : events) {
    auto each = read_event(source);
    const auto [known, is_new] = by_uid.try_emplace(each.uid, all.size());
    if (is_new || each.uid.empty()) all.emplace_back();
    auto& its = each.uid.empty() ? all.back() : all[known->second];
    (each.replaces ? its.changes : its.events).push_back(std::move(each));
  }
  return all;
}

} // namespace

std::vector<domain::nights> blocked_nights(std::string_view text, domain::date today) {
  const temporary_memory freed_at_the_end;
  const auto parts = read_components(text);
  collected_nights blocked(today);
  work_limit work;
  time_zones zones(parts.zones, blocked.window().last + days{366}, work);
  for (const auto& each : series_of(parts.events)) {
    for (const auto& its : each.events) expansion(its, each.changes, zones, work, blocked).run();
    for (const auto& change : each.changes)
      if (change.blocks) blocked.add(nights_of(change.start.at, change.length, change.start.is_date));
  }
  return blocked.take();
}

} // namespace roost::ical
