#include "store/bookings/bookings.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace roost::testing::booking_records_test {
ROOST_FOR_EACH_STORE(BookingRecords);

/// Bookings of units 1 and 2; the second is a month later and has no reference.
struct two_bookings {
  explicit two_bookings(store::session& db) : node(db) {
    auto later = sample_request(2);
    later.reference.reset();
    later.check_in = day("2027-06-01");
    later.check_out = day("2027-07-01");
    node.insert({sample_request(1), later});
    const auto first_decision = accept(sample_request(1), unit_id(1)),
               second_decision = accept(later, unit_id(2));
    node.decide({first_decision, second_decision});
    first = *first_decision.booking;
    second = *second_decision.booking;
  }

  writer node;
  domain::booking first, second;
};

std::vector<domain::uuid> ids_of(const std::vector<store::booking_record>& records) {
  std::vector<domain::uuid> ids;
  for (const auto& record : records) ids.push_back(record.booking.id);
  std::ranges::sort(ids);
  return ids;
}

TEST_P(BookingRecords, HaveAllFieldsThatWereWritten) {
  const two_bookings bookings(session());
  const auto record = store::find_booking(session(), bookings.first.id).value();
  const auto& read = record.booking;
  const auto& written = bookings.first;
  EXPECT_EQ(read.request_id, written.request_id);
  EXPECT_EQ(read.account_id, written.account_id);
  EXPECT_EQ(read.unit_id, written.unit_id);
  EXPECT_EQ(read.tenant_id, written.tenant_id);
  EXPECT_EQ(read.platform, written.platform);
  EXPECT_EQ(read.reference, written.reference);
  EXPECT_EQ(read.check_in, written.check_in);
  EXPECT_EQ(read.check_out, written.check_out);
  EXPECT_EQ(read.last_night, written.last_night);
  EXPECT_EQ(read.status, domain::booking_status::confirmed);
  EXPECT_EQ(read.provider_payment, written.provider_payment);
  EXPECT_EQ(read.created_at, written.created_at);
  EXPECT_EQ(*read.terms, *written.terms);
  EXPECT_EQ(record.tenant.details.email, "eva1@tenant.example");
  EXPECT_EQ(record.tenant.category, "Platform guest");
  EXPECT_FALSE(record.cancelled_at);
}

TEST_P(BookingRecords, AreListedByFilter) {
  const two_bookings bookings(session());
  const auto listed = [&](const store::booking_filter& filter) {
    return ids_of(store::list_bookings(session(), filter, 10));
  };
  const std::vector<domain::uuid> first{bookings.first.id}, second{bookings.second.id}, none;
  EXPECT_EQ(listed({}).size(), 2U);
  EXPECT_EQ(listed({.account = account_id(1)}).size(), 2U);
  EXPECT_EQ(listed({.account = account_id(2)}), none);
  EXPECT_EQ(listed({.unit = unit_id(2)}), second);
  EXPECT_EQ(listed({.reference = bookings.first.reference}), first);
  EXPECT_EQ(listed({.status = domain::booking_status::cancelled}), none);
  EXPECT_EQ(listed({.status = domain::booking_status::confirmed}).size(), 2U);
  EXPECT_EQ(listed({.platform = "marketplace-b"}), none);
  EXPECT_EQ(store::list_bookings(session(), {}, 1).size(), 1U);
}

TEST_P(BookingRecords, DoNotExistForAnUnknownId) {
  const two_bookings bookings(session());
  EXPECT_FALSE(store::find_booking(session(), fresh_id()));
  EXPECT_FALSE(store::status_of(session(), {"marketplace-a", "unknown", account_id(1)}));
}

TEST_P(BookingRecords, AreListedWithNotificationsByAccount) {
  const two_bookings bookings(session());
  const auto notifications = store::list_notifications(session(), account_id(1), 10);
  ASSERT_EQ(notifications.size(), 2U);
  EXPECT_EQ(notifications.front().kind, "booking_created");
  EXPECT_EQ(notifications.front().title, "Booked");
  EXPECT_TRUE(notifications.front().booking_id);
  EXPECT_TRUE(store::list_notifications(session(), account_id(2), 10).empty());
  EXPECT_EQ(store::list_notifications(session(), {}, 1).size(), 1U);
}

} // namespace roost::testing::booking_records_test
