#pragma once

#include "store/bookings/bookings.hpp"
#include "store/office/bookings.hpp"
#include "store/support/sample_booking.hpp"

#include <string>
#include <vector>

/// Stays that a user of the office books and moves, in the first unit of the first account.
namespace roost::testing {

/// Describes only the day of check-in.
inline std::vector<domain::field_change> describe_check_in(const store::booking_record* before,
                                                           const store::booking_record& after) {
  const auto text = [](domain::date day) { return '"' + domain::to_string(day) + '"'; };
  return {{"checkInDate", before != nullptr ? text(before->booking.check_in) : "null",
           text(after.booking.check_in)}};
}

inline store::booking_notice notice_of_kind(const char* kind) {
  return [kind](const store::booking_record*, const store::booking_record& after, auto) {
    return domain::notification{fresh_id(),
                                after.booking.account_id,
                                kind,
                                "t",
                                "b",
                                after.booking.id,
                                {},
                                moment("2026-11-21T10:00:00.000Z"),
                                after.booking.unit_id};
  };
}

inline store::booking_creation stay_by_hand(const char* check_in, const char* check_out) {
  store::booking_creation request;
  request.unit_id = unit_id(1);
  request.id = fresh_id();
  request.stay = {day(check_in), day(check_out), 1, {}, day("2026-11-21")};
  request.tenant.first_name = "Ida";
  request.tenant.email = "ida@guests.example";
  request.new_tenant_id = fresh_id();
  request.describe = describe_check_in;
  request.notice = notice_of_kind("booking_created");
  return request;
}

inline store::booking_change stay_on_other_dates(const domain::uuid& id, const char* check_in,
                                                 const char* check_out) {
  store::booking_change request;
  request.id = id;
  request.is_current = [](const store::booking_record&) { return true; };
  request.check_in = day(check_in);
  request.check_out = day(check_out);
  request.expected = store::unit_nights{unit_id(1), domain::stay_nights(day(check_in), day(check_out))};
  request.entry_id = fresh_id();
  request.describe = describe_check_in;
  request.notice = notice_of_kind("booking_changed");
  return request;
}

/// Returns the kinds of the landlord's notifications, newest first.
inline std::vector<std::string> notice_kinds(store::session& db) {
  std::vector<std::string> kinds;
  for (const auto& each : store::list_notifications(db, account_id(1), 100)) kinds.push_back(each.kind);
  return kinds;
}

} // namespace roost::testing
