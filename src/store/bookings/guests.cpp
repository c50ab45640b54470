#include "store/bookings/guests.hpp"

#include "domain/email_address.hpp"
#include "store/bookings/address_condition.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace roost::store {

namespace {

constexpr std::size_t page_size = 1'000;

// Finding

struct addressed_tenant {
  tenant_key key;
  std::string email;
};
struct addressed_request {
  std::int64_t seq = 0;
  domain::uuid id{};
  domain::request_state state{};
  std::string email;
};

constexpr auto addressed_tenant_columns =
    columns(nested(&addressed_tenant::key, tenant_key_columns), column("email", &addressed_tenant::email));
constexpr auto addressed_request_columns =
    columns(column("seq", &addressed_request::seq), column("id", &addressed_request::id),
            column("state", &addressed_request::state), column("email", &addressed_request::email));

const selection tenants_of_address{
    "tenants_of_address",
    with_address("select {columns} from tenants where (account_id, id) > (:account, :id)",
                 "order by account_id, id limit :limit"),
    addressed_tenant_columns};
const selection requests_of_address{
    "requests_of_address",
    with_address("select {columns} from booking_requests where seq > :seq", "order by seq limit :limit"),
    addressed_request_columns};
const selection new_requests_of_address{
    "new_requests_of_address",
    with_address("select {columns} from booking_requests where state = 'New' and seq > :seq",
                 "order by seq limit :limit"),
    addressed_request_columns};

const selection tenants_of_account_and_address{
    "tenants_of_account_and_address",
    with_address(
        "select {columns} from tenants where account_id = :owner and (account_id, id) > (:account, :id)",
        "order by account_id, id limit :limit"),
    addressed_tenant_columns};
const selection requests_of_account_and_address{
    "requests_of_account_and_address",
    with_address("select {columns} from booking_requests where account_id = :owner and seq > :seq",
                 "order by seq limit :limit"),
    addressed_request_columns};
const selection email_of_account_tenant{
    "email_of_account_tenant",
    "select {columns} from tenants where account_id = :account and id = :id and email <> ''",
    named<std::string>("email")};

const selection email_of_tenant{"email_of_tenant",
                                "select {columns} from tenants where id = :id and email <> ''",
                                named<std::string>("email")};

constexpr auto former_address_columns = columns(
    column("account_id", &addressed_tenant::key, &tenant_key::account_id),
    column("tenant_id", &addressed_tenant::key, &tenant_key::id), column("email", &addressed_tenant::email));
const selection former_addresses_of_tenants{"former_addresses_of_tenants",
                                            "select {columns} from former_addresses where account_id in "
                                            "{accounts uuid} and tenant_id in {tenants uuid}",
                                            former_address_columns};

parameters after(const addressed_tenant& last) {
  return {{"account", last.key.account_id}, {"id", last.key.id}};
}
parameters after(const addressed_request& last) { return {{"seq", last.seq}}; }

/// Finds the rows with an address, page by page because the program may have to check many.
template <typename Part>
std::vector<selected<Part>> find_by_address(session& db, const selection<Part>& rows,
                                            const std::string& address, const parameters& others = {}) {
  std::vector<selected<Part>> matches;
  selected<Part> last{};
  for (bool more = true; more;) {
    auto values = after(last);
    values.insert(values.end(), others.begin(), others.end());
    values.emplace_back("ascii", ascii_key(address));
    values.emplace_back("limit", page_size);
    auto page = db.internals().read_all(rows, values);
    more = page.size() == page_size;
    if (more) last = page.back();
    std::ranges::copy_if(page, std::back_inserter(matches),
                         [&](const auto& each) { return domain::email_key(each.email) == address; });
  }
  return matches;
}

constexpr auto guest_stay_columns =
    columns(column("id", &guest_stay::id), column("request_id", &guest_stay::request_id),
            column("account_id", &guest_stay::account_id), column("tenant_id", &guest_stay::tenant_id),
            column("check_out", &guest_stay::check_out), column("status", &guest_stay::status));
/// PostgreSQL would read all bookings for an `or` of the two conditions.
const selection stays_of_guests{
    "stays_of_guests",
    "select {columns} from bookings where id in"
    " (select id from bookings where account_id in {accounts uuid} and tenant_id in {tenants uuid}"
    " union select id from bookings where request_id in {requests uuid})",
    guest_stay_columns};

} // namespace

