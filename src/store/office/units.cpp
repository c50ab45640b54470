#include "store/office/units.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/office/unit_rows.hpp"
#include "store/portfolio/stored_units.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

namespace {

using domain::portfolio_unit;
using outcome = office_outcome<portfolio_unit>;

/// A unit as lists find and sort it.
struct listed_unit {
  domain::uuid id{};
  std::string name, property_name;
};

const selection listed_units{
    "office_units",
    "select {columns} from units u join properties p on p.id = u.property_id where u.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner)"
    " and (:property = '' or cast(u.property_id as text) = :property)"
    " and (:archived = '' or u.archived = (:archived = 'true'))"
    " and (:platform = '' or exists (select 1 from links l where l.unit_id = u.id and l.platform = "
    ":platform))",
    columns(column("u.id", &listed_unit::id), column("u.internal_name", &listed_unit::name),
            column("p.internal_name", &listed_unit::property_name))};

const selection unpriced_units{
    "unpriced_units",
    "select {columns} from units u where u.account_id = :account and (u.rent_fixed and u.rent_cents <= 0"
    " or not u.rent_fixed and (select coalesce(min(m.rent_cents), 0) from unit_month_rents m"
    " where m.unit_id = u.id) <= 0)",
    named<domain::uuid>("u.id")};

const std::string select_office_unit =
    "select {columns} from units u join properties p on p.id = u.property_id"
    " where u.id = :id and u.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const selection office_unit{"office_unit", select_office_unit, named<domain::uuid>("u.id")};
/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_office_unit{"locked_office_unit",
                                   select_office_unit + " {for no key update of u skip locked}",
                                   named<domain::uuid>("u.id")};
const std::string select_unit_property = "select {columns} from properties p where p.id = :id"
                                         " and p.account_id = :account"
                                         " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const selection property_of_unit{"property_of_unit", select_unit_property, named<domain::uuid>("p.id")};
const selection locked_property_of_unit{"locked_property_of_unit",
                                        select_unit_property + " {for no key update of p skip locked}",
                                        named<domain::uuid>("p.id")};
const selection unit_is_booked{"unit_is_booked",
                               "select {columns} from (select id from bookings where unit_id = :id union all"
                               " select block_id from holds where unit_id = :id and ended_at is null) uses",
                               named<bool>("count(*) > 0")};
constexpr query erase_unit{"erase_unit", "delete from units where id = :id"};
parameters scoped_unit(const office_scope& scope, const domain::uuid& id) {
  return {{"id", id}, {"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}};
}

/// Returns whether the property exists; locks it for the transaction.
bool lock_property(session& db, const office_scope& scope, const domain::uuid& id) {
  if (db.internals().read_one(locked_property_of_unit, scoped_unit(scope, id))) return true;
  if (!db.internals().read_one(property_of_unit, scoped_unit(scope, id))) return false;
  throw locked_elsewhere("the property is being changed");
}

change change_of(const office_scope& scope, std::vector<domain::uuid> units,
                 std::optional<shown_resources> shown = {}) {
  return {change_kind::account, {scope.account_id}, std::move(units), {}, std::move(shown)};
}

/// Returns whether other resources do not depend on what differs, so that memory reads only the unit again.
/// Decisions about other units of the account stay valid.
bool concerns_only_itself(const portfolio_unit& before, const portfolio_unit& after) {
  return before.terms.property_id == after.terms.property_id &&
         before.terms.archived == after.terms.archived &&
         before.terms.export_address == after.terms.export_address && before.links == after.links &&
         before.excluded_from == after.excluded_from;
}

/// Units as a kind of resource (office_resource.hpp).
struct unit_resource {
  using resource = portfolio_unit;
  static constexpr bool completes_resources = true;

  static domain::uuid id_of(const portfolio_unit& unit) { return unit.terms.id; }

  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    return lock_unit(db, scope, id);
  }

  static portfolio_unit read(session& db, const office_scope&, const domain::uuid& id) {
    return std::move(read_units(db, {&id, 1}).at(0));
  }

  static bool is_id_taken(session& db, const domain::uuid& id) {
    return office_unit_rows::is_id_taken(db, id);
  }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope,
                                                  const portfolio_unit* before, const portfolio_unit& after) {
    const auto& property = after.terms.property_id;
    const bool is_moved = before == nullptr || before->terms.property_id != property;
    if (is_moved && !lock_property(db, scope, property))
      return office_refusal{office_result::refused, "propertyId must be a property of the account"};
    return conflict_of(office_unit_rows::conflicts_of(db, scope, before, after));
  }

  static office_trace insert(session& db, const office_scope& scope, portfolio_unit& unit,
                             const office_author& author) {
    const auto& id = unit.terms.id;
    return {change_of(scope, {id}), {{id, id, {}}}, office_unit_rows::insert(db, scope, unit, author.now)};
  }

  static office_trace update(session& db, const office_scope& scope, const portfolio_unit& before,
                             portfolio_unit& after, const office_author& author) {
    const auto& id = after.terms.id;
    const office_unit_rows::unit_write only{&before, &after};
    auto changed = concerns_only_itself(before, after)
                       ? change{change_kind::unit, {scope.account_id}, {id}, {id}}
                       : change_of(scope, {id}, office_unit_rows::shown_moves(db, {&only, 1}));
    return {
        std::move(changed), {{id, id, {}}}, office_unit_rows::update(db, scope, before, after, author.now)};
  }

  static bool must_stay(session& db, const portfolio_unit& unit) {
    return db.internals().read_one(unit_is_booked, {{"id", unit.terms.id}}).value_or(false);
  }

  static bool& archived(portfolio_unit& unit) { return unit.terms.archived; }

  static office_trace erase(session& db, const office_scope& scope, const portfolio_unit& unit,
                            const office_author&) {
    const auto& id = unit.terms.id;
    auto shown = office_unit_rows::shown_to_owner(db, unit);
    db.internals().write(erase_unit, {{"id", id}});
    return {
        change_of(scope, {}, std::move(shown)), {}, {{{}, office_part::unit, id, {}, office_state::deleted}}};
  }

  static last_change last_change_of(session& db, const office_scope& scope, const portfolio_unit& unit) {
    return last_change_of_unit(db, scope, unit);
  }
};

using unit_writes = office_resource<unit_resource>;

} // namespace

