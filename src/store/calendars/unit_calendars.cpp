#include "store/calendars/unit_calendars.hpp"

#include "domain/calendar.hpp"
#include "store/calendars/calendar_blocks.hpp"
#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/messages/messages.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace roost::store {

namespace {

constexpr const char* vanished =
    "the calendar has no events, although it had some for nights to come; accept it "
    "if that is right";

constexpr auto due_columns = columns(
    column("c.id", &due_calendar::id), column("c.unit_id", &due_calendar::unit_id),
    column("u.account_id", &due_calendar::account_id), column("coalesce(c.url, '')", &due_calendar::url),
    column("c.etag", &due_calendar::etag), column("c.last_modified", &due_calendar::last_modified),
    column("c.every_seconds", &due_calendar::every_seconds), column("c.failures", &due_calendar::failures),
    column("c.revision", &due_calendar::revision));
const selection due{"due_calendars",
                    "select {columns} from unit_calendars c join units u on u.id = c.unit_id"
                    " where c.next_fetch <= :now order by c.next_fetch limit :limit",
                    due_columns};
const selection calendar_to_read{
    "calendar_to_read",
    "select {columns} from unit_calendars c join units u on u.id = c.unit_id where c.id = :id", due_columns};
const selection upload_of_calendar{"upload_of_calendar",
                                   "select {columns} from unit_calendars where id = :id",
                                   named<std::optional<std::string>>("upload")};

struct calendar_state {
  std::string name, unit_name, host;
  int failures = 0;
  std::int64_t revision = 0;
};
const selection state_of_calendar{
    "state_of_calendar",
    "select {columns} from unit_calendars c join units u on u.id = c.unit_id where c.id = :id",
    columns(column("c.name", &calendar_state::name), column("u.internal_name", &calendar_state::unit_name),
            column("c.host", &calendar_state::host), column("c.failures", &calendar_state::failures),
            column("c.revision", &calendar_state::revision))};
constexpr query note_success{"note_calendar_success",
                             "update unit_calendars set etag = :etag, last_modified = :modified,"
                             " fetched_at = :now, succeeded_at = :now, failures = 0, problem = '',"
                             " has_vanished = :no, next_fetch = :next, upload = null where id = :id"};
constexpr query note_same{"note_calendar_same",
                          "update unit_calendars set fetched_at = :now, succeeded_at = :now, failures = 0,"
                          " problem = '', has_vanished = :no, next_fetch = :next where id = :id"};
constexpr query note_failure{"note_calendar_failure",
                             "update unit_calendars set fetched_at = :now, failures = :failures,"
                             " problem = :problem, has_vanished = :vanished, next_fetch = :next,"
                             " upload = case when :vanished then upload else null end where id = :id"};

const selection events_of_calendar{
    "events_of_calendar",
    "select {columns} from calendar_events where calendar_id = :id order by first_night, last_night",
    columns(column("first_night", &domain::nights::first), column("last_night", &domain::nights::last))};

struct event_row {
  domain::uuid calendar_id{};
  domain::nights nights;
};
constexpr auto event_columns =
    columns(column("calendar_id", &event_row::calendar_id).key(),
            column("first_night", &event_row::nights, &domain::nights::first).key(),
            column("last_night", &event_row::nights, &domain::nights::last).key());
const auto event_table = table_of<event_columns>("calendar_events");

/// Nights of the unit that something else claims from today on.
const selection booked_claims{
    "booked_claims_of_calendar",
    "select {columns} from bookings where unit_id = :unit and status <> 'cancelled' and check_out > :today",
    named<domain::date>("check_in"), named<domain::date>("check_out")};
const selection hosts_claims{
    "hosts_claims_of_calendar",
    "select {columns} from calendar_events e join unit_calendars c on c.id = e.calendar_id"
    " where c.unit_id = :unit and c.id <> :id and (c.host <> :host or c.host = '') and e.last_night >= "
    ":today",
    columns(column("e.first_night", &domain::nights::first), column("e.last_night", &domain::nights::last))};

/// Stores one reading; the transaction is the caller's.
class reading_writer {
public:
  reading_writer(session& db, const calendar_reading& reading, const calendar_notices& notices,
                 calendar_state state)
      : db_(db), reading_(reading), notices_(notices), state_(std::move(state)) {}

  /// Returns whether blocks changed.
  bool write() {
    switch (reading_.result) {
    case calendar_result::same:
      db_.internals().write(note_same, outcome());
      return renews_blocks();
    case calendar_result::failed:
      fail(reading_.problem, false);
      return false;
    case calendar_result::version:
      return write_version();
    }
    return false;
  }

private:
  parameters outcome() const {
    return {{"id", reading_.id}, {"now", reading_.now}, {"next", reading_.next_fetch}, {"no", false}};
  }

  void fail(const std::string& problem, bool has_vanished) {
    const int failures = state_.failures + 1;
    db_.internals().write(note_failure, {{"id", reading_.id},
                                         {"now", reading_.now},
                                         {"next", reading_.next_fetch},
                                         {"failures", failures},
                                         {"problem", problem},
                                         {"vanished", has_vanished}});
    if (failures == failures_before_notice)
      notify(notices_.failure({reading_.account_id, state_.name, state_.unit_name, problem}));
  }

