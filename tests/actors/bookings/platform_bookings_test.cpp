#include "actors/support/booking_world.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gtest/gtest.h>

namespace roost::testing::platform_bookings_test {

/// Every unit is booked for February 2027.
class PlatformBookings : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    for (unsigned unit = 1; unit <= units; ++unit)
      stays_.push_back(request(unit, unit, "2027-02-01", "2027-03-01"));
    enqueue(stays_);
    decide(stays_);
    ASSERT_TRUE(eventually([&] { return shows_as_taken(units, "2027-02-28"); }));
  }

  actors::cancel_platform_booking cancel_of(unsigned unit) {
    const auto& stay = stays_[unit - 1];
    const auto* at = directory.get()->find(0, stay.external_id);
    actors::cancel_platform_booking message{
        {stay.platform, *stay.reference, at->owner->id}, at->id(), at->calendar};
    message.deadline = actors::deadline::in(10s);
    message.by = "token " + std::to_string(unit);
    return message;
  }

  using outcome = std::optional<bool>; ///< whether the booking was active; nullopt after an error

  /// Sends the cancellations of all units while the first one's commit waits.
  std::vector<outcome> cancel_all() {
    caf::scoped_actor self{rt.system()};
    std::vector<decltype(self->request(events, 10s, cancel_of(1)))> pending;
    {
      const busy_lane busy(storage->at(actors::storage_pool::lane::acknowledgements));
      for (unsigned unit = 1; unit <= units; ++unit)
        pending.push_back(self->request(events, 10s, cancel_of(unit)));
      wait_until_received(self, events);
    }
    std::vector<outcome> outcomes;
    for (auto& each : pending)
      each.receive(
          [&](actors::platform_booking_cancelled& response) { outcomes.emplace_back(response.done); },
          [&](const caf::error&) { outcomes.emplace_back(); });
    return outcomes;
  }

private:
  std::vector<domain::booking_request> stays_;
};

ROOST_ON_EACH_STORE(PlatformBookings);

TEST_P(PlatformBookings, ShareTheNextCommitWhenCancelledDuringOne) {
  const auto position = store::newest_point(session()).position;
  for (const auto& outcome : cancel_all()) EXPECT_EQ(outcome, true);
  EXPECT_EQ(jobs("cancel_platform_booking", "done"), 2U);
  EXPECT_EQ(store::newest_point(session()).position, position + 2);
  for (unsigned unit = 1; unit <= units; ++unit) EXPECT_FALSE(shows_as_taken(unit, "2027-02-28")) << unit;
  const store::booking_filter cancelled{.status = domain::booking_status::cancelled};
  EXPECT_EQ(store::list_bookings(session(), cancelled, 100).size(), units);
  EXPECT_EQ(store::list_audit(session(), 100).size(), units);
  EXPECT_TRUE(eventually([&] { return followed->point().position == position + 2; }));
}

TEST_P(PlatformBookings, AreCancelledNextToOneWhoseNotificationTheStoreRejects) {
  const auto id = store::list_bookings(session(), {.unit = cancel_of(5).unit_id}, 1).at(0).booking.id;
  reject_rows(session(), "notifications", "cast(new.booking_id as text) = '" + domain::to_string(id) + "'");
  const auto outcomes = cancel_all();
  for (unsigned unit = 1; unit <= units; ++unit)
    EXPECT_EQ(outcomes[unit - 1], unit == 5 ? outcome() : outcome(true)) << unit;
  EXPECT_TRUE(shows_as_taken(5, "2027-02-28"));
  EXPECT_EQ(store::find_booking(session(), id)->booking.status, domain::booking_status::confirmed);
}

} // namespace roost::testing::platform_bookings_test
