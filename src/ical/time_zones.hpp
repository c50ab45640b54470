#pragma once

#include "ical/broken_calendar.hpp"
#include "ical/components.hpp"
#include "ical/local_time.hpp"
#include "ical/properties.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace roost::ical {

/// The time zones of a text: those that it defines, and otherwise the system's by their names, such as
/// "Europe/Madrid". Of several definitions of a name, the first valid one counts.
class time_zones {
public:
  /// Times after `end` are converted as if they were at `end`.
  time_zones(const std::vector<component>& definitions, domain::date end, work_limit& work);

  /// Returns `value` as local time in the zone of `place`. DATEs are unchanged, and so are times if either is
  /// floating or both are in the same zone. Throws broken_calendar if a zone is unknown.
  local_time in_zone_of(const moment& place, const moment& value);

private:
  using utc_time = std::chrono::sys_seconds;
  /// The offset from UTC from a time on.
  struct onset {
    utc_time at;
    std::chrono::seconds offset;
  };
  /// Onsets by time. The first one also holds before its time.
  using zone = std::vector<onset>;

  void add(const component& definition);
  const zone& zone_named(const std::string& tzid);
  zone built_in_zone(const std::string& tzid);
  zone read(const parsed_component& parsed, icalcomponent* definition);
  void read_observance(const parsed_component& parsed, icalcomponent* observance, zone& onsets);

  std::map<std::string, parsed_component> definitions_; ///< by TZID
  std::map<std::string, zone> zones_;                   ///< those that were needed
  domain::date end_;
  work_limit& work_;
};

} // namespace roost::ical
