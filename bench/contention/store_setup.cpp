#include "store_setup.hpp"

#include "domain/portfolio.hpp"
#include "security/random.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <stdexcept>
#include <utility>

namespace roost::contention {

namespace {

domain::timestamp now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

domain::portfolio_unit make_unit(std::uint32_t number) {
  domain::portfolio_unit unit;
  unit.terms.id = numbered_id(id_kind::unit, number);
  unit.terms.account_id = numbered_id(id_kind::account, number / units_per_account);
  unit.terms.property_id = numbered_id(id_kind::property, number / units_per_account);
  unit.terms.internal_name = "Room " + std::to_string(number);
  unit.terms.rent.amount = domain::money{65'000};
  unit.links.push_back({platform_name, external_id(number), std::nullopt});
  return unit;
}

/// Creates an account with one user, who receives mail about refusals.
domain::portfolio_account make_account(std::uint32_t number) {
  const auto digits = std::to_string(number);
  domain::portfolio_account account;
  account.details.id = numbered_id(id_kind::account, number);
  account.details.company_name = "Landlord " + digits + " Rentals";
  account.details.currency = "EUR";
  account.details.landlord_key = "landlord-" + digits;
  account.details.tenant_categories.push_back({"Platform guest", true});
  domain::portfolio_user user;
  user.details.id = numbered_id(id_kind::user, number);
  user.details.account_id = account.details.id;
  user.details.email = "office@landlord-" + digits + ".example";
  user.details.first_name = "Ana";
  user.details.last_name = "Silva";
  user.details.role = "Admin";
  account.users.push_back(std::move(user));
  domain::portfolio_property property;
  property.details.id = numbered_id(id_kind::property, number);
  property.details.account_id = account.details.id;
  property.details.internal_name = "House " + digits;
  account.properties.push_back(std::move(property));
  return account;
}

constexpr const char* bare_stays = R"(
  drop table if exists lab_stays;
  create table lab_stays (id bigint primary key, unit integer not null, check_in date not null,
                          check_out date not null check (check_in < check_out));
)";

constexpr const char* bare_exclusion =
    "alter table lab_stays add constraint lab_stays_no_overlap"
    " exclude using gist (unit with =, daterange(check_in, check_out) with &&)";

/// Indexes by check-out: on a rolling calendar, few stays end after a given check-in.
constexpr const char* bare_index = "create index lab_stays_of_unit on lab_stays (unit, check_out)";

constexpr const char* sqlite_exclusion = R"(
  create index lab_stays_of_unit on lab_stays (unit, check_out);
  create trigger lab_stays_no_overlap before insert on lab_stays when exists (
    select 1 from lab_stays where unit = new.unit and check_out > new.check_in and check_in < new.check_out)
  begin select raise(abort, 'lab_stays_no_overlap'); end;
)";

constexpr const char* whole_without_exclusion = R"(
  alter table bookings drop constraint bookings_no_overlap;
  create index lab_bookings_of_unit on bookings (unit_id, check_out) where status <> 'cancelled';
)";

/// Indexes by which a peer finds a tenant without the service's memory. Not by account first: PostgreSQL
/// would also use such an index to check the foreign key, and read all tenants of the account for each
/// booking.
constexpr const char* tenant_indexes = R"(
  create unique index lab_tenants_email on tenants (lower(email), account_id);
  create index lab_tenants_fiscal on tenants (fiscal_id, account_id);
)";

constexpr store::query read_bare{"lab_stays",
                                 "select cast(id as text), cast(unit as text), cast(check_in as text),"
                                 " cast(check_out as text) from lab_stays",
                                 nullptr, 4};

/// The reference and the unit's id contain the numbers of the request and the unit.
constexpr store::query read_whole{"lab_bookings",
                                  "select cast(reference as text), cast(unit_id as text),"
                                  " cast(check_in as text), cast(check_out as text)"
                                  " from bookings where status <> 'cancelled'",
                                  nullptr, 4};

std::uint64_t number_in(const std::string& text, depth level) {
  if (level == depth::bare) return std::stoull(text);
  const auto id = domain::parse_uuid(text);
  if (!id) throw std::runtime_error("the store contains an invalid id");
  return number_of(*id);
}

} // namespace

void prepare_portfolio(store::session& db, std::uint32_t units) {
  store::migrate(db);
  domain::portfolio all;
  for (std::uint32_t i = 0; i < units; ++i) {
    if (i % units_per_account == 0) all.accounts.push_back(make_account(i / units_per_account));
    all.accounts.back().properties.front().units.push_back(make_unit(i));
  }
  store::import_context context;
  context.now = now();
  context.new_id = [] { return security::random_uuid(); };
  const auto result = store::import_portfolio(db, std::move(all), context);
  if (!result.problems.empty()) throw std::runtime_error(result.problems.front());
}

void prepare_tables(store::session& db, depth level, guard overlap_guard) {
  auto& connection = db.internals();
  if (level == depth::bare) {
    connection.script("lab_stays", bare_stays);
    if (overlap_guard == guard::exclusion)
      connection.script("lab_guard", db.is_sqlite() ? sqlite_exclusion : bare_exclusion);
    if (overlap_guard == guard::index) connection.script("lab_guard", bare_index);
  } else if (overlap_guard == guard::index) {
    connection.script("lab_guard", whole_without_exclusion);
  }
}

void prepare_peer_tables(store::session& db, depth level, std::uint32_t units) {
  auto& connection = db.internals();
  if (level == depth::whole) connection.script("lab_tenants", tenant_indexes);
  connection.script(
      "lab_units",
      "create table if not exists lab_units (id integer primary key, version bigint not null default 0)"
      " with (fillfactor = 50);"
      " insert into lab_units (id) select generate_series(0, " +
          std::to_string(units - 1) + "); analyze lab_units");
}

void prepare_requests(store::session& db, const store::lease& lease, const workload_options& options,
                      std::uint64_t count) {
  workload requests(options);
  const auto received = now();
  std::vector<store::submission> group;
  for (std::uint64_t i = 0; i < count; ++i) {
    group.emplace_back(booking_request_for(requests.next(), received));
    if (group.size() < 2000 && i + 1 < count) continue;
    store::insert_requests(db, lease, group);
    group.clear();
  }
  db.internals().script("lab_analyze", "analyze booking_requests"); // like autovacuum in a service's database
  if (!db.is_sqlite()) db.internals().script("lab_settle", "checkpoint");
}

std::vector<stored_stay> read_stays(store::session& db, depth level) {
  std::vector<stored_stay> stays;
  db.internals().read_rows(level == depth::bare ? read_bare : read_whole, {}, [&](const store::row& row) {
    const auto in = domain::parse_date(*row[2]), out = domain::parse_date(*row[3]);
    if (!in || !out) throw std::runtime_error("the store contains a stay with invalid dates");
    stays.push_back(
        {number_in(*row[0], level), static_cast<std::uint32_t>(number_in(*row[1], level)), *in, *out});
  });
  return stays;
}

} // namespace roost::contention
