#include "ical/properties.hpp"

#include "domain/text.hpp"

#include <algorithm>
#include <array>

namespace roost::ical {

namespace {

/// Returns the name of the property that one of libical's error texts is about.
std::string_view culprit_of(std::string_view error) {
  static constexpr std::array<std::string_view, 13> names{
      "DTSTART", "DTEND",  "DURATION", "RRULE", "RDATE",        "EXDATE",    "RECURRENCE-ID",
      "STATUS",  "TRANSP", "UID",      "TZID",  "TZOFFSETFROM", "TZOFFSETTO"};
  for (const auto name : names)
    if (error.find(std::string(name) + " property") != std::string_view::npos ||
        error.find("property " + std::string(name)) != std::string_view::npos)
      return name;
  return "property";
}

bool is_date_or_time(const icalvalue* value) {
  if (value == nullptr) return false;
  const auto kind = icalvalue_isa(value);
  return kind == ICAL_DATE_VALUE || kind == ICAL_DATETIME_VALUE || kind == ICAL_DATETIMEDATE_VALUE;
}

void refuse_errors(const parsed_component& parsed, icalcomponent* within) {
  for (auto* error : properties_of(within, ICAL_XLICERROR_PROPERTY)) {
    const char* text = icalproperty_get_xlicerror(error);
    parsed.refuse("has an invalid " + std::string(culprit_of(text == nullptr ? "" : text)));
  }
  for (auto* inner = icalcomponent_get_first_component(within, ICAL_ANY_COMPONENT); inner != nullptr;
       inner = icalcomponent_get_next_component(within, ICAL_ANY_COMPONENT))
    refuse_errors(parsed, inner);
}

/// Prepares libical once: some builds abort for invalid input by default, and the list of the system's zones,
/// which even times in UTC need, is created without a lock that its readers would take.
bool prepare() {
  icalerror_set_errors_are_fatal(0);
  return icaltimezone_get_builtin_timezones() != nullptr;
}

bool is_utc_name(std::string_view tzid) {
  return tzid == "UTC" || tzid == "Etc/UTC" || tzid == "GMT" || tzid == "Etc/GMT" || tzid == "Z";
}

} // namespace

parsed_component parse(const component& source, std::string_view kind) {
  static const bool prepared = prepare();
  static_cast<void>(prepared);
  parsed_component parsed{owned_component(icalparser_parse_string(source.text.c_str())),
                          "The " + std::string(kind) + " on line " + std::to_string(source.line)};
  if (parsed.root == nullptr) parsed.refuse("cannot be read");
  refuse_errors(parsed, parsed.root.get());
  return parsed;
}

std::vector<icalproperty*> properties_of(icalcomponent* parsed, icalproperty_kind kind) {
  std::vector<icalproperty*> all;
  for (auto* each = icalcomponent_get_first_property(parsed, kind); each != nullptr;
       each = icalcomponent_get_next_property(parsed, kind))
    all.push_back(each);
  return all;
}

icalproperty* property_of(const parsed_component& parsed, icalproperty_kind kind, std::string_view name) {
  const auto all = properties_of(parsed.root.get(), kind);
  if (all.size() > 1) parsed.refuse("has more than one " + std::string(name));
  return all.empty() ? nullptr : all.front();
}

std::string text_of(const icalproperty* property) {
  if (property == nullptr) return {};
  struct memory_deleter {
    void operator()(char* text) const { icalmemory_free_buffer(text); }
  };
  const std::unique_ptr<char, memory_deleter> text(icalproperty_get_value_as_string_r(property));
  return text == nullptr ? std::string{} : domain::lower_case(text.get());
}

std::string tzid_of(const icalproperty* property) {
  auto* const parameter =
      icalproperty_get_first_parameter(const_cast<icalproperty*>(property), ICAL_TZID_PARAMETER);
  const char* const tzid = parameter == nullptr ? nullptr : icalparameter_get_tzid(parameter);
  return tzid == nullptr ? std::string{} : std::string(tzid);
}

std::optional<moment> moment_of(const icaltimetype& time) {
  const auto date = std::chrono::year{time.year} / time.month / time.day;
  constexpr int max_year = 9999, max_hour = 23, max_minute = 59, leap_second = 60;
  if (time.year < 1 || time.year > max_year || !date.ok()) return std::nullopt;
  moment value;
  value.at = midnight_of(domain::date_of(date));
  value.is_date = time.is_date != 0;
  if (value.is_date) return value;
  if (time.hour < 0 || time.hour > max_hour || time.minute < 0 || time.minute > max_minute ||
      time.second < 0 || time.second > leap_second)
    return std::nullopt;
  value.at += std::chrono::hours{time.hour} + std::chrono::minutes{time.minute} +
              std::chrono::seconds{std::min(time.second, leap_second - 1)};
  value.is_utc = icaltime_is_utc(time) != 0;
  return value;
}

std::optional<moment> moment_of(const icalproperty* property) {
  const auto* const value = icalproperty_get_value(property);
  if (!is_date_or_time(value)) return std::nullopt;
  const bool is_date = icalvalue_isa(value) == ICAL_DATE_VALUE;
  auto result = moment_of(is_date ? icalvalue_get_date(value) : icalvalue_get_datetime(value));
  if (!result || result->is_date || result->is_utc) return result;
  result->tzid = tzid_of(property);
  if (!is_utc_name(result->tzid)) return result;
  result->tzid.clear();
  result->is_utc = true;
  return result;
}

std::optional<std::chrono::seconds> length_of(const icaldurationtype& duration) {
  using std::chrono::days, std::chrono::hours, std::chrono::minutes, std::chrono::seconds;
  const auto length = seconds{days{duration.days}} + seconds{std::chrono::weeks{duration.weeks}} +
                      seconds{hours{duration.hours}} + seconds{minutes{duration.minutes}} +
                      seconds{duration.seconds};
  if (duration.is_neg != 0 || length > seconds{std::chrono::years{10'000}}) return std::nullopt;
  return length;
}

} // namespace roost::ical