name_place place_of(const portfolio_unit& unit) {
  return place_of_name(unit.terms.internal_name, unit.terms.id);
}

office_page<portfolio_unit> list_units(session& db, const office_scope& scope, const unit_filter& filter,
                                       const std::optional<name_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  name_list list(filter.text);
  const auto archived = filter.archived ? (*filter.archived ? "true" : "false") : "";
  db.internals().read(listed_units,
                      {{"account", scope.account_id},
                       {"owner", text_or_empty(scope.owner_id)},
                       {"property", text_or_empty(filter.property_id)},
                       {"archived", archived},
                       {"platform", filter.platform.value_or("")}},
                      [&](const listed_unit& each) {
                        if (!filter.includes || filter.includes(each.id))
                          list.add(each.id, each.name, each.property_name);
                      });
  return list.page<portfolio_unit>(
      after, limit, [&](const std::vector<domain::uuid>& ids) { return read_units(db, ids); }, place_of);
}

unit_id_set units_without_rent(session& db, const domain::uuid& account) {
  const auto ids = db.internals().read_all(unpriced_units, {{"account", account}});
  return {ids.begin(), ids.end()};
}

bool is_unit_in_scope(session& db, const office_scope& scope, const domain::uuid& id) {
  return db.internals().read_one(office_unit, scoped_unit(scope, id)).has_value();
}

bool lock_unit(session& db, const office_scope& scope, const domain::uuid& id) {
  if (db.internals().read_one(locked_office_unit, scoped_unit(scope, id))) return true;
  if (!is_unit_in_scope(db, scope, id)) return false;
  throw locked_elsewhere("the unit is being changed");
}

last_change last_change_of_unit(session& db, const office_scope& scope, const portfolio_unit& unit) {
  const auto entry = last_change_of(db, scope, unit.terms.id);
  if (entry && entry->at >= unit.terms.updated_at) return *entry;
  // It may have been created with its property.
  const auto mark = find_mark(db, office_part::unit, unit.terms.id);
  if (mark && mark->changed_at >= unit.terms.updated_at) return {mark->changed_by, mark->changed_at};
  return {changed_by_import, unit.terms.updated_at};
}

std::optional<portfolio_unit> find_unit(session& db, const office_scope& scope, const domain::uuid& id) {
  const transaction txn(db, transaction::purpose::read);
  if (!is_unit_in_scope(db, scope, id)) return std::nullopt;
  return std::move(read_units(db, {&id, 1}).at(0));
}

outcome create_unit(session& db, const lease& held, const office_scope& scope,
                    const office_creation<portfolio_unit>& request, const office_author& author) {
  return unit_writes::create(db, held, scope, request, author);
}

outcome change_unit(session& db, const lease& held, const office_scope& scope,
                    const office_change<portfolio_unit>& request, const office_author& author) {
  return unit_writes::change(db, held, scope, request, author);
}

outcome delete_unit(session& db, const lease& held, const office_scope& scope,
                    const office_deletion<portfolio_unit>& request, const office_author& author) {
  return unit_writes::erase(db, held, scope, request, author);
}

} // namespace roost::store
