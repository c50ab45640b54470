#include "store/office/calendars.hpp"

#include "store/calendars/calendar_blocks.hpp"
#include "store/calendars/calendar_settings.hpp"
#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/office/units.hpp"

#include <span>
#include <utility>

namespace roost::store {

namespace {

using calendar_outcome = office_outcome<office_calendar>;

constexpr auto calendar_columns = columns(
    column("c.id", &office_calendar::id), column("c.unit_id", &office_calendar::unit_id),
    column("c.name", &office_calendar::name), column("c.url", &office_calendar::url),
    column("c.host", &office_calendar::host), column("c.every_seconds", &office_calendar::every_seconds),
    column("c.created_at", &office_calendar::created_at),
    column("c.updated_at", &office_calendar::updated_at),
    column("c.fetched_at", &office_calendar::fetched_at),
    column("c.succeeded_at", &office_calendar::succeeded_at),
    column("c.failures", &office_calendar::failures), column("c.problem", &office_calendar::problem),
    column("c.has_vanished", &office_calendar::has_vanished),
    column("(select count(*) from calendar_events e where e.calendar_id = c.id)", &office_calendar::events));

const std::string select_calendars = "select {columns} from unit_calendars c where c.unit_id = :unit";
const selection calendar_names{"calendar_names", select_calendars, named<domain::uuid>("c.id"),
                               named<std::string>("c.name")};
const selection some_calendars{"some_calendars", select_calendars + " and c.id in {ids uuid}",
                               calendar_columns};
const selection one_calendar{"one_calendar", select_calendars + " and c.id = :id", calendar_columns};
const selection is_calendar_id_taken{"is_calendar_id_taken",
                                     "select {columns} from unit_calendars where id = :id",
                                     named<bool>("count(*) > 0")};
const selection calendar_count{"calendar_count", "select {columns} from unit_calendars where unit_id = :unit",
                               named<std::int64_t>("count(*)")};
/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_unit_of_calendar{
    "locked_unit_of_calendar", "select {columns} from units where id = :unit {for no key update skip locked}",
    named<domain::uuid>("id")};

domain::imported_calendar settings_of(const office_calendar& calendar) {
  return {calendar.id, calendar.name, calendar.url, calendar.host, calendar.every_seconds};
}

office_mark mark_of(const office_calendar& calendar, office_state state) {
  return {{}, office_part::calendar, calendar.id, {}, state};
}

const domain::uuid& unit_of(const office_scope& scope) { return scope.unit_id.value(); }

/// Calendars as a kind of resource (office_resource.hpp).
struct calendar_resource {
  using resource = office_calendar;

  static domain::uuid id_of(const office_calendar& calendar) { return calendar.id; }

  static std::optional<office_calendar> find(session& db, const office_scope& scope, const domain::uuid& id) {
    return db.internals().read_one(one_calendar, {{"unit", unit_of(scope)}, {"id", id}});
  }

  /// Locks the unit, as blocks do, and then its calendars.
  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    if (!lock_unit(db, scope)) return false;
    lock_calendars(db, unit_of(scope));
    return find(db, scope, id).has_value();
  }

  static office_calendar read(session& db, const office_scope& scope, const domain::uuid& id) {
    return find(db, scope, id).value();
  }

  static bool is_id_taken(session& db, const domain::uuid& id) {
    return db.internals().read_one(is_calendar_id_taken, {{"id", id}}).value_or(false);
  }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope,
                                                  const office_calendar* before,
                                                  const office_calendar& after) {
    if (before == nullptr && !lock_unit(db, scope)) return office_refusal{office_result::not_found, {}};
    if (after.url && after.upload)
      return office_refusal{office_result::refused, "url and ics must not both be given"};
    const bool was_uploaded = before != nullptr && !before->url;
    if (!after.url && !after.upload && !was_uploaded)
      return office_refusal{office_result::refused, "url or ics is required"};
    if (before != nullptr) return std::nullopt;
    const auto count = db.internals().read_one(calendar_count, {{"unit", unit_of(scope)}}).value_or(0);
    constexpr auto max = domain::max_imported_calendars;
    if (count < static_cast<std::int64_t>(max)) return std::nullopt;
    return office_refusal{office_result::conflicting,
                          "The unit has " + std::to_string(max) + " calendars, which is the most"};
  }

