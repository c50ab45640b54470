#include "store/office/properties.hpp"

#include "domain/text.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/office/unit_rows.hpp"
#include "store/portfolio/portfolio_tables.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

namespace {

using domain::portfolio_property;

/// A property as lists find and sort it.
struct listed_property {
  domain::uuid id{};
  std::string name, city;
};

/// A unit that is deleted with its property.
struct erased_unit {
  domain::uuid id{};
  std::string name;
};

const selection listed_properties{"office_properties",
                                  "select {columns} from properties p where p.account_id = :account"
                                  " and (:owner = '' or cast(p.owner_id as text) = :owner)"
                                  " and (:archived = '' or p.archived = (:archived = 'true'))",
                                  columns(column("p.id", &listed_property::id),
                                          column("p.internal_name", &listed_property::name),
                                          column("p.city", &listed_property::city))};

const std::string select_property = "select {columns} from properties p where p.id = :id"
                                    " and p.account_id = :account"
                                    " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const selection seen_property{"seen_property", select_property, named<domain::uuid>("p.id")};
/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_property{"locked_property", select_property + " {for no key update of p skip locked}",
                                named<domain::uuid>("p.id")};
const selection properties_by_id{"properties_by_id", exact_properties("id in {ids uuid}"),
                                 exact_property_columns};
const selection property_id_taken{"property_id_taken", "select {columns} from properties where id = :id",
                                  named<bool>("count(*) > 0")};
const selection units_of_property{"units_of_property", "select {columns} from units where property_id = :id",
                                  named<domain::uuid>("id")};
const selection property_is_booked{"property_is_booked",
                                   "select {columns} from (select unit_id from bookings union all"
                                   " select unit_id from holds where ended_at is null) uses"
                                   " where unit_id in (select id from units where property_id = :id)",
                                   named<bool>("count(*) > 0")};
const selection units_to_erase{
    "units_to_erase", "select {columns} from units where property_id = :id order by created_at, id",
    columns(column("id", &erased_unit::id), column("internal_name", &erased_unit::name))};
constexpr query erase_units_of_property{"erase_units_of_property",
                                        "delete from units where property_id = :id"};
constexpr query erase_property{"erase_property", "delete from properties where id = :id"};

parameters scoped_property(const office_scope& scope, const domain::uuid& id) {
  return {{"id", id}, {"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}};
}

bool holds(session& db, const selection<named<bool>>& rows, const domain::uuid& id) {
  return db.internals().read_one(rows, {{"id", id}}).value_or(false);
}

std::vector<portfolio_property> read_properties(session& db, std::span<const domain::uuid> ids) {
  std::vector<portfolio_property> properties;
  auto& connection = db.internals();
  if (ids.empty()) return properties;
  for (auto& each : connection.read_all(properties_by_id, {{"ids", connection.list(ids)}}))
    properties.push_back({std::move(each), {}});
  return properties;
}

void write_property(session& db, const office_scope& scope, const domain::property& details, bulk_mode mode,
                    domain::timestamp now) {
  bulk_writer rows(db, tables::properties, mode);
  rows.add({scope.account_id, &details, now});
  rows.finish();
}

/// Returns the property and these units of it as the users of these owners see them.
shown_resources shown_to(const std::vector<std::optional<domain::uuid>>& owners, const domain::uuid& property,
                         const std::vector<domain::uuid>& units) {
  shown_resources resources;
  for (const auto& owner : owners) {
    resources.push_back({property, owner});
    for (const auto& unit : units) resources.push_back({unit, owner});
  }
  return resources;
}

/// Properties as a kind of resource (office_resource.hpp).
struct property_resource {
  using resource = portfolio_property;

  static domain::uuid id_of(const portfolio_property& property) { return property.details.id; }

  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    if (db.internals().read_one(locked_property, scoped_property(scope, id))) return true;
    if (!db.internals().read_one(seen_property, scoped_property(scope, id))) return false;
    throw locked_elsewhere("the property is being changed");
  }

  static portfolio_property read(session& db, const office_scope&, const domain::uuid& id) {
    return std::move(read_properties(db, {&id, 1}).at(0));
  }

  static bool is_id_taken(session& db, const domain::uuid& id) { return holds(db, property_id_taken, id); }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope,
                                                  const portfolio_property*,
                                                  const portfolio_property& after) {
    const auto& owner = after.details.owner_id;
    if (scope.owner_id && (owner != scope.owner_id || owner->is_nil()))
      return office_refusal{office_result::refused, "ownerId must be the user's own"};
    std::vector<std::string> conflicts;
    for (std::size_t i = 0; i < after.units.size(); ++i) {
      const auto place = "units[" + std::to_string(i) + "].";
      if (office_unit_rows::is_id_taken(db, after.units[i].terms.id))
        conflicts.push_back(place + "id is in use");
      for (const auto& each : office_unit_rows::conflicts_of(db, scope, nullptr, after.units[i]))
        conflicts.push_back(place + each);
    }
    return conflict_of(conflicts);
  }

  static office_trace insert(session& db, const office_scope& scope, portfolio_property& property,
                             const office_author& author) {
    const auto& id = property.details.id;
    write_property(db, scope, property.details, bulk_mode::insert, author.now);
    office_trace trace{{change_kind::account, {scope.account_id}, {}, {}}};
    trace.marks.push_back({{}, office_part::property, id, {}, office_state::created});
    std::vector<domain::uuid> units;
    for (auto& unit : property.units) {
      auto marks = office_unit_rows::insert(db, scope, unit, author.now);
      std::ranges::move(marks, std::back_inserter(trace.marks));
      const auto& unit_id = unit.terms.id;
      units.push_back(unit_id);
      // A unit's changes end with the unit, so its id can be that of the first one.
      trace.entries.push_back(
          {unit_id, unit_id, {{"internalName", "null", json_string(unit.terms.internal_name)}}, unit_id});
    }
    trace.change.shown = shown_to({property.details.owner_id}, id, units);
    return trace;
  }

  static office_trace update(session& db, const office_scope& scope, const portfolio_property& before,
                             portfolio_property& after, const office_author& author) {
    const auto& id = after.details.id;
    write_property(db, scope, after.details, bulk_mode::update_changed, author.now);
    auto units = db.internals().read_all(units_of_property, {{"id", id}});
    std::vector owners{after.details.owner_id};
    if (before.details.owner_id != after.details.owner_id) owners.push_back(before.details.owner_id);
    auto shown = shown_to(owners, id, units);
    return {{change_kind::account, {scope.account_id}, std::move(units), {}, std::move(shown)},
            {},
            {{{}, office_part::property, id}}};
  }

  static bool must_stay(session& db, const portfolio_property& property) {
    return holds(db, property_is_booked, property.details.id);
  }

  static bool& archived(portfolio_property& property) { return property.details.archived; }

  static office_trace erase(session& db, const office_scope& scope, const portfolio_property& property,
                            const office_author&) {
    const auto& id = property.details.id;
    office_trace trace{{change_kind::account, {scope.account_id}, {}, {}}};
    std::vector<domain::uuid> units;
    for (const auto& [unit, name] : db.internals().read_all(units_to_erase, {{"id", id}})) {
      units.push_back(unit);
      trace.marks.push_back({{}, office_part::unit, unit, {}, office_state::deleted});
      trace.further.push_back({"unit " + domain::to_string(unit), json_string(name), "null"});
    }
    trace.change.shown = shown_to({property.details.owner_id}, id, units);
    trace.marks.push_back({{}, office_part::property, id, {}, office_state::deleted});
    db.internals().write(erase_units_of_property, {{"id", id}});
    db.internals().write(erase_property, {{"id", id}});
    return trace;
  }

  static last_change last_change_of(session& db, const office_scope&, const portfolio_property& property) {
    const auto mark = find_mark(db, office_part::property, property.details.id);
    if (mark && mark->changed_at >= property.details.updated_at) return {mark->changed_by, mark->changed_at};
    return {changed_by_import, property.details.updated_at};
  }
};

using property_writes = office_resource<property_resource>;

} // namespace

