#include "actors/support/booking_world.hpp"
#include "store/database/change_stream.hpp"

#include <gtest/gtest.h>

/// What one landlord's changes mean for the decisions of another.
namespace roost::testing::two_landlords_test {
using domain::request_state;

/// The follower looks only when it is asked: what changes meanwhile, memory does not know.
class TwoLandlords : public booking_world {
protected:
  TwoLandlords() { follower_interval = 1h; }

  void SetUp() override {
    booking_world::SetUp();
    stop_and_import_both();
  }

  static domain::portfolio second(std::int64_t rent = 650'00) {
    auto account = sample_account(2);
    auto unit = sample_unit(units + 1);
    unit.terms.rent.amount = {rent};
    add_unit(account, unit);
    domain::portfolio file;
    file.accounts.push_back(std::move(account));
    return file;
  }

  void stop_and_import_both() {
    import(second());
    crash(); // the next start knows both
    ASSERT_TRUE(directory.get()->find(0, "u" + std::to_string(units + 1)));
  }

  std::vector<domain::booking_request> one_of_each() {
    return {request(1, 1, "2027-02-01", "2027-03-01"), request(2, units + 1, "2027-02-01", "2027-03-01")};
  }

  /// In another process, as it were.
  void import_beside(const domain::portfolio& file) {
    auto db = store().open();
    store::import_context with;
    with.allow_removals = true;
    with.now = now();
    with.new_id = [] { return security::random_uuid(); };
    EXPECT_TRUE(store::import_portfolio(db, file, with).problems.empty());
  }

  void look() { caf::anon_send(follower, actors::poll_changes{}); }
};

ROOST_ON_EACH_STORE(TwoLandlords);

TEST_P(TwoLandlords, DoNotHoldUpEachOthersDecisions) {
  const auto requests = one_of_each();
  enqueue(requests);
  when_deciding = [&] { import_beside(second(700'00)); };
  run_queue();
  ASSERT_TRUE(eventually([&] { return state_of(requests[0]) == request_state::success; }));
  EXPECT_EQ(state_of(requests[1]), request_state::pending) << "it was decided on terms that are gone";
  EXPECT_FALSE(shows_as_taken(units + 1, "2027-02-28")) << "its nights were given back";
  look();
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
  ASSERT_EQ(entries.size(), 1U) << "each commit has one";
  EXPECT_EQ(entries[0].what.subjects.size(), 2U);
}

} // namespace roost::testing::two_landlords_test
