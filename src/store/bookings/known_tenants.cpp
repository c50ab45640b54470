#include "store/bookings/known_tenants.hpp"

#include "domain/email_address.hpp"
#include "store/bookings/address_condition.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"

#include <string>

namespace roost::store {

namespace {

/// The tenants of an account whose key the database can compute, and those whose key only the program can
/// compute (see with_address()): an index has each group. A tenant may be in both.
const selection tenants_by_address{
    "tenants_by_address",
    {"select {columns} from ("
     "select * from tenants where account_id = :account and email <> ''"
     " and lower(email collate \"C\") = :ascii"
     " union all "
     "select * from tenants where account_id = :account and email <> ''"
     " and (octet_length(email) <> length(email) or email ilike '%xn--%')"
     ") t order by created_at, id",
     "select {columns} from ("
     "select * from tenants where account_id = :account and email <> '' and lower(email) = :ascii"
     " union all "
     "select * from tenants where account_id = :account and email <> ''"
     " and (length(cast(email as blob)) <> length(email) or instr(lower(email), 'xn--') > 0)"
     ") t order by created_at, id"},
    tenant_columns};
const selection tenants_by_fiscal_id{"tenants_by_fiscal_id",
                                     "select {columns} from tenants where account_id = :account"
                                     " and fiscal_id = :fiscal_id and email <> ''"
                                     " order by created_at, id",
                                     tenant_columns};
/// Waits for an erasure of the tenant, and delays one that begins later until the transaction ends.
const selection locked_tenant{"locked_tenant",
                              "select {columns} from tenants where account_id = :account and id = :id"
                              " and email <> '' {for no key update}",
                              named<domain::uuid>("id")};

bool lock(session& db, const domain::tenant& tenant) {
  return db.internals()
      .read_one(locked_tenant, {{"account", tenant.account_id}, {"id", tenant.id}})
      .has_value();
}

} // namespace

std::optional<domain::tenant> find_tenant(session& db, const domain::uuid& account,
                                          const domain::tenant_details& details) {
  const auto key = domain::email_key(details.email);
  for (auto& each :
       db.internals().read_all(tenants_by_address, {{"account", account}, {"ascii", ascii_key(key)}}))
    if (domain::email_key(each.details.email) == key && lock(db, each)) return std::move(each);
  if (!details.fiscal_id || details.fiscal_id->empty()) return std::nullopt;
  for (auto& each : db.internals().read_all(tenants_by_fiscal_id,
                                            {{"account", account}, {"fiscal_id", *details.fiscal_id}}))
    if (lock(db, each)) return std::move(each);
  return std::nullopt;
}

} // namespace roost::store
