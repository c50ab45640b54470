#include "store/engine/housemates.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

const selection property_of_shown_unit{
    "property_of_shown_unit",
    "select {columns} from units u join properties p on p.id = u.property_id"
    " join links l on l.unit_id = u.id and l.platform = :platform and l.external_id = :linked_as"
    " where u.id = :unit and not u.archived and not p.archived and not exists"
    " (select 1 from exclusions e where e.unit_id = u.id and e.platform = :platform)",
    named<domain::uuid>("p.id")};

constexpr auto housemate_columns = columns(column("first_name", &domain::housemate::first_name).of("t"),
                                           column("last_name", &domain::housemate::last_name).of("t"),
                                           column("nationality", &domain::housemate::nationality).of("t"),
                                           column("check_in", &domain::housemate::move_in).of("b"),
                                           column("check_out", &domain::housemate::move_out).of("b"));

const selection checked_in_tenants{
    "checked_in_tenants",
    "select {columns} from units u"
    " join bookings b on b.account_id = u.account_id and b.unit_id = u.id"
    " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
    " where u.property_id = :property and b.status = 'checked_in' order by b.check_in, b.created_at, b.id",
    housemate_columns};

} // namespace

std::optional<std::vector<domain::housemate>>
housemates_of(session& db, const domain::uuid& unit, std::string_view platform, std::string_view linked_as) {
  transaction txn(db, transaction::purpose::read);
  const auto property = db.internals().read_one(
      property_of_shown_unit, {{"unit", unit}, {"platform", platform}, {"linked_as", linked_as}});
  if (!property) return std::nullopt;
  auto residents = db.internals().read_all(checked_in_tenants, {{"property", *property}});
  txn.commit();
  return residents;
}

} // namespace roost::store
