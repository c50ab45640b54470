#include "actors/calendars/calendar_reader.hpp"

#include "actors/runtime/spawned_actor.hpp"
#include "ical/blocked_nights.hpp"

#include <utility>

namespace roost::actors {

namespace {

using store::calendar_reading, store::calendar_result;

/// Returns the text of the calendar's next version; nullopt if the last one is current. Throws
/// fetch::fetch_failed.
std::optional<std::string> read_text(const calendar_job& job, const calendar_fetch& fetch,
                                     calendar_reading& reading) {
  if (job.upload) return job.upload;
  auto document = fetch(job.calendar.url, {job.calendar.etag, job.calendar.last_modified});
  if (document.not_modified) return std::nullopt;
  reading.etag = std::move(document.current.etag);
  reading.last_modified = std::move(document.current.last_modified);
  return std::move(document.body);
}

calendar_reading read(const calendar_job& job, const calendar_fetch& fetch) {
  calendar_reading reading;
  reading.id = job.calendar.id;
  reading.unit_id = job.calendar.unit_id;
  reading.account_id = job.calendar.account_id;
  reading.now = job.now;
  reading.today = std::chrono::floor<domain::days>(job.now);
  try {
    const auto text = read_text(job, fetch, reading);
    reading.result = text ? calendar_result::version : calendar_result::same;
    if (text) reading.events = ical::blocked_nights(*text, reading.today);
  } catch (const fetch::fetch_failed& error) {
    reading.result = calendar_result::failed;
    reading.problem = error.reason(); // the URL is a secret
  } catch (const ical::broken_calendar& error) {
    reading.result = calendar_result::failed;
    reading.problem = error.what();
  }
  return reading;
}

struct calendar_reader_state : actor_state<calendar_reader> {
  static constexpr const char* name = "calendar_reader";
  using actor_state::actor_state;

  static behavior open(calendar_fetch fetch) {
    return {[fetch = std::move(fetch)](const calendar_job& job) { return read(job, fetch); }};
  }
};

} // namespace

calendar_reader spawn_calendar_reader(runtime& rt, calendar_fetch fetch) {
  return rt.spawn_detached<calendar_reader_state>(std::move(fetch));
}

} // namespace roost::actors
