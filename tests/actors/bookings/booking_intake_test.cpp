#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

namespace roost::testing::booking_intake_test {
class BookingIntake : public booking_world {
protected:
  /// Nothing when it was acknowledged.
  std::optional<actors::storage_error> submit(const domain::booking_request& wanted) {
    std::optional<actors::storage_error> failed;
    caf::scoped_actor self{rt.system()};
    self->request(intake, 10s, actors::submit_booking{wanted})
        .receive([](actors::booking_accepted&) {},
                 [&](const caf::error& why) { failed = actors::storage_error_of(why); });
    return failed;
  }
};

ROOST_ON_EACH_STORE(BookingIntake);

TEST_P(BookingIntake, AcknowledgesARequestOnceItIsInTheStore) {
  const auto wanted = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_FALSE(submit(wanted));
  EXPECT_TRUE(store::find_request(session(), wanted.id));
}

TEST_P(BookingIntake, RefusesWhenTheLeaseHasRunOut) {
  held->give_up();
  const auto wanted = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(submit(wanted), actors::storage_error::lease_lost);
  EXPECT_FALSE(store::find_request(session(), wanted.id));
}

TEST_P(BookingIntake, RefusesWhenAnotherServerHasTakenTheLease) {
  auto other = store().open();
  store::release(other, lease);
  ASSERT_TRUE(store::try_acquire(other, "another server", 1h));
  const auto wanted = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(submit(wanted), actors::storage_error::lease_lost);
  EXPECT_FALSE(store::find_request(session(), wanted.id));
}

TEST_P(BookingIntake, AcknowledgesAllOfAGroup) {
  constexpr unsigned askers = 64, each = 20;
  std::atomic<unsigned> acknowledged = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < askers * each / 4; ++i)
        acknowledged += !submit(request(t * 10'000 + i, 1, "2027-02-01", "2027-03-01"));
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(acknowledged, askers * each);
  EXPECT_EQ(store::requests_by_state(session()).pending, askers * each);
}

} // namespace roost::testing::booking_intake_test
