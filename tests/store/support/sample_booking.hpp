#pragma once

#include "domain/booking.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/support/sample_portfolio.hpp"

/// Requests and decisions for the first account of the sample portfolio.
namespace roost::testing {

using namespace std::chrono_literals;

inline store::lease take_lease(store::session& db, const char* node = "node-a") {
  return store::try_acquire(db, node, 60s).value().held;
}

/// Makes the lease look like that of a running server, by its expiry.
inline void serve(store::session& db) {
  store::renew(db, store::current_lease(db).value().holder, store::lease_length);
}

/// Returns the position of the change stream.
inline std::int64_t position_of(store::session& db) { return store::newest_point(db).position; }

inline domain::booking_request sample_request(unsigned long n) {
  domain::booking_request request;
  request.id = numbered_id(20, n);
  request.platform = "marketplace-a";
  request.external_id = "ext-1";
  request.reference = "reference-" + std::to_string(n);
  request.check_in = day("2027-04-01");
  request.check_out = day("2027-05-01");
  request.provider_payment = domain::money{650'00};
  request.tenant.first_name = "Eva";
  request.tenant.email = "eva" + std::to_string(n) + "@tenant.example";
  request.received_at = moment("2026-11-20T10:00:00.000Z");
  return request;
}

inline domain::booking_terms sample_terms(const domain::booking& booking) {
  domain::booking_terms terms;
  terms.contract_type = "Traditional rental";
  terms.check_in_time = "15:00";
  terms.check_out_time = "11:00";
  terms.payment_terms.monthly_due_day = 5;
  terms.bills = {true, domain::money{60'00}};
  terms.cleaning_frequency = "monthly";
  terms.plan = {{.kind = domain::payment_kind::rent,
                 .amount = domain::money{650'00},
                 .due = booking.check_in,
                 .period = domain::stay_nights(booking.check_in, booking.check_out)},
                {.kind = domain::payment_kind::provider_platform_payment,
                 .amount = booking.provider_payment,
                 .due = booking.check_in,
                 .payer = domain::payment_party::platform}};
  return terms;
}

/// Returns a success on `unit`: a new tenant, a booking and a notification.
inline domain::decision accept(const domain::booking_request& request, const domain::uuid& unit) {
  const auto now = moment("2026-11-20T10:00:30.000Z");
  domain::decision decision;
  decision.request_id = request.id;
  decision.state = domain::request_state::success;
  if (request.reference) decision.reported_to = request.platform;
  decision.account_id = account_id(1);
  decision.new_tenant = domain::tenant{fresh_id(), account_id(1), request.tenant, "Platform guest"};
  domain::booking booking;
  booking.id = fresh_id();
  booking.request_id = request.id;
  booking.account_id = account_id(1);
  booking.unit_id = unit;
  booking.tenant_id = decision.new_tenant->id;
  booking.platform = request.platform;
  booking.reference = request.reference;
  booking.check_in = request.check_in;
  booking.check_out = request.check_out;
  booking.last_night = domain::stay_nights(request.check_in, request.check_out).last;
  booking.provider_payment = *request.provider_payment;
  booking.terms = std::make_shared<const domain::booking_terms>(sample_terms(booking));
  booking.created_at = now;
  decision.booking = booking;
  decision.notifications = {
      {fresh_id(), account_id(1), "booking_created", "Booked", "A stay", booking.id, request.id, now, unit}};
  return decision;
}

inline domain::decision refuse(const domain::booking_request& request) {
  const auto now = moment("2026-11-20T10:00:30.000Z");
  domain::decision decision;
  decision.request_id = request.id;
  decision.state = domain::request_state::failed;
  if (request.reference) decision.reported_to = request.platform;
  decision.account_id = account_id(1);
  decision.reason = domain::refusal::overlapping_nights;
  decision.notifications = {
      {fresh_id(), account_id(1), "booking_refused", "Refused", "Taken", {}, request.id, now}};
  decision.mails = {{fresh_id(), "user1@landlord.example", "Refused", "text", "<p>text</p>", now}};
  return decision;
}

/// A store with the sample portfolio and its writer.
struct writer {
  explicit writer(store::session& db) : db(db), lease(take_lease(db)) {
    import_sample(db, sample_portfolio());
    follow();
  }

  /// Bases further decisions on the current content of the store.
  void follow() { basis = {store::newest_point(db), {account_id(1)}}; }

  void insert(const std::vector<domain::booking_request>& requests) {
    store::insert_requests(db, lease, std::vector<store::submission>(requests.begin(), requests.end()));
  }
  store::recorded_decisions decide(const std::vector<domain::decision>& decisions) {
    return store::record_decisions(db, lease, basis, store::decision_rows{decisions});
  }

  store::session& db;
  store::lease lease;
  store::decision_basis basis;
};

} // namespace roost::testing
