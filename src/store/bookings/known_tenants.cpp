#include "store/bookings/known_tenants.hpp"

#include "domain/email_address.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/address_condition.hpp"
#include "store/bookings/tenant_scope.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <string>
#include <vector>

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

const selection is_tenant_in_scope{"is_tenant_in_scope",
                                   "select {columns} from tenants t where t.id = :id and " + tenant_in_scope,
                                   named<bool>("count(*) > 0")};

bool is_known_to(session& db, const std::optional<domain::uuid>& owner, const domain::tenant& tenant) {
  return !owner || db.internals()
                       .read_one(is_tenant_in_scope, {{"id", tenant.id},
                                                      {"account", tenant.account_id},
                                                      {"owner", domain::to_string(*owner)}})
                       .value();
}

constexpr query set_missing_category{"set_category",
                                     "update tenants set category = :category"
                                     " where account_id = :account and id = :id and category is null"};

bool lock(session& db, const domain::tenant& tenant) {
  return db.internals()
      .read_one(locked_tenant, {{"account", tenant.account_id}, {"id", tenant.id}})
      .has_value();
}

/// Returns the account's tenants with this email address, in any letter case, by creation.
std::vector<domain::tenant> tenants_with_address(session& db, const domain::uuid& account,
                                                 const std::string& email) {
  const auto key = domain::email_key(email);
  auto found = db.internals().read_all(tenants_by_address, {{"account", account}, {"ascii", ascii_key(key)}});
  std::erase_if(found,
                [&](const domain::tenant& each) { return domain::email_key(each.details.email) != key; });
  return found;
}

/// Returns the account's tenants with this fiscal id, by creation.
std::vector<domain::tenant> tenants_with_fiscal_id(session& db, const domain::uuid& account,
                                                   const std::optional<std::string>& fiscal_id) {
  if (!fiscal_id || fiscal_id->empty()) return {};
  return db.internals().read_all(tenants_by_fiscal_id, {{"account", account}, {"fiscal_id", *fiscal_id}});
}

} // namespace

std::optional<domain::tenant> find_tenant(session& db, const domain::uuid& account,
                                          const std::optional<domain::uuid>& owner,
                                          const domain::tenant_details& details) {
  const auto is_found = [&](const domain::tenant& each) {
    return is_known_to(db, owner, each) && lock(db, each);
  };
  for (auto& each : tenants_with_address(db, account, details.email))
    if (is_found(each)) return std::move(each);
  for (auto& each : tenants_with_fiscal_id(db, account, details.fiscal_id))
    if (is_found(each)) return std::move(each);
  return std::nullopt;
}

std::optional<shared_detail> detail_of_another_tenant(session& db, const domain::tenant& tenant) {
  const auto has_another = [&](const std::vector<domain::tenant>& found) {
    return std::ranges::any_of(found, [&](const domain::tenant& each) { return each.id != tenant.id; });
  };
  const auto& details = tenant.details;
  if (has_another(tenants_with_address(db, tenant.account_id, details.email))) return shared_detail::email;
  if (has_another(tenants_with_fiscal_id(db, tenant.account_id, details.fiscal_id)))
    return shared_detail::fiscal_id;
  return std::nullopt;
}

void set_category(session& db, const booked_category& given) {
  const auto written = db.internals().write(
      set_missing_category,
      {{"id", given.tenant_id}, {"account", given.account_id}, {"category", given.category}});
  if (written == 0) return;
  record_audit(db, {given.entry_id, given.at, given.by, tenant_change, domain::to_string(given.tenant_id),
                    "category: null to \"" + given.category + '"', given.account_id});
}

} // namespace roost::store
