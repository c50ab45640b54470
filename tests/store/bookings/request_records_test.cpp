#include "store/bookings/requests.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::request_records_test {
ROOST_FOR_EACH_STORE(RequestRecords);

/// Of the first one a booking was made, the second one was refused, the third one waits.
struct three_requests {
  explicit three_requests(store::session& db) : node(db) {
    second.received_at = first.received_at + 1h;
    third.received_at = first.received_at + 2h;
    third.platform = "room-sharing";
    node.insert({first, second, third});
    const auto booked = accept(first, unit_id(1));
    booking = booked.booking->id;
    node.decide({booked, refuse(second)});
  }

  writer node;
  domain::booking_request first = sample_request(1), second = sample_request(2), third = sample_request(3);
  domain::uuid booking{};
};

std::vector<domain::uuid> ids_of(const std::vector<store::request_record>& records) {
  std::vector<domain::uuid> ids;
  for (const auto& record : records) ids.push_back(record.request.id);
  return ids;
}

TEST_P(RequestRecords, TellWhatBecameOfARequest) {
  const three_requests there(session());
  const auto booked = store::find_request(session(), there.first.id).value();
  EXPECT_EQ(booked.state, domain::request_state::success);
  EXPECT_EQ(booked.booking_id, there.booking);
  EXPECT_FALSE(booked.reason);
  EXPECT_TRUE(booked.decided_at);
  EXPECT_EQ(booked.company_name, "Landlord 1");
  const auto refused = store::find_request(session(), there.second.id).value();
  EXPECT_EQ(refused.state, domain::request_state::failed);
  EXPECT_EQ(refused.reason, "overlapping_nights");
  EXPECT_FALSE(refused.booking_id);
  EXPECT_EQ(refused.request.external_id, "ext-1");
  EXPECT_EQ(refused.request.reference, "reference-2");
  EXPECT_EQ(refused.request.received_at, there.second.received_at);
  const auto waiting = store::find_request(session(), there.third.id).value();
  EXPECT_EQ(waiting.state, domain::request_state::pending);
  EXPECT_FALSE(waiting.decided_at);
  EXPECT_FALSE(waiting.company_name);
  EXPECT_FALSE(store::find_request(session(), fresh_id()));
}

TEST_P(RequestRecords, AreListedByWhatIsAskedForTheNewestFirst) {
  const three_requests there(session());
  const auto first = there.first.id, second = there.second.id, third = there.third.id;
  using ids = std::vector<domain::uuid>;
  const auto listed = [&](const store::request_filter& wanted, std::size_t limit = 10) {
    return ids_of(store::list_requests(session(), wanted, limit));
  };
  EXPECT_EQ(listed({}), (ids{third, second, first}));
  EXPECT_EQ(listed({}, 2), (ids{third, second}));
  EXPECT_EQ(listed({.state = domain::request_state::failed}), ids{second});
  EXPECT_EQ(listed({.platform = "marketplace-a"}), (ids{second, first}));
  EXPECT_EQ(listed({.since = there.second.received_at}), (ids{third, second}));
  EXPECT_EQ(listed({.state = domain::request_state::dropped}), ids{});
}

} // namespace roost::testing::request_records_test