std::vector<guest_stay> stays_of(session& db, const guest_rows& rows) {
  const auto& connection = db.internals();
  return db.internals().read_all(
      stays_of_guests, {{"accounts", connection.list(distinct(rows.tenants, &tenant_key::account_id))},
                        {"tenants", connection.list(distinct(rows.tenants, &tenant_key::id))},
                        {"requests", connection.list(rows.requests)}});
}

void add_requests_of(const std::vector<guest_stay>& stays, guest_rows& rows) {
  for (const auto& stay : stays)
    if (stay.request_id) rows.requests.push_back(*stay.request_id);
  std::ranges::sort(rows.requests);
  rows.requests.erase(std::unique(rows.requests.begin(), rows.requests.end()), rows.requests.end());
}

std::optional<erasure_obstacle> obstacle_of(bool is_undecided, const std::vector<guest_stay>& stays,
                                            domain::date today) {
  if (is_undecided) return erasure_obstacle::undecided_request;
  const bool is_unfinished = std::ranges::any_of(stays, [today](const guest_stay& stay) {
    return stay.status != domain::booking_status::cancelled && stay.check_out >= today;
  });
  return is_unfinished ? std::optional{erasure_obstacle::unfinished_stay} : std::nullopt;
}

bool has_new_request(session& db, const std::string& address) {
  return !find_by_address(db, new_requests_of_address, address).empty();
}

namespace {

/// Adds decided requests of the tenants' accounts with a former address of a tenant, unless another tenant of
/// the account has it now.
void add_requests_of_former_addresses(session& db, guest_rows& rows) {
  const auto& connection = db.internals();
  const auto former =
      db.internals().read_all(former_addresses_of_tenants,
                              {{"accounts", connection.list(distinct(rows.tenants, &tenant_key::account_id))},
                               {"tenants", connection.list(distinct(rows.tenants, &tenant_key::id))}});
  for (const auto& each : former) {
    const auto key = domain::email_key(each.email);
    const parameters account{{"owner", each.key.account_id}};
    const auto owners = find_by_address(db, tenants_of_account_and_address, key, account);
    const bool is_another = std::ranges::any_of(owners, [&](const addressed_tenant& owner) {
      return std::ranges::find(rows.tenants, owner.key) == rows.tenants.end();
    });
    if (is_another) continue;
    for (const auto& request : find_by_address(db, requests_of_account_and_address, key, account))
      rows.requests.push_back(request.id);
  }
}

/// Completes a guest with these rows by the requests of the tenants' bookings and of their former addresses,
/// and by what keeps the guest from being erased.
known_guest guest_with(session& db, std::string address, guest_rows rows, bool is_undecided,
                       domain::date today) {
  add_requests_of_former_addresses(db, rows);
  const auto stays = stays_of(db, rows);
  add_requests_of(stays, rows);
  return {std::move(address), std::move(rows.tenants), std::move(rows.requests),
          obstacle_of(is_undecided, stays, today)};
}

} // namespace

std::optional<std::string> address_of_tenant(session& db, const domain::uuid& id) {
  return db.internals().read_one(email_of_tenant, {{"id", id}});
}

known_guest find_guest(session& db, std::string_view address, domain::date today) {
  const transaction txn(db, transaction::purpose::read);
  auto key = domain::email_key(address);
  guest_rows rows;
  bool is_undecided = false;
  for (const auto& tenant : find_by_address(db, tenants_of_address, key)) rows.tenants.push_back(tenant.key);
  for (const auto& request : find_by_address(db, requests_of_address, key))
    if (request.state == domain::request_state::pending)
      is_undecided = true;
    else
      rows.requests.push_back(request.id);
  return guest_with(db, std::move(key), std::move(rows), is_undecided, today);
}

std::optional<known_guest> find_guest_of(session& db, const tenant_key& tenant, domain::date today) {
  const transaction txn(db, transaction::purpose::read);
  const auto address =
      db.internals().read_one(email_of_account_tenant, {{"account", tenant.account_id}, {"id", tenant.id}});
  if (!address) return std::nullopt;
  auto key = domain::email_key(*address);
  const parameters account{{"owner", tenant.account_id}};
  guest_rows rows;
  for (const auto& each : find_by_address(db, tenants_of_account_and_address, key, account))
    rows.tenants.push_back(each.key);
  for (const auto& each : find_by_address(db, requests_of_account_and_address, key, account))
    rows.requests.push_back(each.id);
  const bool is_undecided = has_new_request(db, key);
  return guest_with(db, std::move(key), std::move(rows), is_undecided, today);
}

} // namespace roost::store
