#pragma once

#include "store/bookings/known_tenants.hpp"
#include "store/database/connection.hpp"
#include "store/office/bookings.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/stay_setup.hpp"

#include <string>
#include <vector>

namespace roost::testing {

/// The office of the first account, and helpers that book by hand.
class booking_scene : public office_scene {
protected:
  void SetUp() override {
    office_scene::SetUp();
    platform_.name = "marketplace-a";
    platform_.kind = domain::platform_kind::marketplace_a;
  }

  static std::vector<domain::field_change> described(const store::booking_record* before,
                                                     const store::booking_record& after) {
    const auto text = [](domain::date day) { return '"' + domain::to_string(day) + '"'; };
    return {{"checkInDate", before != nullptr ? text(before->booking.check_in) : "null",
             text(after.booking.check_in)}};
  }

  static store::booking_notice notice(const char* kind) {
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

  static store::booking_creation stay(const char* check_in, const char* check_out) {
    store::booking_creation request;
    request.unit_id = unit_id(1);
    request.id = fresh_id();
    request.stay = {day(check_in), day(check_out), 1, {}, day("2026-11-21")};
    request.tenant.first_name = "Ida";
    request.tenant.email = "ida@guests.example";
    request.new_tenant_id = fresh_id();
    request.describe = described;
    request.notice = notice("booking_created");
    return request;
  }

  store::booking_outcome book_by_hand(const store::booking_creation& request) {
    return store::create_booking(session(), node_->lease, scope, request, author());
  }
  store::booking_outcome book_by_hand(const char* check_in, const char* check_out) {
    return book_by_hand(stay(check_in, check_out));
  }

  static store::booking_change to_dates(const domain::uuid& id, const char* check_in, const char* check_out) {
    store::booking_change request{id, any_booking};
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    request.expected = store::unit_nights{unit_id(1), domain::stay_nights(day(check_in), day(check_out))};
    request.entry_id = fresh_id();
    request.describe = described;
    request.notice = notice("booking_changed");
    return request;
  }

  store::booking_outcome cancel(const domain::uuid& id, store::booking_condition is_current = any_booking,
                                const std::string& reason = "Ill") {
    store::booking_cancellation request{id, std::move(is_current), reason, described,
                                        notice("booking_cancelled")};
    auto by = author();
    by.audit.action = store::booking_cancel;
    by.audit.subject = domain::to_string(id);
    return store::cancel_booking(session(), node_->lease, scope, request, by);
  }

  store::office_page<store::booking_record> list(const store::office_booking_filter& filter = {},
                                                 std::size_t limit = 100) {
    return store::list_office_bookings(session(), scope, filter, {}, limit);
  }

  std::vector<std::string> notices() {
    std::vector<std::string> kinds;
    for (const auto& each : store::list_notifications(session(), account_id(1), 100))
      kinds.push_back(each.kind);
    return kinds;
  }

  static bool any_booking(const store::booking_record&) { return true; }
  static bool no_booking(const store::booking_record&) { return false; }

  domain::platform platform_;
};

} // namespace roost::testing
