#include "actors/support/booking_world.hpp"
#include "store/bookings/bookings.hpp"
#include "store/database/change_stream.hpp"
#include "store/engine/linked_units.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gtest/gtest.h>

/// A server without the lease follows the writer's changes.
namespace roost::testing::standing_by_test {
using domain::request_state;

class StandingBy : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    held->give_up(); // the test keeps the lease of the store, as the other server
  }

  void book(const domain::booking_request& stay) {
    enqueue({stay});
    book_in_store_only(stay);
  }

  domain::uuid booking_of(const domain::booking_request& stay) {
    const auto all = store::list_bookings(session(), {}, 1'000);
    const auto match =
        std::ranges::find_if(all, [&](const auto& record) { return record.booking.request_id == stay.id; });
    return match == all.end() ? domain::uuid{} : match->booking.id;
  }

  bool is_current() { return followed->point() == store::newest_point(session()); }
};

ROOST_ON_EACH_STORE(StandingBy);

TEST_P(StandingBy, ShowsTheStaysThatTheWriterBooks) {
  book(request(1, 1, "2027-02-01", "2027-03-01"));
  EXPECT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  EXPECT_FALSE(held->holds());
  EXPECT_TRUE(eventually([&] { return is_current(); }));
}

TEST_P(StandingBy, ShowsCancelledNightsAsFree) {
  const auto stay = request(1, 1, "2027-02-01", "2027-03-01");
  book(stay);
  ASSERT_TRUE(eventually([&] { return shows_as_taken(1, "2027-02-28"); }));
  ASSERT_TRUE(cancel_stay(session(), booking_of(stay)));
  EXPECT_TRUE(eventually([&] { return !shows_as_taken(1, "2027-02-28"); }));
}

TEST_P(StandingBy, ShowsNothingOfAStayThatWasCancelledBeforeItWasRead) {
  for (unsigned n = 1; n <= 20; ++n) {
    const auto stay = request(n, 1, "2027-02-01", "2027-03-01");
    book(stay);
    ASSERT_TRUE(cancel_stay(session(), booking_of(stay)));
  }
  ASSERT_TRUE(eventually([&] { return is_current(); }));
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(StandingBy, ShowsTheTermsThatTheWriterEdits) {
  store::unit_edit edit;
  edit.unit.id = numbered_id(0x10000 + 1);
  edit.unit.platform = "marketplace-a";
  edit.unit.linked_as = "u1";
  edit.edit.rent = {701'00};
  edit.entry_id = security::random_uuid();
  edit.now = now();
  ASSERT_TRUE(store::edit_units(session(), lease, std::span{&edit, 1}).front().found);
  EXPECT_TRUE(eventually([&] { return listing(1).find(R"("rent":701,)") != std::string::npos; }));
}

TEST_P(StandingBy, ShowsImportedUnits) {
  auto file = sample();
  add_unit(file.accounts[0], sample_unit(units + 1));
  import(file);
  EXPECT_TRUE(
      eventually([&] { return directory.get()->find(0, "u" + std::to_string(units + 1)) != nullptr; }));
}

TEST_P(StandingBy, DecidesByTheWritersChangesOnceItHasTheLease) {
  book(request(1, 1, "2027-02-01", "2027-03-01"));
  auto same_guest = request(2, 2, "2027-02-01", "2027-03-01");
  same_guest.tenant.email = request(1, 1, "2027-02-01", "2027-03-01").tenant.email;
  const std::vector next{request(3, 1, "2027-02-10", "2027-02-20"), same_guest};
  enqueue(next);
  const auto acquired = store::try_acquire(session(), "test", 1h); // the next epoch
  ASSERT_TRUE(acquired);
  lease = acquired->held;
  held->take(lease, actors::held_lease::clock::now() + 1h, acquired->position);
  decide(next);
  EXPECT_EQ(state_of(next[0]), request_state::failed);
  EXPECT_EQ(state_of(next[1]), request_state::success);
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory had the booking";
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1U) << "and its guest";
}

} // namespace roost::testing::standing_by_test
