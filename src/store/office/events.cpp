#include "store/office/events.hpp"

#include "store/database/columns.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace roost::store {

namespace {

/// A property, a unit or a booking, with what decides who sees it.
struct located {
  domain::uuid id{}, account_id{};
  std::optional<domain::uuid> unit_id, owner_id;
};

constexpr auto located_columns =
    columns(column("r.id", &located::id), column("r.account_id", &located::account_id),
            column("r.unit_id", &located::unit_id), column("p.owner_id", &located::owner_id));

const selection located_units{"located_units",
                              "select {columns} from (select id, account_id, property_id, id as unit_id"
                              " from units where id in {ids uuid}) r"
                              " join properties p on p.id = r.property_id",
                              located_columns};
const selection located_bookings{"located_bookings",
                                 "select {columns} from (select id, account_id, unit_id from bookings"
                                 " where id in {ids uuid}) r"
                                 " join units u on u.id = r.unit_id"
                                 " join properties p on p.id = u.property_id",
                                 located_columns};
const selection located_properties{
    "located_properties",
    "select {columns} from (select id, account_id, cast(null as uuid) as unit_id"
    " from properties where id in {ids uuid}) r"
    " join properties p on p.id = r.id",
    located_columns};

using places = std::unordered_map<domain::uuid, located, domain::uuid_hash>;

template <typename Selection>
void read_places(session& db, const Selection& of, const std::vector<domain::uuid>& ids, places& to) {
  if (ids.empty()) return;
  for (auto& each : db.internals().read_all(of, {{"ids", db.internals().list(ids)}}))
    to.emplace(each.id, each);
}

/// Returns where everything is that the entries name.
places places_of(session& db, const std::vector<stream_entry>& entries) {
  std::vector<domain::uuid> units, bookings, properties;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const auto& entry : entries) {
    if (entry.change.shown) continue;
    append(units, entry.change.units);
    if (entry.change.kind == change_kind::calendar) append(bookings, entry.change.subjects);
    if (entry.change.kind == change_kind::account) append(properties, entry.change.subjects);
  }
  places located_ids;
  read_places(db, located_units, units, located_ids);
  read_places(db, located_bookings, bookings, located_ids);
  read_places(db, located_properties, properties, located_ids);
  return located_ids;
}

/// The events of one entry, one for each account.
class entry_events {
public:
  explicit entry_events(const stream_entry& entry) : entry_(entry), kind_(entry.change.kind) {
    // The office changed only these units.
    if (kind_ == change_kind::account && !entry.change.units.empty()) kind_ = change_kind::unit;
  }

  /// A tenant may have stays in properties of several owners.
  void add(const domain::uuid& account, office_event::subject subject) {
    auto event = std::ranges::find(events_, account, &office_event::account_id);
    if (event == events_.end())
      event = events_.insert(events_.end(), {entry_.at.position, kind_, account, {}});
    if (std::ranges::find(event->subjects, subject) == event->subjects.end())
      event->subjects.push_back(subject);
  }

  void add(const located& each) {
    add(each.account_id, {each.id, each.owner_id});
    if (each.unit_id && *each.unit_id != each.id) add(each.account_id, {*each.unit_id, each.owner_id});
  }

  void add(const std::vector<domain::uuid>& accounts, const shown_resources& resources) {
    for (const auto& account : accounts)
      for (const auto& each : resources) add(account, {each.id, each.owner_id});
  }

  void add(const places& known, const std::vector<domain::uuid>& ids) {
    for (const auto& id : ids)
      if (const auto located_id = known.find(id); located_id != known.end()) add(located_id->second);
  }

  std::vector<office_event> take() && { return std::move(events_); }

private:
  const stream_entry& entry_;
  change_kind kind_;
  std::vector<office_event> events_;
};

std::vector<office_event> events_of(const stream_entry& entry, const places& known) {
  const auto& change = entry.change;
  entry_events events(entry);
  if (change.shown) {
    events.add(change.accounts, *change.shown);
    return std::move(events).take();
  }
  switch (change.kind) {
  case change_kind::account:
    if (change.subjects.empty() && change.units.empty())
      for (const auto& account : change.accounts) events.add(account, {account, {}, true});
    events.add(known, change.subjects);
    events.add(known, change.units);
    break;
  case change_kind::unit:
  case change_kind::tenant:
  case change_kind::payment:
    events.add(known, change.units);
    for (const auto& id : change.units) // subjects of a change of the kind `unit` have one unit
      if (const auto unit = known.find(id); unit != known.end())
        for (const auto& subject : change.subjects)
          events.add(unit->second.account_id, {subject, unit->second.owner_id});
    break;
  case change_kind::calendar:
    events.add(known, change.subjects);
    events.add(known, change.units);
    break;
  case change_kind::credentials:
    break; // of sessions and keys: no resources
  }
  return std::move(events).take();
}

} // namespace

std::vector<domain::uuid> ids_in(const office_event& event, const office_scope& scope) {
  std::vector<domain::uuid> ids;
  if (event.account_id != scope.account_id) return ids;
  for (const auto& each : event.subjects)
    if ((!scope.owner_id || each.is_for_all || each.owner_id == scope.owner_id) &&
        std::ranges::find(ids, each.id) == ids.end())
      ids.push_back(each.id);
  return ids;
}

std::optional<office_events> events_after(session& db, const stream_point& after, std::int64_t until,
                                          std::size_t max_entries) {
  const transaction txn(db, transaction::purpose::read);
  if (!view_stream(db, after).has_known_point) return std::nullopt;
  auto entries = entries_after(db, after.position, max_entries);
  std::erase_if(entries, [&](const stream_entry& each) { return each.at.position > until; });
  office_events result{{}, after};
  const auto known = places_of(db, entries);
  for (const auto& entry : entries) {
    std::ranges::move(events_of(entry, known), std::back_inserter(result.events));
    result.end = entry.at;
  }
  return result;
}

} // namespace roost::store
