#pragma once

#include "actors/runtime/runtime.hpp"
#include "fetch/https_get.hpp"
#include "store/calendars/unit_calendars.hpp"

#include <functional>
#include <optional>
#include <string>

namespace roost::actors {

/// A calendar to fetch, or whose uploaded text is to be read.
struct calendar_job {
  store::due_calendar calendar;
  std::optional<std::string> upload;
  domain::timestamp now{};
};

using calendar_fetch = std::function<fetch::fetched(const std::string& url, const fetch::validators& known)>;

/// Fetches and parses calendars on a thread of its own: both take long. The `next_fetch` of a reading is the
/// keeper's to decide.
using calendar_reader = caf::typed_actor<caf::replies_to<calendar_job>::with<store::calendar_reading>>;

calendar_reader spawn_calendar_reader(runtime& rt, calendar_fetch fetch);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::calendar_reading)
