#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

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

TEST_P(BookingIntake, ReturnsOneReceiptForConcurrentPutsOfABooking) {
  constexpr unsigned bookings = 20, repeats = 10;
  caf::scoped_actor self{rt.system()};
  std::vector<decltype(self->request(intake, 10s, actors::put_booking{}))> pending;
  for (unsigned i = 0; i < bookings * repeats; ++i) {
    auto submission = request(i % bookings, 1, "2027-02-01", "2027-03-01");
    submission.id = numbered_id(0x300000 + i);
    pending.push_back(self->request(intake, 10s, actors::put_booking{{submission, "key:digest"}}));
  }
  std::map<unsigned, std::set<domain::uuid>> ids;
  unsigned created = 0;
  for (unsigned i = 0; i < bookings * repeats; ++i)
    pending[i].receive(
        [&](store::put_receipt& receipt) {
          ids[i % bookings].insert(receipt.id);
          created += receipt.result == store::put_receipt::kind::created ? 1 : 0;
        },
        [](const caf::error&) { ADD_FAILURE() << "a put has failed"; });
  EXPECT_EQ(created, bookings);
  EXPECT_EQ(ids.size(), bookings);
  for (const auto& [booking, receipts] : ids) EXPECT_EQ(receipts.size(), 1U) << booking;
  EXPECT_EQ(store::requests_by_state(session()).pending, bookings);
}

TEST_P(BookingIntake, StoresNoPutAfterAnotherServerHasTakenTheLease) {
  auto other = store().open();
  store::release(other, lease);
  ASSERT_TRUE(store::try_acquire(other, "another server", 1h));
  caf::scoped_actor self{rt.system()};
  std::optional<actors::storage_error> error;
  self->request(intake, 10s, actors::put_booking{{request(1, 1, "2027-02-01", "2027-03-01"), "key:digest"}})
      .receive([](store::put_receipt&) {},
               [&](const caf::error& reason) { error = actors::storage_error_of(reason); });
  EXPECT_EQ(error, actors::storage_error::lease_lost);
  EXPECT_EQ(store::requests_by_state(session()).pending, 0);
}

} // namespace roost::testing::booking_intake_test