name_place place_of(const portfolio_property& property) {
  return {domain::folded_without_accents(property.details.internal_name), property.details.id};
}

office_page<portfolio_property> list_properties(session& db, const office_scope& scope,
                                                const property_filter& filter,
                                                const std::optional<name_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  name_list list(filter.text);
  const auto archived = filter.archived ? (*filter.archived ? "true" : "false") : "";
  db.internals().read(
      listed_properties,
      {{"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}, {"archived", archived}},
      [&](const listed_property& each) { list.add(each.id, each.name, each.city); });
  return list.page<portfolio_property>(
      after, limit, [&](const std::vector<domain::uuid>& ids) { return read_properties(db, ids); }, place_of);
}

std::optional<portfolio_property> find_property(session& db, const office_scope& scope,
                                                const domain::uuid& id) {
  const transaction txn(db, transaction::purpose::read);
  if (!db.internals().read_one(seen_property, scoped_property(scope, id))) return std::nullopt;
  return property_resource::read(db, scope, id);
}

office_outcome<portfolio_property> create_property(session& db, const lease& held, const office_scope& scope,
                                                   const office_creation<portfolio_property>& request,
                                                   const office_author& author) {
  auto owned = request;
  if (!owned.resource.details.owner_id) owned.resource.details.owner_id = scope.owner_id;
  return property_writes::create(db, held, scope, owned, author);
}

office_outcome<portfolio_property> change_property(session& db, const lease& held, const office_scope& scope,
                                                   const office_change<portfolio_property>& request,
                                                   const office_author& author) {
  return property_writes::change(db, held, scope, request, author);
}

office_outcome<portfolio_property> delete_property(session& db, const lease& held, const office_scope& scope,
                                                   const office_deletion<portfolio_property>& request,
                                                   const office_author& author) {
  return property_writes::erase(db, held, scope, request, author);
}

} // namespace roost::store
