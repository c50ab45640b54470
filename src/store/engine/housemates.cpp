#include "store/engine/housemates.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

constexpr query property_of_shown_unit{
    "property_of_shown_unit",
    "select p.id from units u join properties p on p.id = u.property_id"
    " join links l on l.unit_id = u.id and l.platform = :platform and l.external_id = :linked_as"
    " where u.id = :unit and not u.archived and not p.archived and not exists"
    " (select 1 from exclusions e where e.unit_id = u.id and e.platform = :platform)",
    1};

constexpr query checked_in_tenants{
    "checked_in_tenants",
    "select t.first_name, t.last_name, t.nationality, b.check_in, b.check_out from units u"
    " join bookings b on b.account_id = u.account_id and b.unit_id = u.id"
    " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
    " where u.property_id = :property and b.status = 'checked_in' order by b.check_in, b.created_at, b.id",
    5};

} // namespace

std::optional<std::vector<domain::housemate>>
housemates_of(session& db, const domain::uuid& unit, std::string_view platform, std::string_view linked_as) {
  transaction within(db, transaction::purpose::read);
  std::optional<domain::uuid> property;
  db.internals().read(
      property_of_shown_unit,
      {{"unit", to_cell(unit)}, {"platform", to_cell(platform)}, {"linked_as", to_cell(linked_as)}},
      [&](row& r) { property = r.id(); });
  if (!property) return std::nullopt;
  std::vector<domain::housemate> residents;
  db.internals().read(checked_in_tenants, {{"property", to_cell(*property)}}, [&](row& r) {
    auto& resident = residents.emplace_back();
    resident.first_name = r.text();
    resident.last_name = r.optional_text();
    resident.nationality = r.optional_text();
    resident.move_in = r.day();
    resident.move_out = r.day();
  });
  within.commit();
  return residents;
}

} // namespace roost::store
