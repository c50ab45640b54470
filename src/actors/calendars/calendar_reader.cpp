#include "actors/calendars/calendar_reader.hpp"

#include "actors/runtime/spawned_actor.hpp"
#include "ical/blocked_nights.hpp"
#include "log/log.hpp"

#include <algorithm>
#include <exception>
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

/// Joins ranges that share a night, so that the work and the memory that a calendar causes are bounded by the
/// nights of some years. Ranges that only follow each other stay events of their own.
std::vector<domain::nights> merged(const std::vector<domain::nights>& sorted) {
  std::vector<domain::nights> disjoint;
  for (const auto& each : sorted)
    if (!disjoint.empty() && each.first <= disjoint.back().last)
      disjoint.back().last = std::max(disjoint.back().last, each.last);
    else
      disjoint.push_back(each);
  return disjoint;
}

calendar_reading read(const calendar_job& job, const calendar_fetch& fetch) {
  calendar_reading reading;
  reading.id = job.calendar.id;
  reading.unit_id = job.calendar.unit_id;
  reading.account_id = job.calendar.account_id;
  reading.revision = job.calendar.revision;
  reading.now = job.now;
  reading.today = std::chrono::floor<domain::days>(job.now);
  try {
    const auto text = read_text(job, fetch, reading);
    reading.result = text ? calendar_result::version : calendar_result::same;
    if (text) reading.events = merged(ical::blocked_nights(*text, reading.today));
  } catch (const fetch::fetch_failed& error) {
    reading.result = calendar_result::failed;
    reading.problem = error.reason(); // the URL is a secret
  } catch (const ical::broken_calendar& error) {
    reading.result = calendar_result::failed;
    reading.problem = error.what();
  } catch (const std::exception& error) { // such as bad_alloc: the text is untrusted
    log::warn("calendar_reader_failed", {{"what", error.what()}});
    reading.result = calendar_result::failed;
    reading.problem = "the server could not read the calendar";
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
