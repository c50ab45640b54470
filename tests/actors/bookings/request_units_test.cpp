#include "actors/bookings/booking_decider.hpp"
#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

/// Requests with an ID that belongs to no unit any more.
namespace roost::testing::request_units_test {
using domain::request_state;

class RequestsForAFormerId : public booking_world {
protected:
  /// Replaces the links of the first unit.
  void link_first(const std::vector<domain::link>& links) {
    auto file = sample();
    file.accounts.front().properties.front().units.front().links = links;
    import(file);
    ASSERT_TRUE(
        eventually([&] { return followed->point().position == store::newest_point(session()).position; }));
  }

  std::optional<domain::uuid> former_account(const domain::booking_request& booking) {
    const auto current = directory.get();
    const auto resolved =
        actors::find_candidates(session(), *current, sample_platforms(), {{1, booking, {}, {}}});
    EXPECT_EQ(resolved.size(), 1U);
    return resolved.front().pending->former_account;
  }

  static domain::booking_request engine_request(const std::string& external_id) {
    auto booking = request(1, 1, "2027-02-01", "2027-05-01");
    booking.platform = "booking-engine";
    booking.external_id = external_id;
    return booking;
  }
};

ROOST_ON_EACH_STORE(RequestsForAFormerId);

TEST_P(RequestsForAFormerId, AreRefusedWithAMailToItsFormerLandlord) {
  link_first({{"marketplace-a", "other", {}}});
  const std::vector requests{request(1, 1, "2027-02-01", "2027-05-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
  EXPECT_EQ(mails->sent[0].to, "user1@landlord.example");
  const auto record = store::find_request(session(), requests[0].id).value();
  EXPECT_EQ(record.reason, "unit_not_linked");
  EXPECT_EQ(record.company_name, "Landlord 1");
}

TEST_P(RequestsForAFormerId, HaveNoAccountIfNoUnitEverHadIt) {
  link_first({});
  EXPECT_FALSE(former_account(request(1, 999, "2027-02-01", "2027-05-01")));
  auto elsewhere = request(1, 1, "2027-02-01", "2027-05-01");
  elsewhere.platform = "room-sharing";
  EXPECT_FALSE(former_account(elsewhere));
  elsewhere.platform = "gone";
  EXPECT_FALSE(former_account(elsewhere));
}

TEST_P(RequestsForAFormerId, HaveNoFormerAccountWhileAUnitHasIt) {
  link_first({});
  link_first({{"marketplace-a", "u1", {}}});
  EXPECT_FALSE(former_account(request(1, 1, "2027-02-01", "2027-05-01")));
}

TEST_P(RequestsForAFormerId, OfARoomMayHaveBelongedToItsProperty) {
  link_first({{"booking-engine", "p1", {}}});
  link_first({});
  EXPECT_EQ(former_account(engine_request("p1")), numbered_id(1));
  EXPECT_EQ(former_account(engine_request("p1_r1")), numbered_id(1));
  EXPECT_FALSE(former_account(engine_request("p2_r1")));
}

} // namespace roost::testing::request_units_test
