#include "peer_statements.hpp"

#include "actors/runtime/clock.hpp"
#include "domain/booking_terms.hpp"
#include "mail/notices.hpp"
#include "security/random.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/cell.hpp"

#include <algorithm>
#include <array>

namespace roost::contention {

namespace {

constexpr const char* plain = "begin";
constexpr const char* serializable = "begin isolation level serializable";

constexpr std::array all_recipes{
    peer_recipe{"row_lock", guard::index, plain, "select 1 from lab_units where id = $1::integer for update",
                false, false, true, false},
    peer_recipe{"advisory_lock", guard::index, plain, "select pg_advisory_xact_lock(15, $1::integer)", false,
                false, true, false},
    peer_recipe{"optimistic", guard::index, plain, nullptr, true, true, false, false},
    peer_recipe{"exclusion_retry", guard::exclusion, plain, nullptr, false, false, false, false},
    peer_recipe{"on_conflict", guard::exclusion, plain, nullptr, false, false, false, true},
    peer_recipe{"serializable", guard::index, serializable, nullptr, false, false, true, false},
    peer_recipe{"unlocked", guard::index, plain, nullptr, true, false, false, false}, // incorrect
};

constexpr const char* bare_taken = "exists (select 1 from lab_stays where unit = $2::integer"
                                   " and check_out > $3::date and check_in < $4::date)";

constexpr const char* whole_taken =
    "exists (select 1 from bookings where unit_id = $4::uuid and status <> 'cancelled'"
    " and check_out > $8::date and check_in < $9::date)";

std::string bump_version(const char* unit, const char* version) {
  return std::string("bumped as (update lab_units set version = version + 1 where id = ") + unit +
         "::integer and version = " + version + "::bigint returning 1)";
}

/// Returns the clause that decides whether the row is inserted.
std::string row_condition(const peer_recipe& recipe, const char* taken) {
  if (recipe.versioned) return " from bumped";
  if (recipe.checks_in_statement) return std::string(" where not ") + taken;
  return "";
}

std::string bare_reserve(const peer_recipe& recipe) {
  return (recipe.versioned ? "with " + bump_version("$2", "$5") : std::string{}) +
         " insert into lab_stays (id, unit, check_in, check_out)"
         " select $1::bigint, $2::integer, $3::date, $4::date" +
         row_condition(recipe, bare_taken) + (recipe.on_conflict ? " on conflict do nothing" : "");
}

/// Matches the tenant by email, otherwise by fiscal id, otherwise creates one, like the service.
std::string whole_reserve(const peer_recipe& recipe) {
  return "with known as (select id from tenants where account_id = $3::uuid and lower(email) = "
         "lower($18::text)"
         " union all select id from tenants where account_id = $3::uuid and fiscal_id = $19::text limit 1)," +
         (recipe.versioned ? bump_version("$23", "$24") + "," : std::string{}) +
         " b as (insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform, reference,"
         " check_in, check_out, last_night, occupants, status, provider_payment_cents, ota_commission_cents,"
         " terms, created_at, updated_at)"
         " select $1::uuid, $2::uuid, $3::uuid, $4::uuid, coalesce((select id from known), $5::uuid), "
         "$6::text,"
         " $7::text, $8::date, $9::date, $10::date, $11::integer, 'confirmed', $12::bigint, $13::bigint,"
         " $14::json, $15::timestamptz, $15::timestamptz" +
         row_condition(recipe, whole_taken) + (recipe.on_conflict ? " on conflict do nothing" : "") +
         " returning tenant_id),"
         " t as (insert into tenants (id, account_id, first_name, last_name, email, fiscal_id, phone,"
         " nationality, category, created_at)"
         " select $5::uuid, $3::uuid, $16::text, $17::text, $18::text, $19::text, $20::text, $21::text,"
         " $22::text, $15::timestamptz from b where tenant_id = $5::uuid)"
         " select count(*) from b";
}

domain::uuid new_id() { return security::time_ordered_uuid(std::chrono::system_clock::now()); }

domain::booking_terms terms_of(const domain::booking_request& request, const actors::directory_unit& unit,
                               domain::timestamp now) {
  const auto& setup = *unit.setup;
  return domain::make_booking_terms(
      {*setup.account, *setup.property, setup.terms, domain::find_card(*setup.account, request.platform)},
      {request.check_in, request.check_out, request.occupants, *request.provider_payment,
       domain::day_of(now)});
}

mail::stay_facts facts(const domain::booking_request& request, const actors::directory_unit& unit) {
  return {unit.setup->terms.internal_name, unit.setup->property->city, unit.id(), request};
}

void append(std::vector<sql_value>& values, const domain::notification& notification) {
  for (auto& value : {store::to_cell(notification.id), store::to_cell(notification.account_id),
                      store::to_cell(notification.kind), store::to_cell(notification.title),
                      store::to_cell(notification.body), store::to_cell(notification.booking_id),
                      store::to_cell(notification.request_id), store::to_cell(notification.created_at)})
    values.push_back(value);
}

} // namespace

std::span<const peer_recipe> peer_recipes() { return all_recipes; }

const peer_recipe* find_recipe(std::string_view name) {
  const auto it = std::ranges::find(all_recipes, name, &peer_recipe::name);
  return it != all_recipes.end() ? &*it : nullptr;
}

std::string check_statement(depth level) {
  if (level == depth::bare)
    return std::string("select ") + bare_taken +
           ", (select version from lab_units where id = $2::integer) where $1::bigint is not null";
  return "select exists (select 1 from bookings where unit_id = $1::uuid and status <> 'cancelled'"
         " and check_out > $2::date and check_in < $3::date),"
         " (select version from lab_units where id = $4::integer)";
}

std::string reserve_statement(const peer_recipe& recipe, depth level) {
  return level == depth::bare ? bare_reserve(recipe) : whole_reserve(recipe);
}

booking_values values_of(const stay_request& stay, const actors::directory_unit& unit) {
  booking_values booking;
  booking.now = actors::system_now();
  booking.request = booking_request_for(stay, booking.now);
  booking.booking_id = new_id();
  const auto& request = booking.request;
  const auto held_nights =
      domain::booked_nights(request.check_in, request.check_out, unit.setup->terms.preparation_days);
  booking.reserve = {store::to_cell(booking.booking_id),
                     store::to_cell(request.id),
                     store::to_cell(unit.owner->id),
                     store::to_cell(unit.id()),
                     store::to_cell(new_id()),
                     request.platform,
                     request.reference,
                     store::to_cell(request.check_in),
                     store::to_cell(request.check_out),
                     store::to_cell(held_nights.last),
                     store::to_cell(request.occupants),
                     store::to_cell(request.provider_payment),
                     store::to_cell(request.ota_commission),
                     store::json_of(terms_of(request, unit, booking.now)),
                     store::to_cell(booking.now),
                     request.tenant.first_name,
                     request.tenant.last_name,
                     request.tenant.email,
                     request.tenant.fiscal_id,
                     request.tenant.phone,
                     request.tenant.nationality,
                     domain::default_category(*unit.owner->settings)};
  return booking;
}

const char* const record_booked_statement =
    "with n as (insert into notifications (id, account_id, kind, title, body, booking_id, request_id, "
    "created_at)"
    " values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::timestamptz))"
    " update booking_requests set state = 'Success', decided_at = now() where id = $9::uuid and state = "
    "'New'";

const char* const record_refused_statement =
    "with n as (insert into notifications (id, account_id, kind, title, body, booking_id, request_id, "
    "created_at)"
    " values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::timestamptz)),"
    " m as (insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at, "
    "next_attempt_at)"
    " values ($10::uuid, $11::text, $12::text, $13::text, $14::text, $8::timestamptz, $8::timestamptz))"
    " update booking_requests set state = 'Failed', refusal = 'overlapping_nights', decided_at = now()"
    " where id = $9::uuid and state = 'New'";

std::vector<sql_value> record_booked_values(const booking_values& booking,
                                            const actors::directory_unit& unit) {
  std::vector<sql_value> values;
  append(values, mail::created_notice(new_id(), booking.now, unit.owner->id, booking.booking_id,
                                      facts(booking.request, unit), {}));
  values.push_back(store::to_cell(booking.request.id));
  return values;
}

std::vector<sql_value> record_refused_values(const booking_values& booking,
                                             const actors::directory_unit& unit) {
  std::vector<sql_value> values;
  const auto reason = domain::refusal::overlapping_nights;
  append(values,
         mail::refused_notice(new_id(), booking.now, unit.owner->id, facts(booking.request, unit), reason));
  values.push_back(store::to_cell(booking.request.id));
  const auto& contacts = *unit.owner->contacts;
  const auto message = mail::refused_mail(new_id(), booking.now, contacts.mail_to.front(),
                                          contacts.company_name, facts(booking.request, unit), reason);
  for (auto& value : {store::to_cell(message.id), store::to_cell(message.to), store::to_cell(message.subject),
                      store::to_cell(message.text), store::to_cell(message.html)})
    values.push_back(value);
  return values;
}

} // namespace roost::contention