  static office_trace insert(session& db, const office_scope& scope, office_calendar& calendar,
                             const office_author& author) {
    calendar_writer writer(db, author.now);
    writer.add(unit_of(scope), settings_of(calendar), 0, calendar.upload);
    writer.finish();
    return trace_of(scope, mark_of(calendar, office_state::created));
  }

  static office_trace update(session& db, const office_scope& scope, const office_calendar& before,
                             office_calendar& after, const office_author& author) {
    calendar_writer writer(db, author.now);
    const auto revision = calendar_revisions(db, std::span(&after.id, 1)).at(after.id);
    writer.change(settings_of(before), settings_of(after), revision, after.upload);
    writer.finish();
    renew_calendar_blocks(db, std::span(&unit_of(scope), 1)); // their host may have changed
    return trace_of(scope, mark_of(after, office_state::changed));
  }

  static office_trace erase(session& db, const office_scope& scope, const office_calendar& calendar,
                            const office_author& author) {
    calendar_writer writer(db, author.now);
    writer.remove(calendar.id);
    writer.finish();
    return trace_of(scope, mark_of(calendar, office_state::deleted));
  }

  static last_change last_change_of(session& db, const office_scope& scope, const office_calendar& calendar) {
    const auto entry = store::last_change_of(db, scope, calendar.id);
    if (entry && entry->at >= calendar.updated_at) return *entry;
    return {changed_by_import, calendar.updated_at};
  }

private:
  static bool lock_unit(session& db, const office_scope& scope) {
    if (!is_unit_in_scope(db, scope, unit_of(scope))) return false;
    if (db.internals().read_one(locked_unit_of_calendar, {{"unit", unit_of(scope)}})) return true;
    throw locked_elsewhere("the unit is being changed");
  }

  static office_trace trace_of(const office_scope& scope, const office_mark& mark) {
    const auto& unit = unit_of(scope);
    return {{change_kind::unit, {scope.account_id}, {unit}, {mark.id}}, {{unit, mark.id, {}}}, {mark}};
  }
};

using calendar_writes = office_resource<calendar_resource>;

} // namespace

name_place place_of(const office_calendar& calendar) { return place_of_name(calendar.name, calendar.id); }

std::optional<office_page<office_calendar>> list_calendars(session& db, const office_scope& scope,
                                                           const std::optional<name_place>& after,
                                                           std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  if (!is_unit_in_scope(db, scope, unit_of(scope))) return std::nullopt;
  auto& connection = db.internals();
  name_list list("");
  connection.read(calendar_names, {{"unit", unit_of(scope)}},
                  [&](const domain::uuid& id, const std::string& name) { list.add(id, name, ""); });
  const auto read = [&](const std::vector<domain::uuid>& ids) {
    return connection.read_all(some_calendars, {{"unit", unit_of(scope)}, {"ids", connection.list(ids)}});
  };
  return list.page<office_calendar>(after, limit, read, place_of);
}

std::optional<office_calendar> find_calendar(session& db, const office_scope& scope, const domain::uuid& id) {
  const transaction txn(db, transaction::purpose::read);
  if (!is_unit_in_scope(db, scope, unit_of(scope))) return std::nullopt;
  return calendar_resource::find(db, scope, id);
}

calendar_outcome create_calendar(session& db, const lease& held, const office_scope& scope,
                                 const office_creation<office_calendar>& request,
                                 const office_author& author) {
  // Before the id is looked up, which may be taken in another account. The write checks the unit again.
  if (!is_unit_in_scope(db, scope, unit_of(scope))) return {.result = office_result::not_found};
  return calendar_writes::create(db, held, scope, request, author);
}

calendar_outcome change_calendar(session& db, const lease& held, const office_scope& scope,
                                 const office_change<office_calendar>& request, const office_author& author) {
  return calendar_writes::change(db, held, scope, request, author);
}

calendar_outcome delete_calendar(session& db, const lease& held, const office_scope& scope,
                                 const office_deletion<office_calendar>& request,
                                 const office_author& author) {
  return calendar_writes::erase(db, held, scope, request, author);
}

} // namespace roost::store
