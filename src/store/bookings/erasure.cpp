#include "store/bookings/erasure.hpp"

#include "domain/booking_terms.hpp"
#include "store/audit/audit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/divided_write.hpp"
#include "store/database/store_state.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace roost::store {

namespace {

const selection former_tenants{"former_tenants",
                               "select {columns} from tenants where email <> '' except"
                               " select account_id, tenant_id from bookings where check_out >= :before"
                               " limit :limit",
                               tenant_key_columns};
const selection former_refusals{"former_refusals",
                                "select {columns} from booking_requests where state in ('Failed', 'Dropped')"
                                " and email <> '' and check_out < :before limit :limit",
                                named<domain::uuid>("id")};

constexpr auto changed_stay_columns =
    columns(column("request_id", &guest_stay::request_id), column("tenant_id", &guest_stay::tenant_id));
const selection stays_of_change{"stays_of_change", "select {columns} from bookings where id in {ids uuid}",
                                changed_stay_columns};

/// Removes the tenants with a stay that ends on that day or later, and all their stays.
void spare_recent_guests(domain::date before, std::vector<tenant_key>& tenants,
                         std::vector<guest_stay>& stays) {
  std::set<domain::uuid> spared;
  for (const auto& stay : stays)
    if (stay.check_out >= before) spared.insert(stay.tenant_id);
  std::erase_if(tenants, [&](const tenant_key& tenant) { return spared.contains(tenant.id); });
  std::erase_if(stays, [&](const guest_stay& stay) { return spared.contains(stay.tenant_id); });
}

// Writing

constexpr query erase_tenant_rows{
    "erase_tenant_rows",
    "update tenants set first_name = 'Erased', last_name = null, email = '', fiscal_id = null,"
    " phone = null, nationality = null"
    " where account_id in {accounts uuid} and id in {ids uuid} and email <> ''"};
constexpr query erase_former_addresses{
    "erase_former_addresses",
    "delete from former_addresses where account_id in {accounts uuid} and tenant_id in {ids uuid}"};
constexpr query erase_request_rows{
    "erase_request_rows",
    "update booking_requests set first_name = 'Erased', last_name = null, email = '', fiscal_id = null,"
    " phone = null, nationality = null where id in {ids uuid} and email <> ''"};
constexpr query erase_notification_rows{
    "erase_notification_rows",
    "update notifications set body = 'The guest''s data was erased.' where request_id in {ids uuid}"
    " and body <> 'The guest''s data was erased.'"};

constexpr query erase_notifications_of_stays{
    "erase_notifications_of_stays",
    "update notifications set body = 'The guest''s data was erased.' where booking_id in {ids uuid}"
    " and request_id is null and body <> 'The guest''s data was erased.'"};
/// The hash of a request for a manual booking covers the guest's data.
constexpr query erase_creations_of_stays{"erase_creations_of_stays",
                                         "delete from office_creations where id in {ids uuid}"};

/// The reason of a cancellation is free text about the guest. Details of other entries name neither the guest
/// nor a reason.
constexpr query erase_reasons_of_cancellations{
    "erase_reasons_of_cancellations",
    "update audit set detail = 'The guest''s data was erased.' where subject in {subjects text}"
    " and action = :action and detail like '%reason: %'"};
/// Notes are free text, too.
constexpr query erase_notes_of_receipts{
    "erase_notes_of_receipts",
    "update received_payments set note = '' where booking_id in {ids uuid} and note <> ''"};
/// An audit entry about a received payment.
struct receipt_entry {
  domain::uuid id{};
  std::string payment_id;
};
/// A payment's id begins like its booking's (domain::payment_id()), and like those of other bookings.
const selection receipts_in_audit{
    "receipts_in_audit",
    "select {columns} from audit where account_id in {accounts uuid} and action = :action"
    " and substr(subject, 1, 13) in {beginnings text} and detail <> 'The guest''s data was erased.'",
    columns(column("id", &receipt_entry::id), column("subject", &receipt_entry::payment_id))};
constexpr query erase_receipts_in_audit{
    "erase_receipts_in_audit",
    "update audit set detail = 'The guest''s data was erased.' where id in {ids uuid}"};

/// The entries keep their author and time.
constexpr query erase_audit_rows{
    "erase_audit_rows",
    "update audit set detail = 'The guest''s data was erased.' where subject in {tenants text}"
    " and action = :action and detail <> 'The guest''s data was erased.'"};

/// Returns one booking per tenant, from which memory reloads the tenant. Prefers one that is not cancelled,
/// because a cancelled one would look like a cancellation.
std::vector<guest_stay> one_stay_per_tenant(const std::vector<tenant_key>& tenants,
                                            const std::vector<guest_stay>& stays) {
  std::map<domain::uuid, guest_stay> chosen;
  for (const auto& tenant : tenants)
    for (const auto& stay : stays) {
      if (stay.tenant_id != tenant.id) continue;
      auto& candidate = chosen.try_emplace(tenant.id, stay).first->second;
      if (candidate.status == domain::booking_status::cancelled) candidate = stay;
    }
  std::vector<guest_stay> result;
  result.reserve(chosen.size());
  for (const auto& [tenant, stay] : chosen) result.push_back(stay);
  return result;
}

/// The second entry invalidates decisions based on what memory knew about these tenants: a new booking must
/// not be assigned to an erased tenant. Its event includes the first one.
stream_point append_erasure(session& db, const std::vector<tenant_key>& tenants,
                            const std::vector<guest_stay>& stays) {
  const auto accounts = distinct(tenants, &tenant_key::account_id);
  const auto reloaded = one_stay_per_tenant(tenants, stays);
  append(db, {change_kind::calendar, accounts, {}, distinct(reloaded, &guest_stay::id), shown_resources{}});
  return append(db, {change_kind::account, accounts, {}, {}});
}

/// Returns whether a transaction at one of the `positions` positions following `after` created or cancelled a
/// stay of these guests.
bool have_stays_changed(session& db, const guest_rows& rows, std::int64_t after, std::int64_t positions) {
  if (positions <= 0) return false;
  std::vector<domain::uuid> bookings;
  for (const auto& entry : entries_after(db, after, static_cast<std::size_t>(positions)))
    if (entry.change.kind == change_kind::calendar)
      bookings.insert(bookings.end(), entry.change.subjects.begin(), entry.change.subjects.end());
  if (bookings.empty()) return false;
  const auto tenants = distinct(rows.tenants, &tenant_key::id);
  const auto stays = db.internals().read_all(stays_of_change, {{"ids", db.internals().list(bookings)}});
  return std::ranges::any_of(stays, [&](const guest_stay& stay) {
    return std::ranges::binary_search(tenants, stay.tenant_id) ||
           (stay.request_id && std::ranges::binary_search(rows.requests, *stay.request_id));
  });
}

std::vector<domain::uuid> made_by_hand(const std::vector<guest_stay>& stays) {
  std::vector<domain::uuid> ids;
  for (const auto& stay : stays)
    if (!stay.request_id) ids.push_back(stay.id);
  return ids;
}

/// Returns what audit entries about these stays name.
std::vector<std::string> subjects_of(const std::vector<guest_stay>& stays) {
  std::vector<std::string> subjects;
  subjects.reserve(stays.size());
  for (const auto& stay : stays) subjects.push_back(domain::to_string(stay.id));
  return subjects;
}

bool is_payment_of_one(const std::string& payment_id, const std::vector<guest_stay>& stays) {
  const auto payment = domain::parse_uuid(payment_id);
  return payment && std::ranges::any_of(stays, [&](const guest_stay& stay) {
           return domain::is_payment_of(*payment, stay.id, stay.check_out);
         });
}

/// Erases what the office noted about received payments of these stays.
void erase_notes(session& db, const std::vector<guest_stay>& stays, const std::string& accounts) {
  constexpr std::size_t shared = 13; // characters of a payment's and its booking's id
  auto& connection = db.internals();
  auto beginnings = subjects_of(stays);
  for (auto& each : beginnings) each.resize(shared);
  connection.write(erase_notes_of_receipts, {{"ids", connection.list(distinct(stays, &guest_stay::id))}});
  std::vector<domain::uuid> entries;
  connection.read(
      receipts_in_audit,
      {{"accounts", accounts}, {"action", payment_received}, {"beginnings", connection.list(beginnings)}},
      [&](const receipt_entry& entry) {
        if (is_payment_of_one(entry.payment_id, stays)) entries.push_back(entry.id);
      });
  if (!entries.empty()) connection.write(erase_receipts_in_audit, {{"ids", connection.list(entries)}});
}

/// Erases the rows in the caller's transaction, which read the stays after the stream stood at `seen`.
/// Returns nullopt if another transaction has created or cancelled one of these stays since; then the caller
/// must not commit. This check comes last, when this transaction holds the stream and no other can commit
/// such a change.
std::optional<erasure> erase(session& db, const guest_rows& rows, const std::vector<guest_stay>& stays,
                             std::int64_t seen) {
  constexpr std::int64_t own_entries = 2;
  auto& connection = db.internals();
  const auto accounts = connection.list(distinct(rows.tenants, &tenant_key::account_id));
  const auto tenants = connection.list(distinct(rows.tenants, &tenant_key::id));
  const auto requests = connection.list(rows.requests);
  erasure result;
  result.tenants = connection.write(erase_tenant_rows, {{"accounts", accounts}, {"ids", tenants}});
  connection.write(erase_former_addresses, {{"accounts", accounts}, {"ids", tenants}});
  result.requests = connection.write(erase_request_rows, {{"ids", requests}});
  result.notifications = connection.write(erase_notification_rows, {{"ids", requests}});
  if (const auto manual = made_by_hand(stays); !manual.empty()) {
    const auto ids = connection.list(manual);
    result.notifications += connection.write(erase_notifications_of_stays, {{"ids", ids}});
    connection.write(erase_creations_of_stays, {{"ids", ids}});
  }
  connection.write(erase_audit_rows, {{"tenants", tenants}, {"action", tenant_change}});
  if (result.tenants == 0) return result;
  connection.write(erase_reasons_of_cancellations,
                   {{"subjects", connection.list(subjects_of(stays))}, {"action", booking_cancel}});
  erase_notes(db, stays, accounts);
  result.change = append_erasure(db, rows.tenants, stays);
  if (have_stays_changed(db, rows, seen, result.change->position - own_entries - seen)) return std::nullopt;
  return result;
}

bool is_empty(const erasure& result) { return result.tenants + result.requests + result.notifications == 0; }

/// Erases a guest in a transaction of this kind.
template <typename Transaction, typename Permission>
erasure erase_guest_in(session& db, const Permission& permission, const known_guest& guest,
                       domain::date today, const std::function<void(const erasure&)>& before_commit) {
  for (;;) {
    Transaction txn(db, permission);
    if constexpr (std::is_same_v<Transaction, write_transaction>) limit_lock_waits(db);
    refuse_while_importing(db);
    const auto seen = newest_point(db).position;
    guest_rows rows{guest.tenants, guest.requests};
    const auto stays = stays_of(db, rows);
    const bool is_undecided = has_new_request(db, guest.address);
    if (const auto obstacle = obstacle_of(is_undecided, stays, today)) return {.obstacle = obstacle};
    add_requests_of(stays, rows);
    const auto result = erase(db, rows, stays, seen);
    if (!result) continue;
    if (is_empty(*result)) return *result;
    if (before_commit) before_commit(*result);
    txn.commit();
    return *result;
  }
}

} // namespace