  bool write_version() {
    const auto stored = db_.internals().read_all(events_of_calendar, {{"id", reading_.id}});
    const bool has_nights_to_come =
        std::ranges::any_of(stored, [&](const domain::nights& each) { return each.last >= reading_.today; });
    if (reading_.events.empty() && has_nights_to_come) {
      if (!reading_.accepts_empty) {
        fail(vanished, true);
        return false;
      }
      if (reading_.audit) record_audit(db_, *reading_.audit);
    }
    write_events(stored);
    auto values = outcome();
    values.emplace_back("etag", reading_.etag);
    values.emplace_back("modified", reading_.last_modified);
    db_.internals().write(note_success, values);
    return renews_blocks();
  }

  /// Also of a version that has not changed: a booking may have ended while the calendar was created.
  bool renews_blocks() { return !renew_calendar_blocks(db_, std::span(&reading_.unit_id, 1)).empty(); }

  /// Both lists are sorted.
  void write_events(const std::vector<domain::nights>& stored) {
    bulk_writer<event_row> removed(db_, event_table, bulk_mode::erase),
        added(db_, event_table, bulk_mode::insert);
    const auto& events = reading_.events;
    for (const auto& each : stored)
      if (!std::ranges::binary_search(events, each, is_earlier)) removed.add({reading_.id, each});
    std::vector<domain::nights> fresh;
    std::ranges::set_difference(events, stored, std::back_inserter(fresh), is_earlier);
    for (const auto& event : fresh) added.add({reading_.id, event});
    removed.finish();
    added.finish();
    report_conflicts(fresh, stored);
  }

  static bool is_earlier(const domain::nights& a, const domain::nights& b) {
    return std::tie(a.first, a.last) < std::tie(b.first, b.last);
  }

  /// Reports events with nights that others have, unless the version before had all of these nights: an event
  /// that becomes longer or shorter elsewhere is the same conflict.
  void report_conflicts(const std::vector<domain::nights>& events,
                        const std::vector<domain::nights>& before) {
    if (events.empty()) return;
    const auto claims = claims_of_others();
    int reported = 0;
    for (auto event : events) {
      if (event.last < reading_.today) continue;
      event.first = std::max(event.first, reading_.today);
      const bool is_new = std::ranges::any_of(claims, [&](const domain::nights& each) {
        return domain::overlap(each, event) &&
               !is_covered({std::max(each.first, event.first), std::min(each.last, event.last)}, before);
      });
      if (is_new && reported++ < max_reported_conflicts)
        notify(notices_.conflict({reading_.account_id, state_.name, state_.unit_name, event}));
    }
  }

  /// Returns whether these ranges, which are sorted, have all of the nights.
  static bool is_covered(domain::nights nights, const std::vector<domain::nights>& ranges) {
    for (const auto& each : ranges)
      if (each.first <= nights.first && nights.first <= each.last) {
        if (nights.last <= each.last) return true;
        nights.first = each.last + domain::days(1);
      }
    return false;
  }

  std::vector<domain::nights> claims_of_others() {
    std::vector<domain::nights> claims;
    const parameters of_unit{{"unit", reading_.unit_id}, {"today", reading_.today}};
    db_.internals().read(booked_claims, of_unit, [&](domain::date check_in, domain::date check_out) {
      claims.push_back(domain::stay_nights(check_in, check_out));
    });
    auto of_hosts = of_unit;
    of_hosts.emplace_back("host", state_.host);
    of_hosts.emplace_back("id", reading_.id);
    db_.internals().read(hosts_claims, of_hosts, [&](domain::nights&& each) { claims.push_back(each); });
    return claims;
  }

  void notify(const domain::notification& notice) {
    message_rows rows;
    rows.add(notice);
    insert(db_, rows);
  }

  session& db_;
  const calendar_reading& reading_;
  const calendar_notices& notices_;
  const calendar_state state_;
};

} // namespace

std::vector<due_calendar> due_calendars(session& db, domain::timestamp now, std::size_t limit) {
  if (next_import_step(db)) return {};
  return db.internals().read_all(due, {{"now", now}, {"limit", limit}});
}

std::optional<due_calendar> find_calendar_to_read(session& db, const domain::uuid& id) {
  return db.internals().read_one(calendar_to_read, {{"id", id}});
}

std::optional<std::string> calendar_upload(session& db, const domain::uuid& id) {
  return db.internals().read_one(upload_of_calendar, {{"id", id}}).value_or(std::nullopt);
}

calendar_reading_outcome store_reading(session& db, const lease& held, const calendar_reading& reading,
                                       const calendar_notices& notices) {
  write_transaction txn(db, held);
  limit_lock_waits(db); // the transaction also holds the lease's row
  refuse_while_importing(db);
  lock_calendars(db, reading.unit_id);
  auto state = db.internals().read_one(state_of_calendar, {{"id", reading.id}});
  if (!state) return {};
  calendar_reading_outcome outcome{true, state->revision != reading.revision, false, {}};
  if (outcome.is_outdated) return outcome;
  outcome.is_changed = reading_writer(db, reading, notices, *std::move(state)).write();
  if (outcome.is_changed)
    outcome.point = append(db, {change_kind::unit, {reading.account_id}, {reading.unit_id}, {reading.id}});
  txn.commit();
  return outcome;
}

} // namespace roost::store
