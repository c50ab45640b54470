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

  /// Imports as another process would.
  void import_elsewhere(const domain::portfolio& file) {
    auto db = store().open();
    store::import_context context;
    context.allow_removals = true;
    context.now = now();
    context.new_id = [] { return security::random_uuid(); };
    EXPECT_TRUE(store::import_portfolio(db, file, context).problems.empty());
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

TEST_P(TwoLandlords, AreDecidedTogetherWhenNothingChanges) {
  const auto requests = one_of_each();
  const auto before = store::newest_point(session());
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(stays(requests), 2U);
  const auto entries = store::entries_after(session(), before.position, 10);
  ASSERT_EQ(entries.size(), 1U) << "one per commit";
  EXPECT_EQ(entries[0].what.subjects.size(), 2U);
}

} // namespace roost::testing::two_landlords_test
