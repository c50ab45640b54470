#include "store/office/calendar_window.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <utility>

namespace roost::store {

namespace {

constexpr auto calendar_unit_columns = columns(
    column("u.id", &calendar_unit::id), column("u.property_id", &calendar_unit::property_id),
    column("u.internal_name", &calendar_unit::name), column("p.internal_name", &calendar_unit::property_name),
    column("(u.archived or p.archived)", &calendar_unit::archived));

const selection calendar_units{
    "calendar_units",
    "select {columns} from units u join properties p on p.id = u.property_id where u.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner)"
    " and (:property = '' or cast(u.property_id as text) = :property)"
    " and (not (u.archived or p.archived) or exists (select 1 from bookings k"
    " where k.account_id = u.account_id and k.unit_id = u.id and k.status <> 'cancelled'"
    " and k.check_in <= :last and k.last_night >= :first))",
    calendar_unit_columns};

const selection calendar_bookings{
    "calendar_bookings",
    "select {columns} from bookings k join tenants t on t.account_id = k.account_id and t.id = k.tenant_id"
    " where k.account_id = :account and k.unit_id in {ids uuid} and k.status <> 'cancelled'"
    " and k.check_in <= :last and k.last_night >= :first order by k.check_in, k.id",
    columns(column("k.id", &calendar_booking::id), column("k.unit_id", &calendar_booking::unit_id),
            column("k.platform", &calendar_booking::platform), column("k.status", &calendar_booking::status),
            column("k.check_in", &calendar_booking::check_in),
            column("k.check_out", &calendar_booking::check_out),
            column("k.last_night", &calendar_booking::last_night),
            column("k.occupants", &calendar_booking::occupants),
            column("t.first_name", &calendar_booking::first_name),
            column("t.last_name", &calendar_booking::last_name))};

const selection imported_events{
    "imported_events",
    "select {columns} from calendar_events e join unit_calendars c on c.id = e.calendar_id"
    " where c.unit_id in {ids uuid} and e.first_night <= :last and e.last_night >= :first"
    " order by e.first_night, e.last_night, c.id",
    columns(column("c.id", &imported_event::calendar_id), column("c.unit_id", &imported_event::unit_id),
            column("c.name", &imported_event::calendar_name), column("c.host", &imported_event::host),
            column("e.first_night", &imported_event::nights, &domain::nights::first),
            column("e.last_night", &imported_event::nights, &domain::nights::last))};

} // namespace

name_place place_of(const calendar_unit& unit) { return place_of_name(unit.name, unit.id); }

office_page<calendar_unit> list_calendar(session& db, const office_scope& scope,
                                         const calendar_filter& filter,
                                         const std::optional<name_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  by_id<calendar_unit> units;
  name_list list(filter.text);
  db.internals().read(calendar_units,
                      {{"account", scope.account_id},
                       {"owner", text_or_empty(scope.owner_id)},
                       {"property", text_or_empty(filter.property_id)},
                       {"first", filter.window.first},
                       {"last", filter.window.last}},
                      [&](calendar_unit&& each) {
                        list.add(each.id, each.name, each.property_name);
                        units.emplace(each.id, std::move(each));
                      });
  const auto read = [&](const std::vector<domain::uuid>& ids) {
    for (auto& each : blocks_among(db, ids, filter.window))
      units[each.unit_id].blocks.push_back(std::move(each));
    for (auto& each : holds_among(db, ids, filter.window))
      units[each.unit_id].holds.push_back(std::move(each));
    read_in_parts(
        db, calendar_bookings, std::span(ids),
        {{"account", scope.account_id}, {"first", filter.window.first}, {"last", filter.window.last}},
        [&](calendar_booking&& each) { units[each.unit_id].bookings.push_back(std::move(each)); });
    read_in_parts(db, imported_events, std::span(ids),
                  {{"first", filter.window.first}, {"last", filter.window.last}},
                  [&](imported_event&& each) { units[each.unit_id].events.push_back(std::move(each)); });
    std::vector<calendar_unit> page;
    page.reserve(ids.size());
    for (const auto& id : ids) page.push_back(std::move(units[id]));
    return page;
  };
  return list.page<calendar_unit>(after, limit, read, place_of);
}

} // namespace roost::store
