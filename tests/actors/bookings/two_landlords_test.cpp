#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"

#include <gtest/gtest.h>

/// The effect of one landlord's changes on the decisions for another.
namespace roost::testing::two_landlords_test {
using domain::request_state;

/// The follower polls only on request, so that memory lacks later changes.
class TwoLandlords : public booking_world {
protected:
  TwoLandlords() { follower_interval = 1h; }

  void SetUp() override {
    booking_world::SetUp();
    add_second_landlord();
  }

  static domain::portfolio second_landlord(std::int64_t rent = 650'00) {
    auto account = sample_account(2);
    auto unit = sample_unit(units + 1);
    unit.terms.rent.amount = {rent};
    add_unit(account, unit);
    domain::portfolio file;
    file.accounts.push_back(std::move(account));
    return file;
  }

  void add_second_landlord() {
    import(second_landlord());
    crash(); // the next start loads both
    ASSERT_TRUE(directory.get()->find(0, "u" + std::to_string(units + 1)));
  }

  std::vector<domain::booking_request> one_of_each() {
    return {request(1, 1, "2027-02-01", "2027-03-01"), request(2, units + 1, "2027-02-01", "2027-03-01")};
  }

  void poll() { caf::anon_send(follower, actors::poll_changes{}); }
};

ROOST_ON_EACH_STORE(TwoLandlords);

TEST_P(TwoLandlords, DoNotDelayEachOthersDecisions) {
  const auto requests = one_of_each();
  enqueue(requests);
  when_deciding = [&] { import_elsewhere(second_landlord(700'00)); };
  run_queue();
  ASSERT_TRUE(eventually([&] { return state_of(requests[0]) == request_state::success; }));
  EXPECT_EQ(state_of(requests[1]), request_state::pending) << "it was decided by former terms";
  EXPECT_FALSE(shows_as_taken(units + 1, "2027-02-28")) << "its nights were freed";
  poll();
  EXPECT_TRUE(eventually([&] { return state_of(requests[1]) == request_state::success; }));
  EXPECT_EQ(stays(requests), 2U);
}

/// Memory never learns of the change, as if the account changed all the time.
TEST_P(TwoLandlords, AreDecidedBehindAnyNumberOfOutdatedRequests) {
  constexpr unsigned outdated = 501; // more than a group
  std::vector<domain::booking_request> requests;
  for (unsigned i = 1; i <= outdated; ++i)
    requests.push_back(request(i, units + 1, "2027-02-01", "2027-03-01"));
  enqueue(requests);
  const std::vector last{request(outdated + 1, 1, "2027-02-01", "2027-03-01")};
  enqueue(last);
  when_deciding = [&] { import_elsewhere(second_landlord(700'00)); };
  run_queue();
  ASSERT_TRUE(eventually([&] { return state_of(last[0]) == request_state::success; }));
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
  poll();
  EXPECT_TRUE(eventually([&] { return decided(requests); }));
  EXPECT_EQ(state_of(requests[0]), request_state::success) << "in order of arrival";
}

TEST_P(TwoLandlords, KeepTheHeartbeatWhileOutdatedRequestsAreDecidedAgain) {
  const auto requests = one_of_each();
  enqueue(requests);
  when_deciding = [&] { import_elsewhere(second_landlord(700'00)); };
  run_queue();
  ASSERT_TRUE(eventually([&] { return state_of(requests[0]) == request_state::success; }));
  for (int beats = 0; beats < 3; ++beats) {
    const auto started = actors::heartbeat::clock::now();
    EXPECT_TRUE(eventually([&] { return actors::heartbeat::clock::now() - heartbeat->age() > started; }));
  }
  EXPECT_EQ(state_of(requests[1]), request_state::pending);
  poll();
  EXPECT_TRUE(eventually([&] { return decided(requests); }));
}

TEST_P(TwoLandlords, AreDecidedTogetherWhenNothingChanges) {
  const auto requests = one_of_each();
  const auto before = store::newest_point(session());
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(stays(requests), 2U);
  const auto entries = store::entries_after(session(), before.position, 10);
  ASSERT_EQ(entries.size(), 1U) << "one per commit";
  EXPECT_EQ(entries[0].change.subjects.size(), 2U);
}

} // namespace roost::testing::two_landlords_test
