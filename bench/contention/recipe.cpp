#include "recipe.hpp"

#include <algorithm>
#include <array>

namespace roost::contention {

namespace {

constexpr const char* plain = "begin";
constexpr const char* serializable = "begin isolation level serializable";

constexpr std::array all{
    recipe{"row_lock", "SELECT … FOR UPDATE on the unit", guard::index, plain,
           "select 1 from lab_units where id = $1::integer for update", false, false, true, false},
    recipe{"advisory_lock", "advisory lock on the unit", guard::index, plain,
           "select pg_advisory_xact_lock(15, $1::integer)", false, false, true, false},
    recipe{"optimistic", "version of the unit, with retry", guard::index, plain, nullptr, true, true, false,
           false},
    recipe{"exclusion_retry", "exclusion constraint, with retry", guard::exclusion, plain, nullptr, false,
           false, false, false},
    recipe{"on_conflict", "exclusion constraint, ON CONFLICT DO NOTHING", guard::exclusion, plain, nullptr,
           false, false, false, true},
    recipe{"serializable", "SERIALIZABLE, with retry", guard::index, serializable, nullptr, false, false,
           true, false},
    recipe{"unlocked", "check, then insert, without a lock (wrong)", guard::index, plain, nullptr, true,
           false, false, false},
};

constexpr const char* bare_taken = "exists (select 1 from lab_stays where unit = $2::integer"
                                   " and check_out > $3::date and check_in < $4::date)";

constexpr const char* whole_taken =
    "exists (select 1 from bookings where unit_id = $4::uuid and status <> 'cancelled'"
    " and check_out > $8::date and check_in < $9::date)";

std::string bumped(const char* unit, const char* version) {
  return std::string("bumped as (update lab_units set version = version + 1 where id = ") + unit +
         "::integer and version = " + version + "::bigint returning 1)";
}

/// What restricts the row that is inserted.
std::string source(const recipe& of, const char* taken) {
  if (of.versioned) return " from bumped";
  if (of.checks) return std::string(" where not ") + taken;
  return "";
}

std::string bare_reserve(const recipe& of) {
  return (of.versioned ? "with " + bumped("$2", "$5") : std::string{}) +
         " insert into lab_stays (id, unit, check_in, check_out)"
         " select $1::bigint, $2::integer, $3::date, $4::date" +
         source(of, bare_taken) + (of.on_conflict ? " on conflict do nothing" : "");
}

/// The tenant is who has the address, else who has the fiscal id, else new, as the service matches them.
std::string whole_reserve(const recipe& of) {
  return "with known as (select id from tenants where account_id = $3::uuid and lower(email) = "
         "lower($18::text)"
         " union all select id from tenants where account_id = $3::uuid and fiscal_id = $19::text limit 1)," +
         (of.versioned ? bumped("$23", "$24") + "," : std::string{}) +
         " b as (insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform, reference,"
         " check_in, check_out, last_night, occupants, status, provider_payment_cents, ota_commission_cents,"
         " terms, created_at, updated_at)"
         " select $1::uuid, $2::uuid, $3::uuid, $4::uuid, coalesce((select id from known), $5::uuid), "
         "$6::text,"
         " $7::text, $8::date, $9::date, $10::date, $11::integer, 'confirmed', $12::bigint, $13::bigint,"
         " $14::json, $15::timestamptz, $15::timestamptz" +
         source(of, whole_taken) + (of.on_conflict ? " on conflict do nothing" : "") +
         " returning tenant_id),"
         " t as (insert into tenants (id, account_id, first_name, last_name, email, fiscal_id, phone,"
         " nationality, category, created_at)"
         " select $5::uuid, $3::uuid, $16::text, $17::text, $18::text, $19::text, $20::text, $21::text,"
         " $22::text, $15::timestamptz from b where tenant_id = $5::uuid)"
         " select count(*) from b";
}

} // namespace

std::span<const recipe> recipes() { return all; }

const recipe* find_recipe(std::string_view name) {
  const auto found = std::ranges::find(all, name, &recipe::name);
  return found != all.end() ? &*found : nullptr;
}

std::string look_text(depth how_much) {
  if (how_much == depth::bare)
    return std::string("select ") + bare_taken +
           ", (select version from lab_units where id = $2::integer) where $1::bigint is not null";
  return "select exists (select 1 from bookings where unit_id = $1::uuid and status <> 'cancelled'"
         " and check_out > $2::date and check_in < $3::date),"
         " (select version from lab_units where id = $4::integer)";
}

std::string reserve_text(const recipe& of, depth how_much) {
  return how_much == depth::bare ? bare_reserve(of) : whole_reserve(of);
}

} // namespace roost::contention
