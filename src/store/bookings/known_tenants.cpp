#include "store/bookings/known_tenants.hpp"

#include "domain/email_address.hpp"
#include "store/bookings/address_condition.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"

#include <string>

namespace roost::store {

namespace {

const selection tenants_by_address{
    "tenants_by_address",
    with_address("select {columns} from tenants where account_id = :account", "order by created_at, id"),
    tenant_columns};
const selection tenant_by_fiscal_id{"tenant_by_fiscal_id",
                                    "select {columns} from tenants where account_id = :account"
                                    " and fiscal_id = :fiscal_id and email <> ''"
                                    " order by created_at, id limit 1",
                                    tenant_columns};

} // namespace

std::optional<domain::tenant> find_tenant(session& db, const domain::uuid& account,
                                          const domain::tenant_details& details) {
  const auto key = domain::email_key(details.email);
  for (auto& each :
       db.internals().read_all(tenants_by_address, {{"account", account}, {"ascii", ascii_key(key)}}))
    if (domain::email_key(each.details.email) == key) return std::move(each);
  if (!details.fiscal_id || details.fiscal_id->empty()) return std::nullopt;
  return db.internals().read_one(tenant_by_fiscal_id,
                                 {{"account", account}, {"fiscal_id", *details.fiscal_id}});
}

} // namespace roost::store
