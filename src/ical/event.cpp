#include "ical/event.hpp"

#include <algorithm>

namespace roost::ical {

namespace {

using std::chrono::seconds;

constexpr seconds one_day = std::chrono::days{1};

moment required_moment(const icalproperty* property, std::string_view name, const parsed_component& parsed) {
  if (property == nullptr) parsed.refuse("has no " + std::string(name));
  const auto value = moment_of(property);
  if (!value) parsed.refuse("has an invalid " + std::string(name));
  return *value;
}

seconds required_length(const icaldurationtype& duration, std::string_view name,
                        const parsed_component& parsed) {
  const auto length = length_of(duration);
  if (!length) parsed.refuse("has an invalid " + std::string(name));
  return *length;
}

seconds length_from(const moment& start, const parsed_component& parsed) {
  const auto* const end = property_of(parsed, ICAL_DTEND_PROPERTY, "DTEND");
  const auto* const duration = property_of(parsed, ICAL_DURATION_PROPERTY, "DURATION");
  if (end != nullptr && duration != nullptr) parsed.refuse("has both a DTEND and a DURATION");
  if (end != nullptr) return required_moment(end, "DTEND", parsed).at - start.at;
  if (duration == nullptr) return start.is_date ? one_day : seconds{0};
  const auto* const value = icalproperty_get_value(duration);
  if (value == nullptr || icalvalue_isa(value) != ICAL_DURATION_VALUE)
    parsed.refuse("has an invalid DURATION");
  return required_length(icalvalue_get_duration(value), "DURATION", parsed);
}

/// Reads an RDATE that is a period (RFC 5545, 3.3.9).
added_occurrence period_of(const icalproperty* property, const icalperiodtype& period,
                           const parsed_component& parsed) {
  const auto place = [&](const icaltimetype& time) {
    auto value = moment_of(time);
    if (!value || value->is_date) parsed.refuse("has an invalid RDATE");
    if (!value->is_utc) value->tzid = tzid_of(property);
    return *value;
  };
  const auto start = place(period.start);
  if (icaltime_is_null_time(period.end) == 0) {
    const auto length = place(period.end).at - start.at;
    if (length < seconds{0}) parsed.refuse("has an invalid RDATE");
    return {start, length};
  }
  return {start, required_length(period.duration, "RDATE", parsed)};
}

added_occurrence addition_of(const icalproperty* property, const parsed_component& parsed) {
  const auto* const value = icalproperty_get_value(property);
  const auto kind = value == nullptr ? ICAL_NO_VALUE : icalvalue_isa(value);
  if (kind == ICAL_PERIOD_VALUE) return period_of(property, icalvalue_get_period(value), parsed);
  if (kind != ICAL_DATETIMEPERIOD_VALUE) return {required_moment(property, "RDATE", parsed), {}};
  const auto either = icalvalue_get_datetimeperiod(value);
  if (icaltime_is_null_time(either.time) != 0) return period_of(property, either.period, parsed);
  auto time = moment_of(either.time);
  if (!time) parsed.refuse("has an invalid RDATE");
  if (!time->is_date && !time->is_utc) time->tzid = tzid_of(property);
  return {*time, {}};
}

bool applies_to_following(icalproperty* replaces) {
  auto* const range = icalproperty_get_first_parameter(replaces, ICAL_RANGE_PARAMETER);
  return range != nullptr && icalparameter_get_range(range) == ICAL_RANGE_THISANDFUTURE;
}

} // namespace

event read_event(const component& source) {
  const auto parsed = parse(source, "event");
  event result;
  const auto* const uid = property_of(parsed, ICAL_UID_PROPERTY, "UID");
  const char* const id = uid == nullptr ? nullptr : icalproperty_get_uid(uid);
  result.uid = id == nullptr ? "" : id;
  result.start = required_moment(property_of(parsed, ICAL_DTSTART_PROPERTY, "DTSTART"), "DTSTART", parsed);
  result.length = length_from(result.start, parsed);
  result.blocks = text_of(property_of(parsed, ICAL_STATUS_PROPERTY, "STATUS")) != "cancelled" &&
                  text_of(property_of(parsed, ICAL_TRANSP_PROPERTY, "TRANSP")) != "transparent";
  if (auto* const replaces = property_of(parsed, ICAL_RECURRENCEID_PROPERTY, "RECURRENCE-ID")) {
    result.replaces = required_moment(replaces, "RECURRENCE-ID", parsed);
    result.replaces_following = applies_to_following(replaces);
  }
  auto* const root = parsed.root.get();
  for (const auto* rule : properties_of(root, ICAL_RRULE_PROPERTY))
    result.rules.push_back(rule_of(rule, result.start, parsed));
  for (const auto* addition : properties_of(root, ICAL_RDATE_PROPERTY))
    result.additions.push_back(addition_of(addition, parsed));
  for (const auto* exception : properties_of(root, ICAL_EXDATE_PROPERTY))
    result.exceptions.push_back(required_moment(exception, "EXDATE", parsed));
  return result;
}

std::optional<domain::nights> nights_of(local_time start, seconds length, bool is_date) {
  constexpr auto end_of_time = std::chrono::local_seconds{domain::no_end.time_since_epoch()} + one_day;
  const auto end = std::min(start + length, end_of_time);
  const domain::nights blocked{day_of(start), day_of(end) - domain::days{1}};
  if (blocked.last >= blocked.first) return blocked;
  if (is_date) return domain::nights{blocked.first, blocked.first};
  return std::nullopt;
}

} // namespace roost::ical
