#include "store/stays/tenants.hpp"

#include "store/bookings/erasure.hpp"
#include "store/bookings/known_tenants.hpp"
#include "store/bookings/tenant_scope.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace roost::store {

namespace {

using tenant_outcome = office_outcome<office_tenant>;

constexpr auto office_tenant_columns = columns(nested(&office_tenant::tenant, tenant_columns.of("t")),
                                               column("t.created_at", &office_tenant::created_at),
                                               column("(t.email = '')", &office_tenant::is_erased));

/// A tenant as lists find and sort it.
struct listed_tenant {
  domain::uuid id{};
  domain::tenant_details details;
};
const selection listed_tenants{
    "listed_tenants", "select {columns} from tenants t where t.email <> '' and " + tenant_in_scope,
    columns(column("id", &listed_tenant::id), nested(&listed_tenant::details, tenant_details_columns))
        .of("t")};

const selection tenants_among{"tenants_among",
                              "select {columns} from tenants t where t.account_id = :account"
                              " and t.id in {ids uuid}",
                              office_tenant_columns};
const selection one_tenant{"one_tenant",
                           "select {columns} from tenants t where t.id = :id and " + tenant_in_scope,
                           office_tenant_columns};
/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_tenant{"tenant_to_change",
                              "select {columns} from tenants where account_id = :account and id = :id"
                              " {for no key update skip locked}",
                              named<domain::uuid>("id")};

const selection stays_of_tenants{
    "stays_of_tenants",
    "select {columns} from bookings k join units u on u.id = k.unit_id"
    " join properties p on p.id = u.property_id where k.tenant_id in {ids uuid} and k.account_id = :account"
    " and (:owner = '' or cast(p.owner_id as text) = :owner) order by k.check_in desc, k.id",
    named<domain::uuid>("k.tenant_id"),
    columns(column("k.id", &tenant_stay::booking_id), column("k.unit_id", &tenant_stay::unit_id),
            column("u.internal_name", &tenant_stay::unit_name), column("k.platform", &tenant_stay::platform),
            column("k.check_in", &tenant_stay::check_in), column("k.check_out", &tenant_stay::check_out),
            column("k.status", &tenant_stay::status))};

const selection categories_of_account{"categories_of_account",
                                      "select {columns} from accounts where id = :account",
                                      named<std::vector<domain::tenant_category>>("tenant_categories")};

constexpr query update_tenant{
    "update_tenant",
    "update tenants set first_name = :first, last_name = :last, email = :email, fiscal_id = :fiscal,"
    " phone = :phone, nationality = :nationality, category = :category where account_id = :account"
    " and id = :id"};

constexpr query remember_address{"remember_address",
                                 "insert into former_addresses (account_id, tenant_id, email)"
                                 " values (:account, :id, :email) on conflict do nothing"};

parameters tenant_scope(const office_scope& scope) {
  return {{"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}};
}

void add_stays(session& db, const office_scope& scope, std::span<office_tenant> tenants) {
  std::vector<domain::uuid> ids;
  by_id<office_tenant*> known;
  for (auto& each : tenants) {
    ids.push_back(each.tenant.id);
    known.emplace(each.tenant.id, &each);
  }
  read_in_parts(db, stays_of_tenants, std::span<const domain::uuid>(ids), tenant_scope(scope),
                [&](const domain::uuid& tenant, tenant_stay&& stay) {
                  known.at(tenant)->stays.push_back(std::move(stay));
                });
}

std::optional<office_tenant> read_tenant(session& db, const office_scope& scope, const domain::uuid& id) {
  auto values = tenant_scope(scope);
  values.emplace_back("id", id);
  auto found = db.internals().read_one(one_tenant, values);
  if (found) add_stays(db, scope, {&*found, 1});
  return found;
}

std::string full_name(const domain::tenant_details& details) {
  return details.first_name + (details.last_name ? ' ' + *details.last_name : std::string{});
}

bool is_known_category(session& db, const office_scope& scope, const std::string& name) {
  const auto categories =
      db.internals().read_one(categories_of_account, {{"account", scope.account_id}}).value();
  return std::ranges::find(categories, name, &domain::tenant_category::name) != categories.end();
}

/// Tenants as a kind of resource (office_resource.hpp): they are only changed.
struct tenant_resource {
  using resource = office_tenant;

  static domain::uuid id_of(const office_tenant& tenant) { return tenant.tenant.id; }

  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    const auto found = read_tenant(db, scope, id);
    if (!found) return false;
    if (db.internals().read_one(locked_tenant, {{"account", scope.account_id}, {"id", id}})) return true;
    throw locked_elsewhere("the tenant is being changed");
  }

  static office_tenant read(session& db, const office_scope& scope, const domain::uuid& id) {
    return read_tenant(db, scope, id).value();
  }

  static std::optional<office_refusal> refusal_of(session& db, const office_scope& scope,
                                                  const office_tenant* before, const office_tenant& after) {
    using enum office_result;
    if (before->is_erased) return office_refusal{conflicting, "The tenant's data was erased"};
    const auto &from = before->tenant, &to = after.tenant;
    if (to.category && to.category != from.category && !is_known_category(db, scope, *to.category))
      return office_refusal{refused, "category must be one of the account's tenant categories"};
    if (to.details.email == from.details.email && to.details.fiscal_id == from.details.fiscal_id)
      return std::nullopt;
    lock_stream(db); // keeps other transactions from adding tenants until the end of this one
    const auto shared = detail_of_another_tenant(db, to);
    if (!shared) return std::nullopt;
    const auto* const detail = *shared == shared_detail::email ? "email address" : "fiscal ID";
    return office_refusal{conflicting, std::string("Another tenant of the account has this ") + detail};
  }

  static office_trace update(session& db, const office_scope& scope, const office_tenant& before,
                             office_tenant& after, const office_author&) {
    const auto& details = after.tenant.details;
    db.internals().write(update_tenant, {{"account", scope.account_id},
                                         {"id", after.tenant.id},
                                         {"first", details.first_name},
                                         {"last", details.last_name},
                                         {"email", details.email},
                                         {"fiscal", details.fiscal_id},
                                         {"phone", details.phone},
                                         {"nationality", details.nationality},
                                         {"category", after.tenant.category}});
    if (const auto& former = before.tenant.details.email; former != details.email)
      db.internals().write(remember_address,
                           {{"account", scope.account_id}, {"id", after.tenant.id}, {"email", former}});
    change changed{change_kind::tenant, {scope.account_id}, {}, {after.tenant.id}};
    for (const auto& stay : before.stays)
      if (std::ranges::find(changed.units, stay.unit_id) == changed.units.end())
        changed.units.push_back(stay.unit_id);
    return {std::move(changed)};
  }

  /// Before any change by the office or by a later booking (set_category()), the tenant is as the first
  /// booking brought it.
  static last_change last_change_of(session& db, const office_scope& scope, const office_tenant& tenant) {
    if (const auto entry = newest_audit_of(db, domain::to_string(tenant.tenant.id), scope.account_id))
      return {author_of(*entry), entry->made_at};
    const auto first = tenant.stays.empty() ? std::nullopt : tenant.stays.back().platform;
    return {first.value_or(changed_by_import), tenant.created_at};
  }
};

std::string text_of(erasure_obstacle obstacle) {
  return obstacle == erasure_obstacle::undecided_request
             ? "A booking request of this guest is still undecided. Try again after its decision"
             : "The tenant has a current or future stay. Cancel it first, or wait until it has ended";
}

tenant_outcome outcome_of(office_result result, std::optional<office_tenant> tenant,
                          std::string problem = {}) {
  tenant_outcome done;
  done.result = result;
  if (tenant) done.resource = *std::move(tenant);
  done.problem = std::move(problem);
  return done;
}

std::string counted_rows(const erasure& erased) {
  return domain::counted(erased.tenants, "tenant", "tenants") + ", " +
         domain::counted(erased.requests, "request", "requests");
}

} // namespace

name_place place_of(const office_tenant& tenant) {
  return place_of_name(full_name(tenant.tenant.details), tenant.tenant.id);
}

namespace {

name_list names_of_tenants(session& db, const office_scope& scope, const std::string& text) {
  name_list list(text);
  db.internals().read(listed_tenants, tenant_scope(scope), [&](const listed_tenant& each) {
    const auto& details = each.details;
    list.add(each.id, full_name(details), details.email + ' ' + details.phone.value_or(""));
  });
  return list;
}

/// Returns the tenants in any order.
std::vector<office_tenant> read_tenants(session& db, const office_scope& scope,
                                        std::span<const domain::uuid> ids) {
  if (ids.empty()) return {};
  auto& connection = db.internals();
  auto tenants =
      connection.read_all(tenants_among, {{"account", scope.account_id}, {"ids", connection.list(ids)}});
  add_stays(db, scope, tenants);
  return tenants;
}

} // namespace

office_page<office_tenant> list_tenants(session& db, const office_scope& scope, const std::string& text,
                                        const std::optional<name_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  const auto read = [&](const std::vector<domain::uuid>& ids) { return read_tenants(db, scope, ids); };
  return names_of_tenants(db, scope, text).page<office_tenant>(after, limit, read, place_of);
}

std::vector<domain::uuid> ids_of_tenants(session& db, const office_scope& scope, const std::string& text) {
  const transaction txn(db, transaction::purpose::read);
  return names_of_tenants(db, scope, text).take_ids();
}

std::vector<office_tenant> tenants_of(session& db, const office_scope& scope,
                                      std::span<const domain::uuid> ids) {
  const transaction txn(db, transaction::purpose::read);
  by_id<std::size_t> places;
  for (const auto& id : ids) places.emplace(id, places.size());
  auto tenants = read_tenants(db, scope, ids);
  std::ranges::sort(tenants, {}, [&](const office_tenant& each) { return places.at(each.tenant.id); });
  return tenants;
}

std::optional<office_tenant> find_tenant(session& db, const office_scope& scope, const domain::uuid& id) {
  const transaction txn(db, transaction::purpose::read);
  return read_tenant(db, scope, id);
}

tenant_outcome change_tenant(session& db, const lease& held, const office_scope& scope,
                             const office_change<office_tenant>& request, const office_author& author) {
  return office_resource<tenant_resource>::change(db, held, scope, request, author);
}

tenant_outcome erase_tenant(session& db, const lease& held, const office_scope& scope, const domain::uuid& id,
                            const office_author& author,
                            const std::function<bool(session&, domain::timestamp)>& is_time_trusted) {
  using enum office_result;
  auto stored = find_tenant(db, scope, id);
  if (!stored) return outcome_of(not_found, {});
  const auto today = domain::day_of(author.now);
  const auto guest = find_guest_of(db, {scope.account_id, id}, today);
  if (!guest) {
    auto repeated = outcome_of(unchanged, std::move(stored));
    repeated.point = newest_point(db);
    return repeated;
  }
  if (!is_time_trusted(db, author.now))
    return outcome_of(conflicting, std::move(stored),
                      "The server's clock may be wrong, and with it whether the stays have ended");
  if (guest->obstacle) return outcome_of(conflicting, std::move(stored), text_of(*guest->obstacle));
  const auto erased = erase_guest(db, held, *guest, today, [&](const erasure& written) {
    auto entry = author.audit;
    entry.account_id = scope.account_id;
    entry.detail = counted_rows(written);
    record_audit(db, entry);
  });
  if (erased.obstacle) return outcome_of(conflicting, std::move(stored), text_of(*erased.obstacle));
  auto done = outcome_of(erased.change ? changed : unchanged, find_tenant(db, scope, id));
  done.point = erased.change ? *erased.change : newest_point(db);
  return done;
}

} // namespace roost::store