erasure erase_guest(session& db, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit) {
  return erase_guest_in<transaction>(db, transaction::purpose::write, guest, today, before_commit);
}

erasure erase_guest(session& db, const lease& held, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit) {
  return erase_guest_in<write_transaction>(db, held, guest, today, before_commit);
}

namespace {

/// Erases the rows in a transaction of its own, except tenants with a stay that ends on that day or later.
erasure erase_former(session& db, const lease& held, domain::date before, const guest_rows& former) {
  for (;;) {
    write_transaction txn(db, held);
    if (is_import_pending(db)) return {};
    const auto seen = newest_point(db).position;
    auto rows = former;
    auto stays = stays_of(db, rows);
    spare_recent_guests(before, rows.tenants, stays);
    add_requests_of(stays, rows);
    const auto result = erase(db, rows, stays, seen);
    if (!result) continue;
    if (!is_empty(*result)) txn.commit();
    return *result;
  }
}

} // namespace

erasure erase_former_guests(session& db, const lease& held, domain::date before, std::size_t limit,
                            const guest_rows& known_rejected) {
  const auto limits = [&](std::size_t left_out) {
    return parameters{{"before", before}, {"limit", limit + left_out}};
  };
  // Read before the transactions, to hold no lock meanwhile.
  auto tenants = db.internals().read_all(former_tenants, limits(known_rejected.tenants.size()));
  leave_out<tenant_key>(known_rejected.tenants, tenants);
  auto requests = db.internals().read_all(former_refusals, limits(known_rejected.requests.size()));
  leave_out<domain::uuid>(known_rejected.requests, requests);
  erasure total;
  const auto add = [&](const guest_rows& rows) {
    const auto part = erase_former(db, held, before, rows);
    total.tenants += part.tenants;
    total.requests += part.requests;
    total.notifications += part.notifications;
    if (part.change) total.change = part.change;
  };
  for (auto& each : write_divided(std::span<const tenant_key>(tenants), [&](auto part) {
         add({{part.begin(), part.end()}, {}});
       }))
    total.rejected.tenants.push_back(each.item);
  for (auto& each : write_divided(std::span<const domain::uuid>(requests), [&](auto part) {
         add({{}, {part.begin(), part.end()}});
       }))
    total.rejected.requests.push_back(each.item);
  return total;
}

} // namespace roost::store
