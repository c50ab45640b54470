#pragma once

#include "store/bookings/known_tenants.hpp"
#include "store/database/connection.hpp"
#include "store/office/bookings.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/stay_setup.hpp"
#include "store/support/manual_stays.hpp"

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

  store::booking_outcome book_by_hand(const store::booking_creation& request) {
    return store::create_booking(session(), node_->lease, scope, request, author());
  }
  store::booking_outcome book_by_hand(const char* check_in, const char* check_out) {
    return book_by_hand(stay_by_hand(check_in, check_out));
  }

  store::booking_outcome cancel(const domain::uuid& id, store::booking_condition is_current = any_booking,
                                const std::string& reason = "Ill") {
    store::booking_cancellation request{id, std::move(is_current), reason, describe_check_in,
                                        notice_of_kind("booking_cancelled")};
    auto by = author();
    by.audit.action = store::booking_cancel;
    by.audit.subject = domain::to_string(id);
    return store::cancel_booking(session(), node_->lease, scope, request, by);
  }

  store::office_page<store::booking_record> list(const store::office_booking_filter& filter = {},
                                                 std::size_t limit = 100) {
    return store::list_office_bookings(session(), scope, filter, {}, limit);
  }

  std::vector<std::string> notices() { return notice_kinds(session()); }

  static bool any_booking(const store::booking_record&) { return true; }
  static bool no_booking(const store::booking_record&) { return false; }

  domain::platform platform_;
};

} // namespace roost::testing
