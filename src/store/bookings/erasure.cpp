#include "store/bookings/erasure.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr auto key_columns =
    columns(column("account_id", &tenant_key::account_id), column("id", &tenant_key::id));
const selection tenants_by_id_or_email{"tenants_by_id_or_email",
                                       "select {columns} from tenants where email <> ''"
                                       " and (cast(id as text) = :wanted or lower(email) = lower(:wanted))",
                                       key_columns};
const selection tenants_of_old{
    "tenants_of_old",
    "select {columns} from tenants t where email <> '' and not exists (select 1 from bookings b"
    " where b.account_id = t.account_id and b.tenant_id = t.id and b.check_out >= :before) limit :most",
    key_columns};
const selection stays_to_come{"stays_to_come",
                              "select {columns} from bookings where tenant_id in {ids uuid}"
                              " and status <> 'cancelled' and check_out >= :today",
                              named<std::int64_t>("count(*)")};

struct booking_keys {
  domain::uuid id{}, request_id{}, unit_id{};
};
const selection bookings_of_tenants{
    "bookings_of_tenants", "select {columns} from bookings where tenant_id in {ids uuid}",
    columns(column("id", &booking_keys::id), column("request_id", &booking_keys::request_id),
            column("unit_id", &booking_keys::unit_id))};

const selection refused_of_old{"refused_of_old",
                               "select {columns} from booking_requests where state in ('Failed', 'Dropped')"
                               " and email <> '' and check_out < :before limit :most",
                               named<domain::uuid>("id")};
const selection refused_of_email{"refused_of_email",
                                 "select {columns} from booking_requests where state in ('Failed', 'Dropped')"
                                 " and lower(email) = lower(:email)",
                                 named<domain::uuid>("id")};

constexpr query erase_tenant_rows{
    "erase_tenant_rows",
    "update tenants set first_name = 'Erased', last_name = null, email = '', fiscal_id = null,"
    " phone = null, nationality = null where id in {ids uuid}"};
constexpr query erase_request_rows{
    "erase_request_rows",
    "update booking_requests set first_name = 'Erased', last_name = null, email = '', fiscal_id = null,"
    " phone = null, nationality = null where id in {ids uuid}"};
constexpr query erase_notification_rows{
    "erase_notification_rows",
    "update notifications set body = 'The guest''s data was erased.' where request_id in {ids uuid}"};

template <typename Key>
std::vector<domain::uuid> each_once(const std::vector<Key>& from, domain::uuid Key::*member) {
  std::vector<domain::uuid> ids;
  ids.reserve(from.size());
  for (const auto& each : from) ids.push_back(each.*member);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// The second entry makes decisions stale that rest on what memory knew of these tenants: a new booking must
/// not become an erased one's.
stream_point note_erasure(session& db, const std::vector<tenant_key>& tenants,
                          const std::vector<booking_keys>& bookings) {
  const auto accounts = each_once(tenants, &tenant_key::account_id);
  append(db, {change_kind::calendar, accounts, each_once(bookings, &booking_keys::unit_id),
              each_once(bookings, &booking_keys::id)});
  return append(db, {change_kind::account, accounts, {}, {}});
}

/// Within the caller's transaction.
erasure erase(session& db, const std::vector<tenant_key>& tenants, std::vector<domain::uuid> requests) {
  auto& connection = db.internals();
  erasure done;
  const auto write = [&](const query& what, const std::vector<domain::uuid>& ids) {
    return ids.empty() ? 0 : connection.write(what, {{"ids", connection.list(ids)}});
  };
  std::vector<booking_keys> bookings;
  const auto ids = each_once(tenants, &tenant_key::id);
  if (!ids.empty()) bookings = connection.read_all(bookings_of_tenants, {{"ids", connection.list(ids)}});
  for (const auto& each : bookings) requests.push_back(each.request_id);
  done.tenants = write(erase_tenant_rows, ids);
  done.requests = write(erase_request_rows, requests);
  done.notifications = write(erase_notification_rows, requests);
  if (!bookings.empty()) done.change = note_erasure(db, tenants, bookings);
  return done;
}

} // namespace

std::vector<tenant_key> find_tenants(session& db, std::string_view id_or_email) {
  return db.internals().read_all(tenants_by_id_or_email, {{"wanted", to_cell(id_or_email)}});
}

bool have_stays_to_come(session& db, std::span<const tenant_key> tenants, domain::date today) {
  const auto ids = each_once(std::vector(tenants.begin(), tenants.end()), &tenant_key::id);
  return db.internals().read_one(stays_to_come,
                                 {{"ids", db.internals().list(ids)}, {"today", to_cell(today)}}) > 0;
}

erasure erase_tenants(session& db, std::span<const tenant_key> tenants, std::string_view email) {
  transaction within(db, transaction::purpose::write);
  std::vector<domain::uuid> requests;
  if (!email.empty()) requests = db.internals().read_all(refused_of_email, {{"email", to_cell(email)}});
  auto done = erase(db, std::vector(tenants.begin(), tenants.end()), std::move(requests));
  within.commit();
  return done;
}

erasure erase_guests_of_old(session& db, const lease& held, domain::date before, std::size_t most) {
  const parameters limits{{"before", to_cell(before)}, {"most", to_cell(most)}};
  const auto tenants = db.internals().read_all(tenants_of_old, limits); // no lock while they are looked for
  auto requests = db.internals().read_all(refused_of_old, limits);
  if (tenants.empty() && requests.empty()) return {};
  write_transaction within(db, held);
  auto done = erase(db, tenants, std::move(requests));
  within.commit();
  return done;
}

} // namespace roost::store
