#include "booking_values.hpp"

#include "actors/runtime/clock.hpp"
#include "domain/booking_terms.hpp"
#include "mail/notices.hpp"
#include "security/random.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/cell.hpp"

#include <algorithm>

namespace roost::contention {

namespace {

/// As the service makes them.
domain::uuid new_id() { return security::time_ordered_uuid(std::chrono::system_clock::now()); }

domain::booking_terms terms_of(const domain::booking_request& request, const actors::directory_unit& unit,
                               domain::timestamp now) {
  const auto& setup = *unit.setup;
  return domain::make_booking_terms(
      {*setup.account, *setup.property, setup.terms, domain::find_card(*setup.account, request.platform)},
      {request.check_in, request.check_out, request.occupants, *request.provider_payment,
       domain::day_of(now)});
}

sql_value default_category(const domain::account& of) {
  const auto found =
      std::ranges::find_if(of.tenant_categories, &domain::tenant_category::integration_default);
  if (found == of.tenant_categories.end()) return std::nullopt;
  return found->name;
}

mail::stay_facts facts(const domain::booking_request& request, const actors::directory_unit& unit) {
  return {unit.setup->terms.internal_name, unit.setup->property->city, request};
}

void append(std::vector<sql_value>& to, const domain::notification& told) {
  for (auto& value : {store::to_cell(told.id), store::to_cell(told.account_id), store::to_cell(told.kind),
                      store::to_cell(told.title), store::to_cell(told.body), store::to_cell(told.booking_id),
                      store::to_cell(told.request_id), store::to_cell(told.created_at)})
    to.push_back(value);
}

} // namespace

booking_values values_of(const stay& wanted, const actors::directory_unit& unit) {
  booking_values made;
  made.now = actors::system_now();
  made.request = request_of(wanted, made.now);
  made.booking_id = new_id();
  const auto& request = made.request;
  const auto held =
      domain::booked_nights(request.check_in, request.check_out, unit.setup->terms.preparation_days);
  made.reserve = {store::to_cell(made.booking_id),
                  store::to_cell(request.id),
                  store::to_cell(unit.owner->id),
                  store::to_cell(unit.id),
                  store::to_cell(new_id()),
                  request.platform,
                  request.reference,
                  store::to_cell(request.check_in),
                  store::to_cell(request.check_out),
                  store::to_cell(held.last),
                  store::to_cell(request.occupants),
                  store::to_cell(request.provider_payment),
                  store::to_cell(request.ota_commission),
                  store::json_of(terms_of(request, unit, made.now)),
                  store::to_cell(made.now),
                  request.tenant.first_name,
                  request.tenant.last_name,
                  request.tenant.email,
                  request.tenant.fiscal_id,
                  request.tenant.phone,
                  request.tenant.nationality,
                  default_category(*unit.owner->settings)};
  return made;
}

const char* const record_booked_text =
    "with n as (insert into notifications (id, account_id, kind, title, body, booking_id, request_id, "
    "created_at)"
    " values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::timestamptz))"
    " update booking_requests set state = 'Success', decided_at = now() where id = $9::uuid and state = "
    "'New'";

const char* const record_refused_text =
    "with n as (insert into notifications (id, account_id, kind, title, body, booking_id, request_id, "
    "created_at)"
    " values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::timestamptz)),"
    " m as (insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at, "
    "next_attempt_at)"
    " values ($10::uuid, $11::text, $12::text, $13::text, $14::text, $8::timestamptz, $8::timestamptz))"
    " update booking_requests set state = 'Failed', refusal = 'overlapping_nights', decided_at = now()"
    " where id = $9::uuid and state = 'New'";

std::vector<sql_value> record_booked(const booking_values& of, const actors::directory_unit& unit) {
  std::vector<sql_value> values;
  append(values,
         mail::created_notice(new_id(), of.now, unit.owner->id, of.booking_id, facts(of.request, unit), {}));
  values.push_back(store::to_cell(of.request.id));
  return values;
}

std::vector<sql_value> record_refused(const booking_values& of, const actors::directory_unit& unit) {
  std::vector<sql_value> values;
  const auto why = domain::refusal::overlapping_nights;
  append(values, mail::refused_notice(new_id(), of.now, unit.owner->id, facts(of.request, unit), why));
  values.push_back(store::to_cell(of.request.id));
  const auto& contacts = *unit.owner->contacts;
  const auto sent = mail::refused_mail(new_id(), of.now, contacts.mail_to.front(), contacts.company_name,
                                       facts(of.request, unit), why);
  for (auto& value : {store::to_cell(sent.id), store::to_cell(sent.to), store::to_cell(sent.subject),
                      store::to_cell(sent.text), store::to_cell(sent.html)})
    values.push_back(value);
  return values;
}

} // namespace roost::contention
