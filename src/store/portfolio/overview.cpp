#include "store/portfolio/overview.hpp"

#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

/// An empty parameter matches every row.
const selection account_rows{
    "account_overview",
    "select {columns} from accounts a where (:id = '' or cast(a.id as text) = :id)"
    " order by a.company_name, a.id limit :max",
    columns(column("a.id", &account_overview::id), column("a.company_name", &account_overview::company_name),
            column("a.currency", &account_overview::currency),
            column("(select count(*) from users u where u.account_id = a.id)", &account_overview::users),
            column("(select count(*) from properties p where p.account_id = a.id)",
                   &account_overview::properties),
            column("(select count(*) from units n where n.account_id = a.id and not n.archived)",
                   &account_overview::units))};

const selection user_rows{
    "user_overview", "select {columns} from users where account_id = :account order by email",
    columns(column("email", &user_overview::email), column("role", &user_overview::role),
            column("deactivated", &user_overview::is_deactivated))};

const selection property_rows{
    "property_overview",
    "select {columns} from properties p where (:id = '' or cast(p.id as text) = :id)"
    " and (:account = '' or cast(p.account_id as text) = :account)"
    " order by p.internal_name, p.id limit :max",
    columns(column("p.id", &property_overview::id), column("p.account_id", &property_overview::account_id),
            column("p.internal_name", &property_overview::name), column("p.type", &property_overview::type),
            column("p.city", &property_overview::city), column("p.archived", &property_overview::is_archived),
            column("(select count(*) from units n where n.property_id = p.id and not n.archived)",
                   &property_overview::units))};

const selection unit_rows{
    "unit_overview",
    "select {columns} from units u join properties p on p.id = u.property_id join accounts a on a.id = "
    "u.account_id"
    " where (:id = '' or cast(u.id as text) = :id)"
    " and (:account = '' or cast(u.account_id as text) = :account)"
    " and (:property = '' or cast(u.property_id as text) = :property)"
    " order by u.internal_name, u.id limit :max",
    columns(column("u.id", &unit_overview::id), column("u.account_id", &unit_overview::account_id),
            column("u.property_id", &unit_overview::property_id),
            column("u.internal_name", &unit_overview::name), column("u.kind", &unit_overview::kind),
            column("u.archived", &unit_overview::is_archived), column("u.capacity", &unit_overview::capacity),
            column("case when u.rent_fixed and u.rent_cents > 0 then u.rent_cents end",
                   &unit_overview::fixed_rent),
            column("(select min(m.rent_cents) from unit_month_rents m where m.unit_id = u.id)",
                   &unit_overview::lowest_rent),
            column("(select max(m.rent_cents) from unit_month_rents m where m.unit_id = u.id)",
                   &unit_overview::highest_rent),
            column("p.internal_name", &unit_overview::property_name), column("p.city", &unit_overview::city),
            column("a.currency", &unit_overview::currency))};

const selection link_rows{"link_overview",
                          "select {columns} from links l where l.unit_id = :unit order by l.platform",
                          columns(column("l.platform", &link_overview::platform),
                                  column("l.external_id", &link_overview::external_id),
                                  column("exists (select 1 from exclusions e where e.unit_id = l.unit_id"
                                         " and e.platform = l.platform)",
                                         &link_overview::is_excluded))};

const selection platforms_of_links{
    "platforms_of_links", "select {columns} from links group by platform order by platform",
    columns(column("platform", &platform_links::platform), column("count(*)", &platform_links::units))};

const selection booked_nights{
    "booked_nights",
    "select {columns} from bookings where unit_id = :unit and status <> 'cancelled'"
    " and check_in <= :last and last_night >= :first order by check_in",
    columns(column("check_in", &taken_nights::first), column("last_night", &taken_nights::last),
            column("id", &taken_nights::id), column("platform", &taken_nights::platform))};
const selection blocked_nights{
    "blocked_nights",
    "select {columns} from (select first_night, last_night, id, source, host from blocks"
    " where unit_id = :unit union all select check_in, last_night, block_id, 'hold', platform"
    " from holds where unit_id = :unit and ended_at is null) n where first_night <= :last"
    " and (last_night is null or last_night >= :first) order by first_night",
    columns(column("first_night", &taken_nights::first), column("last_night", &taken_nights::last),
            column("id", &taken_nights::id), column("source", &taken_nights::by),
            column("host", &taken_nights::platform))};

} // namespace

std::vector<account_overview> list_accounts(session& db, const std::optional<domain::uuid>& id,
                                            std::size_t limit) {
  return db.internals().read_all(account_rows, {{"id", text_or_empty(id)}, {"max", limit}});
}

std::vector<property_overview> list_properties(session& db, const portfolio_filter& filter,
                                               std::size_t limit) {
  return db.internals().read_all(
      property_rows,
      {{"id", text_or_empty(filter.id)}, {"account", text_or_empty(filter.account)}, {"max", limit}});
}

std::vector<unit_overview> list_units(session& db, const portfolio_filter& filter, std::size_t limit) {
  return db.internals().read_all(unit_rows, {{"id", text_or_empty(filter.id)},
                                             {"account", text_or_empty(filter.account)},
                                             {"property", text_or_empty(filter.property)},
                                             {"max", limit}});
}

std::vector<user_overview> users_of(session& db, const domain::uuid& account) {
  return db.internals().read_all(user_rows, {{"account", account}});
}

std::vector<link_overview> links_of(session& db, const domain::uuid& unit) {
  return db.internals().read_all(link_rows, {{"unit", unit}});
}

std::vector<platform_links> links_by_platform(session& db) {
  return db.internals().read_all(platforms_of_links);
}

std::vector<taken_nights> taken_nights_of(session& db, const domain::uuid& unit, domain::date first,
                                          domain::date last) {
  const parameters range{{"unit", unit}, {"first", first}, {"last", last}};
  auto nights = db.internals().read_all(booked_nights, range);
  for (auto& each : nights) each.by = "booking";
  for (auto& each : db.internals().read_all(blocked_nights, range)) nights.push_back(std::move(each));
  std::ranges::stable_sort(nights, {}, &taken_nights::first);
  return nights;
}

} // namespace roost::store
