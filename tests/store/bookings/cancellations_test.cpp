#include "store/bookings/bookings.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::testing::cancellations_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A store with one booking of unit 1.
class Cancellations : public on_each_store {
protected:
  void SetUp() override {
    desk.emplace(session());
    const auto request = sample_request(1);
    desk->insert({request});
    const auto accepted = accept(request, unit_id(1));
    desk->decide({accepted});
    booked = *accepted.booking;
  }

  store::platform_reference reference() const {
    return {booked.platform, *booked.reference, booked.account_id};
  }

  std::optional<store::cancellation> cancel(const store::platform_reference& booking,
                                            const domain::uuid& unit) {
    return store::cancel_for_platform(session(), desk->lease, booking, unit, [&](const auto& record) {
      notices.push_back(record.unit_name + " of " + record.tenant.details.first_name);
      return domain::notification{
          fresh_id(), booked.account_id, "booking_cancelled", "t",
          "b",        booked.id,         booked.request_id,   moment("2026-11-21T10:00:00.000Z")};
    });
  }

  store::booking_record record() { return store::find_booking(session(), booked.id).value(); }

  std::size_t notifications() { return store::list_notifications(session(), {}, 100).size(); }

  std::optional<writer> desk;
  domain::booking booked;
  std::vector<std::string> notices;
};

ROOST_ON_EACH_STORE(Cancellations);

TEST_P(Cancellations, ByAPlatformFreeTheNightsAndNotifyTheLandlord) {
  const auto cancelled = cancel(reference(), unit_id(1));
  ASSERT_TRUE(cancelled);
  EXPECT_TRUE(cancelled->done);
  EXPECT_EQ(cancelled->booking_id, booked.id);
  EXPECT_EQ(record().booking.status, domain::booking_status::cancelled);
  EXPECT_EQ(record().cancelled_by, domain::cancelled_by::platform);
  EXPECT_TRUE(record().cancelled_at);
  EXPECT_EQ(notices.size(), 1U);
  EXPECT_EQ(notifications(), 2U);
  auto again = sample_request(2);
  desk->insert({again});
  desk->decide({accept(again, unit_id(1))}); // the same nights
}

TEST_P(Cancellations, AreIdempotent) {
  cancel(reference(), unit_id(1));
  const auto again = cancel(reference(), unit_id(1));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->done);
  EXPECT_TRUE(again->cancelled);
  EXPECT_EQ(again->booking_id, booked.id);
  EXPECT_EQ(notifications(), 2U);
  EXPECT_EQ(store::settled_cancellation(session(), reference(), unit_id(1)), booked.id);
}

TEST_P(Cancellations, RequireTheBookingsReferenceUnitAndAccount) {
  auto other = reference();
  other.reference = "another";
  EXPECT_FALSE(cancel(other, unit_id(1)));
  other = reference();
  other.platform = "marketplace-b";
  EXPECT_FALSE(cancel(other, unit_id(1)));
  other = reference();
  other.account_id = fresh_id();
  EXPECT_FALSE(cancel(other, unit_id(1)));
  EXPECT_FALSE(cancel(reference(), unit_id(2)));
  EXPECT_EQ(record().booking.status, domain::booking_status::confirmed);
  EXPECT_FALSE(store::settled_cancellation(session(), reference(), unit_id(1)));
  EXPECT_THAT(notices, IsEmpty());
}

TEST_P(Cancellations, OfAFinishedStayDoNothing) {
  store::advance_stays(session(), desk->lease, booked.check_in);
  store::advance_stays(session(), desk->lease, booked.check_out);
  ASSERT_EQ(record().booking.status, domain::booking_status::checked_out);
  const auto outcome = cancel(reference(), unit_id(1));
  EXPECT_FALSE(outcome->done);
  EXPECT_FALSE(outcome->cancelled);
  EXPECT_FALSE(store::cancel_for_landlord(session(), booked.id)->done);
  EXPECT_EQ(record().booking.status, domain::booking_status::checked_out);
}

TEST_P(Cancellations, OfACurrentStayFreeItsNights) {
  store::advance_stays(session(), desk->lease, booked.check_in);
  EXPECT_TRUE(cancel(reference(), unit_id(1))->done);
}

TEST_P(Cancellations, RequireTheLease) {
  auto lost = desk->lease;
  ++lost.epoch;
  EXPECT_THROW(store::cancel_for_platform(session(), lost, reference(), unit_id(1),
                                          [](const auto&) { return domain::notification{}; }),
               store::lease_lost);
  EXPECT_EQ(record().booking.status, domain::booking_status::confirmed);
}

TEST_P(Cancellations, ByTheLandlordAppendAChangeForARunningServer) {
  const auto before = position_of(session());
  const auto outcome = store::cancel_for_landlord(session(), booked.id);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
  EXPECT_EQ(outcome->change.position, before + 1);
  const auto entry = store::entries_after(session(), before, 10).at(0);
  EXPECT_EQ(entry.at, outcome->change);
  EXPECT_EQ(entry.what.kind, store::change_kind::calendar);
  EXPECT_EQ(entry.what.subjects, std::vector{booked.id});
  EXPECT_EQ(record().cancelled_by, domain::cancelled_by::landlord);
}

TEST_P(Cancellations, ByTheLandlordDoNothingWithoutAnActiveBooking) {
  EXPECT_FALSE(store::cancel_for_landlord(session(), fresh_id()));
  store::cancel_for_landlord(session(), booked.id);
  const auto before = position_of(session());
  EXPECT_FALSE(store::cancel_for_landlord(session(), booked.id)->done);
  EXPECT_EQ(position_of(session()), before);
}

TEST_P(Cancellations, DoNotFreeTheReference) {
  cancel(reference(), unit_id(1));
  auto again = sample_request(2);
  again.reference = booked.reference;
  desk->insert({again});
  const auto waiting = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_THAT(waiting.front().imported_in, ElementsAre(booked.account_id));
  EXPECT_EQ(store::status_of(session(), reference()), domain::booking_status::cancelled);
}

} // namespace roost::testing::cancellations_test
