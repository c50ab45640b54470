#pragma once

#include "store/bookings/submissions.hpp"
#include "store/stays/holds.hpp"
#include "store/stays/platform_change_scene.hpp"
#include "store/support/sample_hold.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

namespace roost::testing {

/// Holds of the first account's first unit by marketplace A.
class hold_scene : public platform_change_scene {
protected:
  /// Returns a hold of 10 minutes, without nights of preparation.
  store::hold hold_of(const char* check_in, const char* check_out) {
    store::hold request;
    request.platform = platform;
    request.id = "hold-" + std::to_string(++holds_);
    request.block_id = fresh_id();
    request.unit_id = unit_id(1);
    request.external_id = "ext-1";
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    request.last_night = request.check_out - domain::days{1};
    request.minutes = 10;
    request.created_at = moment("2026-11-20T09:55:00.000Z");
    request.expires_at = request.created_at + std::chrono::minutes{10};
    return request;
  }

  store::hold_receipt place(const store::hold& request, const store::office_scope& of) {
    return store::place_hold(session(), node_->lease, of, request);
  }
  store::hold_receipt place(const store::hold& request) { return place(request, scope); }
  store::hold_receipt place(const char* check_in, const char* check_out) {
    return place(hold_of(check_in, check_out));
  }
  /// Places a hold, which must be possible.
  store::hold placed(const char* check_in, const char* check_out) {
    auto request = hold_of(check_in, check_out);
    EXPECT_EQ(place(request).result, store::hold_receipt::kind::created);
    return request;
  }

  store::release_outcome release(const store::hold& request, domain::timestamp now) {
    return store::release_hold(session(), node_->lease, {request.platform, request.id, now});
  }
  store::release_outcome release(const store::hold& request) { return release(request, request.created_at); }

  store::expired_holds expire(domain::timestamp now, std::size_t limit = 500) {
    return store::end_expired_holds(session(), node_->lease, {now, limit});
  }

  /// Lets a booking request for the stay claim the hold. Returns the request, which is not decided.
  domain::booking_request claim(const store::hold& hold) {
    store::submission sent{sample_request(++claims_)};
    sent.request.external_id = hold.external_id;
    sent.request.check_in = hold.check_in;
    sent.request.check_out = hold.check_out;
    sent.hold_id = hold.id;
    EXPECT_EQ(store::put_submissions(session(), node_->lease, std::span{&sent, 1}).front().result,
              store::put_receipt::kind::created);
    EXPECT_EQ(record(hold).request_id, sent.request.id);
    return sent.request;
  }

  using platform_change_scene::record;
  store::hold_record record(const store::hold& hold) {
    return store::find_hold(session(), hold.platform, hold.id).value();
  }

  /// Expects that one entry of the change stream follows the position: about holds of the first unit.
  void expect_hold_change_after(std::int64_t position) {
    const auto entries = store::entries_after(session(), position, 10);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].change.kind, store::change_kind::calendar);
    EXPECT_THAT(entries[0].change.accounts, ::testing::ElementsAre(account_id(1)));
    EXPECT_THAT(entries[0].change.units, ::testing::ElementsAre(unit_id(1)));
    EXPECT_THAT(entries[0].change.subjects, ::testing::IsEmpty());
  }

  /// Imports the first account again, with the card of the platform.
  void import_card(bool allow_holds) {
    file_.accounts[0].details.cards.at(0).allow_holds = allow_holds;
    import();
  }

private:
  int holds_ = 0;
  unsigned long claims_ = 500;
};

} // namespace roost::testing
