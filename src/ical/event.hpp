#pragma once

#include "domain/date.hpp"
#include "ical/components.hpp"
#include "ical/local_time.hpp"
#include "ical/recurrence.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roost::ical {

/// An additional occurrence of an event (RDATE).
struct added_occurrence {
  moment start;
  std::optional<std::chrono::seconds> length; ///< nullopt: that of the event
};

/// An event (VEVENT) as it is written.
struct event {
  std::string uid; ///< empty: none
  moment start;
  /// From start to end as a clock at each of the places shows them, so it may be negative.
  std::chrono::seconds length{};
  bool blocks = true; ///< neither cancelled nor transparent
  std::vector<recurrence_rule> rules;
  std::vector<added_occurrence> additions;
  std::vector<moment> exceptions; ///< EXDATE
  /// The start of the occurrence that this event replaces, before the change (RECURRENCE-ID).
  std::optional<moment> replaces;
  bool replaces_following = false; ///< also all later occurrences (RANGE=THISANDFUTURE)
};

/// Reads an event. Throws broken_calendar if it has no start, or if a property that determines its nights is
/// invalid or occurs twice.
event read_event(const component& source);

/// Returns the nights from a start to an end. A DATE blocks at least one night; a time span within one local
/// date blocks none (nullopt). Nights after the year 9999 are left out.
std::optional<domain::nights> nights_of(local_time start, std::chrono::seconds length, bool is_date);

} // namespace roost::ical
