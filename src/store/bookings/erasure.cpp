#include "store/bookings/erasure.hpp"

#include "domain/text.hpp"
#include "store/columns/enum_text.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/import_marker.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace roost::store {

namespace {

constexpr std::size_t rows_a_read = 1'000;

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

constexpr auto key_columns =
    columns(column("account_id", &tenant_key::account_id), column("id", &tenant_key::id));
constexpr auto addressed_tenant_columns =
    columns(nested(&addressed_tenant::key, key_columns), column("email", &addressed_tenant::email));
constexpr auto addressed_request_columns =
    columns(column("seq", &addressed_request::seq), column("id", &addressed_request::id),
            column("state", &addressed_request::state), column("email", &addressed_request::email));

/// No database folds letters of all scripts, so it leaves those with letters beyond ASCII to the program. An
/// address in ASCII may be that of one without: `ß` is `ss`. Erased rows have none.
texts_by_dialect of_address(const std::string& before, const std::string& after) {
  return {before +
              " and email <> '' and (lower(email collate \"C\") = :ascii"
              " or octet_length(email) <> length(email)) " +
              after,
          before +
              " and email <> '' and (lower(email) = :ascii"
              " or length(cast(email as blob)) <> length(email)) " +
              after};
}

const selection tenants_of_address{
    "tenants_of_address",
    of_address("select {columns} from tenants where (account_id, id) > (:account, :id)",
               "order by account_id, id limit :most"),
    addressed_tenant_columns};
const selection requests_of_address{
    "requests_of_address",
    of_address("select {columns} from booking_requests where seq > :seq", "order by seq limit :most"),
    addressed_request_columns};
const selection new_requests_of_address{
    "new_requests_of_address",
    of_address("select {columns} from booking_requests where state = 'New' and seq > :seq",
               "order by seq limit :most"),
    addressed_request_columns};

const selection email_of_tenant{"email_of_tenant",
                                "select {columns} from tenants where id = :id and email <> ''",
                                named<std::string>("email")};

parameters after(const addressed_tenant& last) {
  return {{"account", to_cell(last.key.account_id)}, {"id", to_cell(last.key.id)}};
}
parameters after(const addressed_request& last) { return {{"seq", to_cell(last.seq)}}; }

/// A page at a time: those that the database leaves to the program may be many.
template <typename Part>
std::vector<selected<Part>> all_with(session& db, const selection<Part>& what, const std::string& address) {
  const bool is_ascii = std::ranges::all_of(address, [](unsigned char c) { return c < 0x80; });
  std::vector<selected<Part>> found;
  selected<Part> last{};
  for (bool more = true; more;) {
    auto with = after(last);
    with.emplace_back("ascii", to_cell(is_ascii ? address : std::string{}));
    with.emplace_back("most", to_cell(rows_a_read));
    auto page = db.internals().read_all(what, with);
    more = page.size() == rows_a_read;
    if (more) last = page.back();
    std::ranges::copy_if(page, std::back_inserter(found),
                         [&](const auto& each) { return domain::folded_case(each.email) == address; });
  }
  return found;
}

const selection tenants_of_old{"tenants_of_old",
                               "select {columns} from tenants where email <> '' except"
                               " select account_id, tenant_id from bookings where check_out >= :before"
                               " limit :most",
                               key_columns};
const selection refused_of_old{"refused_of_old",
                               "select {columns} from booking_requests where state in ('Failed', 'Dropped')"
                               " and email <> '' and check_out < :before limit :most",
                               named<domain::uuid>("id")};

// Stays

struct guest_stay {
  domain::uuid id{}, request_id{}, account_id{}, tenant_id{};
  domain::date check_out{};
  domain::booking_status status{};
};
constexpr auto guest_stay_columns =
    columns(column("id", &guest_stay::id), column("request_id", &guest_stay::request_id),
            column("account_id", &guest_stay::account_id), column("tenant_id", &guest_stay::tenant_id),
            column("check_out", &guest_stay::check_out), column("status", &guest_stay::status));
const selection stays_of_guests{
    "stays_of_guests",
    "select {columns} from bookings where tenant_id in {tenants uuid} or request_id in {requests uuid}",
    guest_stay_columns};
const selection stays_of_change{"stays_of_change", "select {columns} from bookings where id in {ids uuid}",
                                guest_stay_columns};

/// Whose rows are erased.
struct erased_rows {
  std::vector<tenant_key> tenants;
  std::vector<domain::uuid> requests; ///< with those of the tenants' bookings
};

template <typename Row>
std::vector<domain::uuid> each_once(const std::vector<Row>& from, domain::uuid Row::*member) {
  std::vector<domain::uuid> ids;
  ids.reserve(from.size());
  for (const auto& each : from) ids.push_back(each.*member);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<guest_stay> stays_of(session& db, const erased_rows& rows) {
  const auto& connection = db.internals();
  return db.internals().read_all(stays_of_guests,
                                 {{"tenants", connection.list(each_once(rows.tenants, &tenant_key::id))},
                                  {"requests", connection.list(rows.requests)}});
}

void add_requests_of(const std::vector<guest_stay>& stays, erased_rows& to) {
  for (const auto& stay : stays) to.requests.push_back(stay.request_id);
  std::ranges::sort(to.requests);
  to.requests.erase(std::unique(to.requests.begin(), to.requests.end()), to.requests.end());
}

std::optional<erasure_obstacle> obstacle_of(bool waits, const std::vector<guest_stay>& stays,
                                            domain::date today) {
  if (waits) return erasure_obstacle::request_waits;
  const bool comes = std::ranges::any_of(stays, [today](const guest_stay& stay) {
    return stay.status != domain::booking_status::cancelled && stay.check_out >= today;
  });
  return comes ? std::optional{erasure_obstacle::stay_to_come} : std::nullopt;
}

/// Takes out the tenants who have a stay that ends on that day or later, with all their stays.
void spare_who_stays(domain::date before, std::vector<tenant_key>& tenants, std::vector<guest_stay>& stays) {
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
constexpr query erase_request_rows{
    "erase_request_rows",
    "update booking_requests set first_name = 'Erased', last_name = null, email = '', fiscal_id = null,"
    " phone = null, nationality = null where id in {ids uuid} and email <> ''"};
constexpr query erase_notification_rows{
    "erase_notification_rows",
    "update notifications set body = 'The guest''s data was erased.' where request_id in {ids uuid}"
    " and body <> 'The guest''s data was erased.'"};

/// A booking of each tenant, with which memory reads the tenant again: where there is one that is not
/// cancelled, for a cancelled one looks like a cancel.
std::vector<guest_stay> one_of_each(const std::vector<tenant_key>& tenants,
                                    const std::vector<guest_stay>& stays) {
  std::map<domain::uuid, guest_stay> chosen;
  for (const auto& tenant : tenants)
    for (const auto& stay : stays) {
      if (stay.tenant_id != tenant.id) continue;
      auto& of_tenant = chosen.try_emplace(tenant.id, stay).first->second;
      if (of_tenant.status == domain::booking_status::cancelled) of_tenant = stay;
    }
  std::vector<guest_stay> listed;
  listed.reserve(chosen.size());
  for (const auto& [tenant, stay] : chosen) listed.push_back(stay);
  return listed;
}

/// The second entry makes decisions stale that rest on what memory knew of these tenants: a new booking must
/// not become an erased one's.
stream_point note_erasure(session& db, const std::vector<tenant_key>& tenants,
                          const std::vector<guest_stay>& stays) {
  const auto accounts = each_once(tenants, &tenant_key::account_id);
  const auto named = one_of_each(tenants, stays);
  append(db, {change_kind::calendar, accounts, {}, each_once(named, &guest_stay::id)});
  return append(db, {change_kind::account, accounts, {}, {}});
}

/// Whether a stay of these guests was made or cancelled by a transaction that took one of so many positions
/// after the first.
bool is_concerned(session& db, const erased_rows& rows, std::int64_t after, std::int64_t positions) {
  if (positions <= 0) return false;
  std::vector<domain::uuid> bookings;
  for (const auto& entry : entries_after(db, after, static_cast<std::size_t>(positions)))
    if (entry.what.kind == change_kind::calendar)
      bookings.insert(bookings.end(), entry.what.subjects.begin(), entry.what.subjects.end());
  if (bookings.empty()) return false;
  const auto tenants = each_once(rows.tenants, &tenant_key::id);
  const auto stays = db.internals().read_all(stays_of_change, {{"ids", db.internals().list(bookings)}});
  return std::ranges::any_of(stays, [&](const guest_stay& stay) {
    return std::ranges::binary_search(tenants, stay.tenant_id) ||
           std::ranges::binary_search(rows.requests, stay.request_id);
  });
}

/// Within the caller's transaction, which read the stays after the stream stood at `seen`. Nothing when
/// another transaction has made or cancelled one of them since: then this one must not be committed. The look
/// for that is the last thing, while this transaction holds the stream and nobody else can commit such a
/// change.
std::optional<erasure> erase(session& db, const erased_rows& rows, const std::vector<guest_stay>& stays,
                             std::int64_t seen) {
  constexpr std::int64_t own_entries = 2;
  auto& connection = db.internals();
  const auto accounts = connection.list(each_once(rows.tenants, &tenant_key::account_id));
  const auto tenants = connection.list(each_once(rows.tenants, &tenant_key::id));
  const auto requests = connection.list(rows.requests);
  erasure done;
  done.tenants = connection.write(erase_tenant_rows, {{"accounts", accounts}, {"ids", tenants}});
  done.requests = connection.write(erase_request_rows, {{"ids", requests}});
  done.notifications = connection.write(erase_notification_rows, {{"ids", requests}});
  if (done.tenants == 0) return done;
  done.change = note_erasure(db, rows.tenants, stays);
  if (is_concerned(db, rows, seen, done.change->position - own_entries - seen)) return std::nullopt;
  return done;
}

bool is_nothing(const erasure& done) { return done.tenants + done.requests + done.notifications == 0; }

} // namespace

std::optional<std::string> address_of_tenant(session& db, const domain::uuid& id) {
  return db.internals().read_one(email_of_tenant, {{"id", to_cell(id)}});
}

known_guest find_guest(session& db, std::string_view address, domain::date today) {
  const transaction txn(db, transaction::purpose::read);
  known_guest guest;
  guest.address = domain::folded_case(address);
  erased_rows rows;
  bool waits = false;
  for (const auto& tenant : all_with(db, tenants_of_address, guest.address))
    rows.tenants.push_back(tenant.key);
  for (const auto& request : all_with(db, requests_of_address, guest.address))
    if (request.state == domain::request_state::pending)
      waits = true;
    else
      rows.requests.push_back(request.id);
  const auto stays = stays_of(db, rows);
  add_requests_of(stays, rows);
  guest.obstacle = obstacle_of(waits, stays, today);
  guest.tenants = std::move(rows.tenants);
  guest.requests = std::move(rows.requests);
  return guest;
}

erasure erase_guest(session& db, const known_guest& guest, domain::date today,
                    const std::function<void(const erasure&)>& before_commit) {
  for (;;) {
    transaction txn(db, transaction::purpose::write);
    refuse_while_importing(db);
    const auto seen = newest_point(db).position;
    erased_rows rows{guest.tenants, guest.requests};
    const auto stays = stays_of(db, rows);
    const bool waits = !all_with(db, new_requests_of_address, guest.address).empty();
    if (const auto obstacle = obstacle_of(waits, stays, today)) return {.obstacle = obstacle};
    add_requests_of(stays, rows);
    const auto done = erase(db, rows, stays, seen);
    if (!done) continue;
    if (is_nothing(*done)) return *done;
    if (before_commit) before_commit(*done);
    txn.commit();
    return *done;
  }
}

erasure erase_guests_of_old(session& db, const lease& held, domain::date before, std::size_t most) {
  const parameters limits{{"before", to_cell(before)}, {"most", to_cell(most)}};
  const auto tenants = db.internals().read_all(tenants_of_old, limits); // no lock while they are looked for
  const auto requests = db.internals().read_all(refused_of_old, limits);
  if (tenants.empty() && requests.empty()) return {};
  for (;;) {
    write_transaction txn(db, held);
    if (is_import_pending(db)) return {};
    const auto seen = newest_point(db).position;
    erased_rows rows{tenants, requests};
    auto stays = stays_of(db, rows);
    spare_who_stays(before, rows.tenants, stays);
    add_requests_of(stays, rows);
    const auto done = erase(db, rows, stays, seen);
    if (!done) continue;
    if (!is_nothing(*done)) txn.commit();
    return *done;
  }
}

} // namespace roost::store
