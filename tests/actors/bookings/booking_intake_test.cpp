#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

namespace roost::testing::booking_intake_test {
class BookingIntake : public booking_world {
protected:
  /// Returns the error; nullopt if the request was acknowledged.
  std::optional<actors::storage_error> submit(const domain::booking_request& submission) {
    std::optional<actors::storage_error> result;
    caf::scoped_actor self{rt.system()};
    self->request(intake, 10s, actors::submit_booking{submission})
        .receive([](actors::booking_accepted&) {},
                 [&](const caf::error& error) { result = actors::storage_error_of(error); });
    return result;
  }
};

ROOST_ON_EACH_STORE(BookingIntake);

TEST_P(BookingIntake, AcknowledgesARequestOnceItIsInTheStore) {
  const auto submission = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_FALSE(submit(submission));
  EXPECT_TRUE(store::find_request(session(), submission.id));
}

TEST_P(BookingIntake, RefusesWhenTheLeaseHasExpired) {
  held->give_up();
  const auto submission = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(submit(submission), actors::storage_error::lease_lost);
  EXPECT_FALSE(store::find_request(session(), submission.id));
}

TEST_P(BookingIntake, RefusesWhenAnotherServerHasTakenTheLease) {
  auto other = store().open();
  store::release(other, lease);
  ASSERT_TRUE(store::try_acquire(other, "another server", 1h));
  const auto submission = request(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(submit(submission), actors::storage_error::lease_lost);
  EXPECT_FALSE(store::find_request(session(), submission.id));
}

TEST_P(BookingIntake, RefusesOnlyTheRequestsThatTheStoreRejects) {
  constexpr unsigned requests = 60, rejected_every = 20;
  caf::scoped_actor self{rt.system()};
  std::vector<decltype(self->request(intake, 10s, actors::submit_booking{}))> pending;
  {
    const busy_lane first(storage->at(actors::storage_pool::lane::acknowledgements)),
        second(storage->at(actors::storage_pool::lane::more_acknowledgements));
    for (unsigned i = 0; i < requests; ++i) {
      auto submission = request(i, 1, "2027-02-01", "2027-03-01");
      if (i % rejected_every == 0) submission.occupants = 0;
      pending.push_back(self->request(intake, 10s, actors::submit_booking{submission}));
    }
  }
  for (unsigned i = 0; i < requests; ++i) {
    std::optional<actors::storage_error> error;
    pending[i].receive([](actors::booking_accepted&) {},
                       [&](const caf::error& reason) { error = actors::storage_error_of(reason); });
    const bool is_rejected = i % rejected_every == 0;
    EXPECT_EQ(error, is_rejected ? std::optional(actors::storage_error::invalid_value) : std::nullopt) << i;
  }
  EXPECT_EQ(store::requests_by_state(session()).pending, requests - requests / rejected_every);
}

TEST_P(BookingIntake, AcknowledgesEveryRequestOfAGroup) {
  constexpr unsigned clients = 64, requests_per_client = 20;
  std::atomic<unsigned> acknowledged = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < clients * requests_per_client / 4; ++i)
        acknowledged += !submit(request(t * 10'000 + i, 1, "2027-02-01", "2027-03-01"));
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(acknowledged, clients * requests_per_client);
  EXPECT_EQ(store::requests_by_state(session()).pending, clients * requests_per_client);
}

} // namespace roost::testing::booking_intake_test
